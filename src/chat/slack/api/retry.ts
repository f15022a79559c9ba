import { type Backoff, pauseAfter } from '../../../core/backoff.ts';
import { readFailure } from './errors.ts';

const MAX_ATTEMPTS = 4;
const RETRY: Backoff = { pauses: [500], jitter: 0 };
/** Milliseconds. After a longer pause nobody waits for the answer any more. */
const MAX_PAUSE = 20_000;

/** Sends something to a person, and again only when it was certainly not sent. */
export async function retrying<Answer>(
  send: () => Promise<Answer>,
  sleep: (milliseconds: number) => Promise<unknown>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const failure = readFailure(error);
      if (attempt >= MAX_ATTEMPTS || (failure.kind !== 'limited' && failure.kind !== 'unsent')) throw error;
      const retryAfter = failure.kind === 'limited' ? failure.retryAfter : undefined;
      const pause = pauseAfter({ failures: attempt, random: Math.random, retryAfter }, RETRY);
      if (pause > MAX_PAUSE) throw error;
      await sleep(pause);
    }
  }
}
