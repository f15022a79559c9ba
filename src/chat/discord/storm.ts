import { PostFailure } from '../../daily/types.ts';

/** Discord bans an address for a while after 10,000 refused requests in this time. */
const WINDOW = 10 * 60_000;
/** Something is wrong long before that: nothing that can wait is sent until the window is over. */
const MOST = 500;

/** Counts requests that Discord refused, and stops those that can wait when there are too many. */
export class Storm {
  readonly #now: () => number;
  readonly #onStop: () => void;
  #refused: number[] = [];
  #stoppedUntil = 0;

  constructor(now: () => number, onStop: () => void) {
    this.#now = now;
    this.#onStop = onStop;
  }

  /** Told of every answer. */
  saw(status: number): void {
    if (status !== 401 && status !== 403 && status !== 404) return;
    const now = this.#now();
    this.#refused = this.#refused.filter((at) => at > now - WINDOW);
    this.#refused.push(now);
    if (this.#refused.length < MOST || now < this.#stoppedUntil) return;
    this.#stoppedUntil = now + WINDOW;
    this.#refused = [];
    this.#onStop();
  }

  /** Throws while nothing more should be sent. */
  check(): void {
    const wait = this.#stoppedUntil - this.#now();
    if (wait > 0)
      throw new PostFailure('later', 'too many requests were refused lately', { retryAfter: wait });
  }
}
