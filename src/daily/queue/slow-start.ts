/** Deliveries under way at first. */
const FIRST_AT_ONCE = 2;

/**
 * Has few deliveries under way at first, and one more for each that has ended. Processes that die again and again soon
 * after their start, with many under way and none ended, would never get one posted.
 */
export class SlowStart {
  readonly #concurrency: number;
  /** How many may be under way for now, how many are, and how the others begin. */
  #most: number;
  #begun = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
    this.#most = Math.min(concurrency, FIRST_AT_ONCE);
  }

  /** Runs this as soon as it may begin, in the order of the calls. */
  async run<Result>(deliver: () => Promise<Result>): Promise<Result> {
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#beginWaiting();
    await turn;
    try {
      return await deliver();
    } finally {
      this.#begun--;
      this.widen();
    }
  }

  /** To be called as time goes on, in case the first ones hang. */
  widen(): void {
    this.#most = Math.min(this.#concurrency, this.#most + 1);
    this.#beginWaiting();
  }

  #beginWaiting(): void {
    while (this.#begun < this.#most && this.#waiting.length > 0) {
      this.#begun++;
      this.#waiting.shift()!();
    }
  }
}
