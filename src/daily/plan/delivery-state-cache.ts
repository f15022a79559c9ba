import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Store } from '../../store/store.ts';
import type { StepState } from '../../store/tables/all-deliveries.ts';
import type { PlanQuestion } from './plan.ts';
import { StepStates } from './step-states.ts';

/** Days held in memory: as many as a tick looks at. */
const MOST_DAYS = 3;

/**
 * The states of planned rows as far as this process knows them, so that a tick need not read them all each
 * minute. It may lag behind other processes: planning what is planned already adds nothing.
 */
export class DeliveryStateCache {
  readonly #days = new Map<PuzzleDate, StepStates>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads a day's rows unless they are known, or anyway with `reload`. Returns how many there are. */
  async load(date: PuzzleDate, { reload = false } = {}): Promise<number> {
    const known = this.#days.get(date);
    if (known !== undefined && !reload) return known.size;
    const day = new StepStates();
    for (const row of await this.#store.allDeliveries.steps(date)) day.set(row);
    this.#days.set(date, day);
    return day.size;
  }

  /** For the plan of one channel. */
  in(channel: ChannelRef): Pick<PlanQuestion, 'stateOf' | 'openedAt'> {
    return {
      stateOf: (date, step) => this.#days.get(date)?.stateOf(channel, date, step),
      openedAt: (date) => this.#days.get(date)?.openedAt(channel, date),
    };
  }

  set(step: StepState): void {
    this.#days.get(step.date as PuzzleDate)?.set(step);
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
