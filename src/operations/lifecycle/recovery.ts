import type { Outage } from '../../chat/outage.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import type { Poster } from '../../dispatch/poster.ts';

/** Milliseconds between two looks whether a platform can be reached again. */
const LOOK_INTERVAL_MS = 10 * SECOND;
const MAX_PAUSE_MS = 10 * MINUTE;

/**
 * Looks every ten seconds, while posts at a door fail, whether its platform can be reached again: the posts themselves are
 * tried ever more rarely, and would come minutes after the end of an outage. Where the platform answers and posts fail all
 * the same, they are tried again ever more rarely, too.
 *
 * @param retry tries the posts again that wait; never rejects
 * @returns what ends it
 */
export function watchRecovery(
  poster: Pick<Poster, 'reach'>,
  outage: Pick<Outage, 'since'>,
  retry: () => Promise<void>,
): () => void {
  let known: number | undefined;
  let pause = 0;
  let nextAt = 0;
  let isLooking = false;
  const look = async () => {
    const { since } = outage;
    if (since === undefined || isLooking || poster.reach === undefined) return;
    if (since !== known) {
      pause = 0;
      nextAt = 0;
    }
    known = since;
    if (performance.now() < nextAt) return;
    isLooking = true;
    try {
      await poster.reach();
      // A success of a post ends the outage; an answer to this does not show that posts work.
      pause = Math.min(Math.max(LOOK_INTERVAL_MS, 2 * pause), MAX_PAUSE_MS);
      nextAt = performance.now() + pause;
      await retry();
    } catch {
      // Still out of reach, which the outage tells.
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(look, LOOK_INTERVAL_MS);
  return () => clearInterval(timer);
}
