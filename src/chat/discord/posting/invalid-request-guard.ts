import { PostFailure } from '../../../dispatch/poster.ts';

/** Discord bans an address for a while after 10,000 invalid requests within this time. */
const WINDOW = 10 * 60_000;
/** Far below that limit: so many refusals mean that something is wrong, so posting pauses for a whole window. */
const POSTING_LIMIT = 500;
/** Checks of what a channel is missing stop earlier, so that they never stop the posting itself. */
const CHECKING_LIMIT = POSTING_LIMIT / 2;

/** Counts the requests that Discord refused, and pauses whatever can wait when there are too many of them. */
export class InvalidRequestGuard {
  readonly #now: () => number;
  readonly #onPause: () => void;
  /** When the refusals of the last window came, oldest first. */
  #refusals: number[] = [];
  #pausedUntil = 0;

  constructor(now: () => number, onPause: () => void) {
    this.#now = now;
    this.#onPause = onPause;
  }

  /** Counts a response, whatever its status. */
  count(status: number): void {
    if (status !== 401 && status !== 403 && status !== 404) return;
    this.#recent().push(this.#now());
    if (this.#refusals.length < POSTING_LIMIT || this.#pauseLeft() > 0) return;
    this.#pausedUntil = this.#now() + WINDOW;
    this.#refusals = [];
    this.#onPause();
  }

  /** Throws while posting is paused. */
  checkPosting(): void {
    const wait = this.#pauseLeft();
    if (wait > 0) throw tooMany(wait);
  }

  /** Throws while nothing should be requested that no post depends on. */
  checkOptional(): void {
    this.checkPosting();
    const [oldest] = this.#recent();
    if (this.#refusals.length >= CHECKING_LIMIT) throw tooMany(oldest! + WINDOW - this.#now());
  }

  #recent(): number[] {
    const since = this.#now() - WINDOW;
    this.#refusals = this.#refusals.filter((at) => at > since);
    return this.#refusals;
  }

  #pauseLeft(): number {
    return this.#pausedUntil - this.#now();
  }
}

function tooMany(wait: number): PostFailure {
  return new PostFailure('later', 'too many requests were refused lately', { retryAfter: wait });
}
