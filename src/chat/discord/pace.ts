import { MINUTE, SECOND } from '../../core/clock.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import type { Store } from '../../store/store.ts';

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
/** How many need not wait for that. */
const BURST = 25;
const PAUSE = 10 * MINUTE;
const OPENED = 'discord conversations';
/** Posts that were too many. They come back one after the other, in any process. */
const WAITING = 'discord conversations waiting';

/**
 * The pace at which all processes together open private conversations: a post that has to wait is tried again at its turn,
 * and holds up no other.
 */
export class PrivatePace {
  readonly #pace: Pick<Store['pace'], 'reserve' | 'reserveUpTo'>;

  constructor(pace: Pick<Store['pace'], 'reserve' | 'reserveUpTo'>) {
    this.#pace = pace;
  }

  /** Throws where a message has to wait. */
  async take(): Promise<void> {
    if (await this.#pace.reserveUpTo(BURST, OPENED, CONVERSATIONS_PER_SECOND)) return;
    const wait = await this.#pace.reserve(WAITING, 1, CONVERSATIONS_PER_SECOND);
    throw new PostFailure('later', 'too many private messages at once', { retryAfter: Math.ceil(wait) });
  }

  /** Discord said that it was too fast. */
  async pause(): Promise<void> {
    const places = (PAUSE / SECOND) * CONVERSATIONS_PER_SECOND;
    for (const line of [OPENED, WAITING]) await this.#pace.reserve(line, places, CONVERSATIONS_PER_SECOND);
  }
}
