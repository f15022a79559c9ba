import { type ChannelRef, channelKey } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import type { DeliveryState } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { DeliveryKey } from '../../store/tables/delivery-row.ts';
import type { DayStep } from '../types.ts';

/** Days held in memory: as many as a tick looks at. */
const MOST_DAYS = 3;

/**
 * The states of planned rows as far as this process knows them, so that a tick need not read them all each
 * minute. It may lag behind other processes: planning what is planned already adds nothing.
 */
export class DeliveryStateCache {
  readonly #days = new Map<PuzzleDate, Map<string, DeliveryState>>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads a day's rows unless they are known, or anyway with `reload`. Returns how many there are. */
  async load(date: PuzzleDate, { reload = false } = {}): Promise<number> {
    const known = this.#days.get(date);
    if (known !== undefined && !reload) return known.size;
    const day = new Map<string, DeliveryState>();
    for (const row of await this.#store.allDeliveries.steps(date))
      day.set(channelKey(row, row.step), row.state);
    this.#days.set(date, day);
    return day.size;
  }

  get(channel: ChannelRef, date: PuzzleDate, step: DayStep): DeliveryState | undefined {
    return this.#days.get(date)?.get(channelKey(channel, step));
  }

  set(key: DeliveryKey, state: DeliveryState): void {
    this.#days.get(key.date as PuzzleDate)?.set(channelKey(key, key.step), state);
  }

  clear(): void {
    this.#days.clear();
  }

  /** Drops the oldest days beyond those it should hold. */
  trim(): void {
    const dates = [...this.#days.keys()].sort();
    for (const date of dates.slice(0, Math.max(0, dates.length - MOST_DAYS))) this.#days.delete(date);
  }
}
