import { LRUCache } from 'lru-cache';
import { MINUTE, SECOND } from '../../core/clock.ts';
import { PostFailure } from '../../dispatch/poster.ts';

/** Requests that get their turns by one query. */
const MOST_TOGETHER = 16;
/** Milliseconds. After a longer hold-up of this process, all requests whose turn it was would go at once. */
const LATE = 100;

interface Waiting {
  readonly go: () => void;
  /** It has missed a turn already, and does not go to the end of the line again. */
  readonly hasMissed?: boolean;
}

/**
 * Gives requests their turns, one after the other.
 *
 * @param reserve takes the next places in the line of all processes: milliseconds until the end of the last of them
 */
export function makeTurns(
  reserve: (places: number) => Promise<number>,
  perSecond: number,
): () => Promise<void> {
  const waiting: Waiting[] = [];
  let isReserving = false;
  const wait = (one: Waiting) => {
    waiting.push(one);
    if (!isReserving) void serve();
  };
  const call = (one: Waiting, turn: number) => {
    if (performance.now() < turn + LATE || one.hasMissed) one.go();
    else wait({ ...one, hasMissed: true });
  };
  const serve = async () => {
    isReserving = true;
    while (waiting.length > 0) {
      const some = waiting.splice(0, MOST_TOGETHER);
      // Without the store, each process keeps to the limit by itself, as its library does anyway.
      const ahead = await reserve(some.length).catch(() => 0);
      const now = performance.now();
      for (const [index, one] of some.entries()) {
        const left = Math.max(0, ahead - ((some.length - index) * SECOND) / perSecond);
        setTimeout(() => call(one, now + left), left);
      }
    }
    isReserving = false;
  };
  return () => new Promise((resolve) => wait({ go: resolve }));
}

/** Conversations that are opened in a second. Discord names no limit, but it has one, and thousands are reminded at eight. */
const CONVERSATIONS_PER_SECOND = 5;
/** Milliseconds by which a turn may be early. */
const BURST = 5_000;
const PAUSE = 10 * MINUTE;
const MOST_WAITING = 20_000;

/**
 * The pace at which private conversations are opened: a post that has to wait is tried again at its turn, and holds up no
 * other.
 */
export class PrivatePace {
  readonly #turns = new LRUCache<string, number>({ max: MOST_WAITING });
  #next = 0;
  #pausedUntil = 0;

  /** Throws until it is the turn of this message. */
  check(key: string, now: number): void {
    const turn = this.#turns.get(key) ?? Math.max(now, this.#next);
    if (!this.#turns.has(key)) this.#next = turn + SECOND / CONVERSATIONS_PER_SECOND;
    this.#turns.set(key, turn);
    const wait = Math.max(turn - BURST, this.#pausedUntil) - now;
    if (wait > 0)
      throw new PostFailure('later', 'too many private messages at once', { retryAfter: Math.ceil(wait) });
    this.#turns.delete(key);
  }

  /** Discord said that it was too fast. */
  pause(now: number): void {
    this.#pausedUntil = now + PAUSE;
  }
}
