/** Thrown inside the search when `stop` says so; caught by a `Guard`, which says where it was cut. */
export class Stopped extends Error {}

const STEPS_BETWEEN_LOOKS = 4096;
/**
 * Steps that what comes first may take after the time is up: some tenths of a second. Of 146 boards with many repeated
 * letters, the counts of one and two words took at most 2.3 million.
 */
export const GRACE = 4_000_000;

/** Asks `stop` now and then: asking at each step would cost more than the step. */
export class Stopper {
  readonly #stop: (() => boolean) | undefined;
  #left = STEPS_BETWEEN_LOOKS;
  /** Until this many steps were taken, `stop` is not asked. */
  #heldUntil = 0;
  /** Steps taken in all, which is how tests measure work without a clock. */
  steps = 0;

  constructor(stop: (() => boolean) | undefined) {
    this.#stop = stop;
  }

  /** Call with the number of steps about to be taken. */
  step(steps = 1): void {
    this.steps += steps;
    this.#left -= steps;
    if (this.#left > 0 || this.steps < this.#heldUntil) return;
    this.#left = STEPS_BETWEEN_LOOKS;
    if (!this.#stop?.()) return;
    // The next question, if one comes, asks at its first step.
    this.#left = 0;
    throw new Stopped();
  }

  /**
   * For answers that come first: they are not cut even if the time was up before, unless they take more than
   * `GRACE` steps. Nested ones have no more steps than the outermost.
   */
  unstopped<Answer>(work: () => Answer): Answer {
    const before = this.#heldUntil;
    if (this.steps >= before) this.#heldUntil = this.steps + GRACE;
    try {
      return work();
    } finally {
      this.#heldUntil = before;
    }
  }
}
