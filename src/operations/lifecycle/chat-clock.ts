import type { MovableClock, Time } from '../../chat/web/movable-clock.ts';
import type { Daily } from '../../daily/daily.ts';
import type { Store } from '../../store/types.ts';
import { outlook } from '../observability/outlook.ts';

const MINUTE = 60_000;
/** A week of one place with every step has about a hundred. */
const MOST_POSTS = 1000;

/** The local chat's time: moving it stops at every post on the way, as if one had waited for it. */
export function playTime(clock: MovableClock, daily: () => Daily | undefined, store: Store): Time {
  const next = async () => (await outlook(store, clock.now())).next?.at;

  async function post(): Promise<void> {
    await daily()?.tick();
    await daily()?.runDue();
  }

  return {
    now: () => clock.now(),
    next,
    async moveTo(moment) {
      for (let posts = 0; posts < MOST_POSTS; posts++) {
        const before = clock.now();
        const at = await next();
        if (at === undefined || at >= moment) break;
        // What is due and yet not posted, such as a step that waits for the newspaper, must not hold time up.
        clock.moveTo(at > before ? at : Math.min(moment, before + MINUTE));
        await post();
      }
      clock.moveTo(moment);
      await post();
    },
  };
}

/** The time as it is, for a chat beside doors where others are: it can't be moved. */
export function realTime(now: () => number, store: Store): Time {
  return { now, moveTo: async () => {}, next: async () => (await outlook(store, now())).next?.at };
}
