import type { Clock } from '../../core/clock.ts';

/** A clock that runs as the machine's does, but can be moved on, so that a day passes in a minute. */
export class MovableClock implements Clock {
  readonly #now: () => number;
  #ahead = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  now(): number {
    return this.#now() + this.#ahead;
  }

  /** Never back: what was posted can't be unposted. */
  moveTo(moment: number): void {
    this.#ahead += Math.max(0, moment - this.now());
  }
}

/** What the page's clock can do; moving it plays through everything that falls due on the way. */
export interface Time {
  now(): number;
  moveTo(moment: number): Promise<void>;
  /** When something is posted next, if anything is. */
  next(): Promise<number | undefined>;
}
