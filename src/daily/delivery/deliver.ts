import { MINUTE } from '../../core/clock.ts';
import type { Poster } from '../../dispatch/poster.ts';
import type { Deliveries } from '../../store/tables/deliveries.ts';
import type { ClaimedDelivery, Delivery } from '../../store/tables/delivery-row.ts';
import { REMINDER_STEP } from '../../store/tables/reminders.ts';
import { remind } from '../reminders/remind.ts';
import { parseStored } from '../settings/settings.ts';
import type { DayStep } from '../types.ts';
import {
  type BegunAttempt,
  type DeliverTools,
  type DeliveryAttempt,
  DeliveryJournal,
  type Ending,
} from './attempt.ts';
import { closeDay } from './close-day.ts';
import { endFor } from './failures.ts';
import { openDay } from './open-day.ts';
import { postSteps } from './post-steps.ts';

/** Reported after each attempt, for metrics and logs. */
export interface DeliveryEvent {
  readonly delivery: Delivery;
  readonly ending: Ending;
  readonly at: number;
}

/** Steps of one channel and day that were claimed together, and so are posted together. */
export type ClaimedGroup = readonly [ClaimedDelivery, ...ClaimedDelivery[]];

/**
 * Works on claimed deliveries of one channel and day until they are posted, postponed or ended, and stores
 * the result. Rejects only when the store fails: then the leases run out and they are claimed again.
 */
export async function deliver(
  tools: DeliverTools,
  poster: Poster,
  claimed: ClaimedGroup,
): Promise<DeliveryEvent[]> {
  const [{ lease, delivery }, ...siblings] = claimed;
  const { deliveries } = tools.store.tenant(lease.tenant);
  const stop = keepLeases(tools, deliveries, claimed);
  const journal = new DeliveryJournal(deliveries, claimed[0], tools.log);
  try {
    const begun = { tools, poster, claimed: claimed[0], deliveries, journal };
    const ending = await attempt(begun, siblings);
    const isOurs = await settle(begun, ending);
    return [{ delivery, ending: isOurs ? ending : { end: 'lost' }, at: tools.now() }];
  } finally {
    stop();
  }
}

async function attempt(begun: BegunAttempt, siblings: readonly ClaimedDelivery[]): Promise<Ending> {
  const { tools, claimed } = begun;
  if (claimed.lease.step === REMINDER_STEP) return remind(begun);
  const { tenant, channel, date } = claimed.lease;
  const step = claimed.lease.step as DayStep;
  const subscription = await tools.store.tenant(tenant).subscriptions.get(channel);
  if (subscription === undefined || subscription.state === 'off') {
    return { end: 'skipped', reason: { code: 'switched-off' } };
  }
  const settings = parseStored(subscription.settings);
  const day = tools.schedules.of(settings, date);
  const made: DeliveryAttempt = {
    ...begun,
    channel: { tenant, channel },
    date,
    step,
    subscription,
    settings,
    day,
    gaps: await tools.gaps(),
  };
  const ending = await post(made, siblings).catch((error: unknown) => endFor(made, error));
  const wasStopped = subscription.state === 'active' && subscription.reason !== null;
  if (wasStopped && ending.end === 'sent') await tools.store.tenant(tenant).subscriptions.posted(channel);
  return ending;
}

async function post(attempt: DeliveryAttempt, siblings: readonly ClaimedDelivery[]): Promise<Ending> {
  if (attempt.step === 'opening') return openDay(attempt);
  if (attempt.step === 'closing') return closeDay(attempt);
  return postSteps(attempt, attempt.step, siblings);
}

async function settle(
  { tools, claimed, deliveries, journal }: BegunAttempt,
  ending: Ending,
): Promise<boolean> {
  const { lease, delivery } = claimed;
  const now = tools.now();
  switch (ending.end) {
    case 'sent':
      return deliveries.sent(lease, { ...journal.record, ...ending.posted }, now);
    case 'skipped':
      return deliveries.skip(lease, ending.reason, now);
    case 'given-up':
      return deliveries.giveUp(lease, ending.reason, now);
    case 'later': {
      // Once unknown, always looked for: this attempt may have failed before it could look.
      const unknown = delivery.outcomeUnknown || ending.unknown === true;
      return deliveries.retry(lease, ending.at, { unknown, reason: ending.reason });
    }
    case 'lost':
      return false;
  }
}

/** Work that takes longer than this is stuck: its leases may run out. */
const LONGEST_WORK = 5 * MINUTE;

function keepLeases(tools: DeliverTools, deliveries: Deliveries, claimed: ClaimedGroup): () => void {
  let renewals = Math.ceil(LONGEST_WORK / tools.lease) * 3;
  const timer = setInterval(() => {
    if (renewals-- <= 0) return clearInterval(timer);
    for (const { lease } of claimed) {
      deliveries.renew(lease, tools.now() + tools.lease).catch((error: unknown) => {
        tools.log.warn({ ...lease, error: String(error) }, 'a lease could not be renewed');
      });
    }
  }, tools.lease / 3);
  timer.unref();
  return () => clearInterval(timer);
}
