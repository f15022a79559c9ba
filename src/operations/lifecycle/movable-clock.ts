import type { ChatClock } from '../../chat/web/routes.ts';
import { type Clock, MINUTE } from '../../core/clock.ts';
import type { Daily } from '../../daily/daily.ts';
import type { App } from '../../dispatch/contract.ts';
import { outlook } from '../observability/outlook.ts';

/** A week of one channel with every step has about a hundred posts, and each minute of waiting for one is a stop, too. */
const MAX_STOPS_PER_TIME_MOVE = 1000;

/** A clock that runs as the machine's does but can be moved forward, so that a day passes in a minute. */
export class MovableClock implements Clock {
  readonly #now: () => number;
  #ahead = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  now(): number {
    return this.#now() + this.#ahead;
  }

  /** Time never moves back: a message can't be unposted. */
  moveTo(moment: number): void {
    this.#ahead += Math.max(0, moment - this.now());
  }
}

/** The local chat's time: moving it stops at every post on the way, as if the time had passed. */
export function movableTime(
  clock: MovableClock,
  daily: () => Daily | undefined,
  { store, log }: Pick<App, 'store' | 'log'>,
): ChatClock {
  const next = async () => (await outlook(store, clock.now(), log)).next?.at;

  async function post(): Promise<void> {
    await daily()?.tick();
    await daily()?.runDue();
  }

  return {
    now: () => clock.now(),
    next,
    async moveTo(moment) {
      for (let stops = 0; stops < MAX_STOPS_PER_TIME_MOVE; stops++) {
        const before = clock.now();
        const at = await next();
        if (at === undefined || at >= moment) break;
        // A step that is due but can't be posted yet, such as one waiting for the newspaper, must not stop the clock.
        clock.moveTo(at > before ? at : Math.min(moment, before + MINUTE));
        await post();
      }
      clock.moveTo(moment);
      await post();
    },
  };
}

/** The real time, for a chat beside doors that other people use: nobody can move it. */
export function realTime({ clock, store, log }: Pick<App, 'clock' | 'store' | 'log'>): ChatClock {
  const now = () => clock.now();
  const next = async () => (await outlook(store, now(), log)).next?.at;
  return { now, moveTo: async () => {}, next };
}
