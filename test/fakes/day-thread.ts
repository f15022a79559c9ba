/** The daily thread as tests of players meet it: its steps in the store, and a process that delivers. */
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import type { App } from '../../src/dispatch/contract.ts';
import type { Posted, Poster } from '../../src/dispatch/poster.ts';
import { playerHandlers } from '../../src/players/reviews.ts';
import type { Store } from '../../src/store/store.ts';
import type { DeliveryKey } from '../../src/store/tables/deliveries.ts';
import { testDaily } from '../daily/ground.ts';

export const DAY_THREAD: Posted = { message: 'opening-1', thread: 'thread-1' };

/** Stores a sent step of a channel and day, as the daily thread leaves it. */
export async function sendStep(
  store: Store,
  at: DeliveryKey,
  moment: number,
  posted: Posted = DAY_THREAD,
): Promise<void> {
  await store.allDeliveries.plan([{ ...at, dueAt: moment }]);
  const { deliveries } = store.tenant(at.tenant);
  const claim = { owner: 'test', now: moment, until: moment + 1 };
  const claimed = await deliveries.claim(at.channel, at.date, at.step, claim);
  await deliveries.markSent(claimed!.lease, posted, moment);
}

/** Delivers what is due by the app's clock, as a process does that posts with this poster. */
export function deliverDue(app: App, poster: Poster): Promise<void> {
  const { store, puzzles, log, clock } = app;
  return testDaily({
    store,
    puzzles,
    log,
    clock,
    posters: [poster],
    answerSteps: answerSteps(app),
    handlers: playerHandlers(app),
  }).runDue();
}
