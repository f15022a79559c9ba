import { PostFailure } from '../../../dispatch/poster.ts';

/** Discord bans an address for a while after 10,000 refused requests in this time. */
const WINDOW = 10 * 60_000;
/** Something is wrong long before that: nothing that can wait is sent until the window is over. */
const MOST = 500;
/** Looking whether a place is all right again stops before posting does, however many places there are to look at. */
const MOST_LOOKING = MOST / 2;

/** Counts requests that Discord refused, and stops those that can wait when there are too many. */
export class InvalidRequestGuard {
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
    this.#lately().push(this.#now());
    if (this.#refused.length < MOST || this.#wait() > 0) return;
    this.#stoppedUntil = this.#now() + WINDOW;
    this.#refused = [];
    this.#onStop();
  }

  /** Throws while nothing more should be posted. */
  check(): void {
    const wait = this.#wait();
    if (wait > 0) throw tooMany(wait);
  }

  /** Throws while nobody should look what a place lacks, unless something is to be posted there. */
  checkLooking(): void {
    this.check();
    const [first] = this.#lately();
    if (this.#refused.length >= MOST_LOOKING) throw tooMany(first! + WINDOW - this.#now());
  }

  #lately(): number[] {
    const since = this.#now() - WINDOW;
    this.#refused = this.#refused.filter((at) => at > since);
    return this.#refused;
  }

  #wait(): number {
    return this.#stoppedUntil - this.#now();
  }
}

function tooMany(wait: number): PostFailure {
  return new PostFailure('later', 'too many requests were refused lately', { retryAfter: wait });
}
