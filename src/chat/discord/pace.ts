import { MINUTE, SECOND } from '../../core/clock.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import type { Store } from '../../store/store.ts';

/** The share of the limit that is used: at exactly its pace, requests pile up where some arrive late, and are refused. */
export const RATE_LIMIT_SHARE = 0.96;

/** Turns and limits that processes on several machines share in the store. */
export type Pace = Store['pace'];

/** The line of all requests of a bot. */
export const LINE = 'discord';

/** Lets requests of this process leave evenly, by a clock that nobody can set. A pause for one is a pause for all. */
export class Departures {
  readonly #interval: number;
  #last = Promise.resolve();
  /** When the next one may leave. */
  #next = 0;

  constructor(perSecond: number) {
    this.#interval = SECOND / perSecond;
  }

  turn(): Promise<void> {
    this.#last = this.#last.then(async () => {
      for (let left = this.#next - performance.now(); left > 0; left = this.#next - performance.now())
        await new Promise((resolve) => setTimeout(resolve, left));
      // A late departure lets only one more leave at once: at 50 a second, the third leaves 20 ms after these two. Otherwise, a
      // busy moment would end with many at once.
      this.#next = Math.max(this.#next, performance.now() - this.#interval) + this.#interval;
    });
    return this.#last;
  }

  pause(milliseconds: number): void {
    this.#next = Math.max(this.#next, performance.now() + milliseconds);
  }
}

/** A process that was blocked for longer than this waits for another turn: otherwise, it would send all overdue requests at once. */
const LATE_AFTER_MS = 100;

/**
 * Waits for a turn among the requests of all processes, and for a second one after a turn that was missed. If that is missed,
 * too, the request goes on to `Departures`.
 *
 * @param reserve reserves the next turn; resolves to the milliseconds until its end
 */
export async function waitForTurn(reserve: () => Promise<number>, perSecond: number): Promise<void> {
  const turnLength = SECOND / perSecond;
  for (let turns = 0; turns < 2; turns++) {
    // Without the store, nobody waits for turns: each process then keeps to the limit on its own.
    const end = await reserve().catch(() => 0);
    const wait = Math.max(0, end - turnLength);
    const start = performance.now() + wait;
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (performance.now() < start + LATE_AFTER_MS) return;
  }
}

/** Discord does not document its limit, and thousands of reminders are due at eight. */
const CONVERSATIONS_PER_SECOND = 5;
/** Conversations that may be opened without waiting. */
const CONVERSATION_BURST = 25;
const CONVERSATION_PAUSE_MS = 10 * MINUTE;
const CONVERSATION_LINE = 'discord conversations';
/** The queue of posts beyond the burst. They are retried one at a time, by any process. */
const WAITING_LINE = 'discord conversations waiting';

/**
 * Reserves the opening of a private conversation, among those of all processes. A post that has to wait is retried at its
 * turn, and holds up no other.
 *
 * @throws PostFailure where a message has to wait
 */
export async function reserveConversation(pace: Pace): Promise<void> {
  if (await pace.reserveUpTo(CONVERSATION_BURST, CONVERSATION_LINE, CONVERSATIONS_PER_SECOND)) return;
  const wait = await pace.reserve(WAITING_LINE, CONVERSATIONS_PER_SECOND);
  throw new PostFailure('later', 'too many private messages at once', { retryAfter: Math.ceil(wait) });
}

/** Pauses both queues after Discord said that conversations were opened too fast. */
export async function pauseConversations(pace: Pace): Promise<void> {
  for (const line of [CONVERSATION_LINE, WAITING_LINE]) await pace.pause(line, CONVERSATION_PAUSE_MS);
}
