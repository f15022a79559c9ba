import type { PuzzleDate } from '../../puzzle/types.ts';
import type { DeliveryKey, DeliveryState, Store } from '../../store/types.ts';
import type { DayStep } from '../types.ts';

/** Days held in memory: as many as a tick looks at. */
const MOST_DAYS = 3;

type Day = Map<string, DeliveryState>;

/**
 * What this process knows of planned rows, so that a tick need not read them all each minute. It may lag
 * behind other processes: planning what is planned already writes nothing.
 */
export class DeliveryStateCache {
  readonly #days = new Map<PuzzleDate, Day>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads a day's rows unless they are known; `anew` reads them in any case. Tells how many there are. */
  async load(date: PuzzleDate, anew = false): Promise<number> {
    const known = this.#days.get(date);
    if (known !== undefined && !anew) return known.size;
    const day: Day = new Map();
    for (const row of await this.#store.allTenants.steps(date)) day.set(keyOf(row), row.state);
    this.#days.set(date, day);
    return day.size;
  }

  stateOf({ tenant, channel }: Pick<DeliveryKey, 'tenant' | 'channel'>, date: PuzzleDate, step: DayStep) {
    return this.#days.get(date)?.get(keyOf({ tenant, channel, step }));
  }

  note(key: DeliveryKey, state: DeliveryState): void {
    this.#days.get(key.date as PuzzleDate)?.set(keyOf(key), state);
  }

  /** Forgets the oldest days beyond those it should hold. */
  trim(): void {
    const dates = [...this.#days.keys()].sort();
    for (const date of dates.slice(0, Math.max(0, dates.length - MOST_DAYS))) this.#days.delete(date);
  }
}

function keyOf({ tenant, channel, step }: Pick<DeliveryKey, 'tenant' | 'channel' | 'step'>): string {
  return `${tenant}\n${channel}\n${step}`;
}
