import type { Posted } from '../../src/dispatch/poster.ts';
import type { Store } from '../../src/store/store.ts';
import type { DeliveryKey } from '../../src/store/tables/deliveries.ts';

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
