/** Thrown inside the search when it is told to stop; caught by `makeSearch`, which says where it was cut. */
export class Stopped extends Error {}

const STEPS_BETWEEN_LOOKS = 4096;

/** Asks `stop` now and then: asking at each step would cost more than the step. */
export class Stopper {
  readonly #stop: (() => boolean) | undefined;
  #left = STEPS_BETWEEN_LOOKS;
  #isHeld = false;
  /** Steps taken in all, which is how tests measure work without a clock. */
  steps = 0;

  constructor(stop: (() => boolean) | undefined) {
    this.#stop = stop;
  }

  /** Call with the number of steps about to be taken. */
  step(steps = 1): void {
    this.steps += steps;
    this.#left -= steps;
    if (this.#left > 0 || this.#isHeld) return;
    this.#left = STEPS_BETWEEN_LOOKS;
    if (!this.#stop?.()) return;
    // The next question, if one comes, asks at its first step.
    this.#left = 0;
    throw new Stopped();
  }

  /** Work that is short on any board is not cut, even if the time was up before: its answer comes first. */
  unstopped<Answer>(work: () => Answer): Answer {
    const wasHeld = this.#isHeld;
    this.#isHeld = true;
    try {
      return work();
    } finally {
      this.#isHeld = wasHeld;
    }
  }
}
