import { randomUUID } from 'node:crypto';
import { MINUTE } from '../../core/clock.ts';
import type { App } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import type { ClaimedDelivery, Deliveries, Delivery, DeliveryKey } from '../../store/tables/deliveries.ts';
import {
  type BegunAttempt,
  type Deliverer,
  DeliveryJournal,
  type Ending,
  endFor,
  LEASE,
  type PostTools,
} from './attempt.ts';

/** Reported after each attempt, for metrics and logs. */
export interface DeliveryEvent {
  readonly delivery: Delivery;
  readonly ending: Ending;
  readonly at: number;
}

/** Steps of one channel and day that were claimed together, and so are posted together. */
export type ClaimedGroup = readonly [ClaimedDelivery, ...ClaimedDelivery[]];

/**
 * Works on a claimed delivery, with others that are posted together with it, until it is posted, postponed or ended, and
 * stores the result. Rejects only when the store fails: then the leases run out and they are claimed again.
 */
export async function deliver(
  tools: PostTools,
  poster: Poster,
  claimed: ClaimedGroup,
  attempt: Deliverer,
): Promise<DeliveryEvent> {
  const [{ lease, delivery }, ...siblings] = claimed;
  const { deliveries } = tools.store.tenant(lease.tenant);
  const stop = keepLeases(tools, deliveries, claimed);
  const journal = new DeliveryJournal(deliveries, claimed[0], tools.log);
  try {
    const begun = { tools, poster, claimed: claimed[0], deliveries, journal };
    const ending = await attempt(begun, siblings).catch((error: unknown) =>
      endFor(begun, error, async ({ message }) => ({
        end: 'given-up',
        reason: { code: 'refused', message },
      })),
    );
    const isOurs = await settle(begun, ending);
    return { delivery, ending: isOurs ? ending : { end: 'lost' }, at: tools.now() };
  } finally {
    stop();
  }
}

/**
 * Delivers one row for a request that waits for it, instead of leaving it to the queue. Undefined if it is not ready now,
 * or another process has it.
 */
export async function deliverNow(
  { store, log, clock }: Pick<App, 'store' | 'log' | 'clock'>,
  poster: Poster,
  { tenant, channel, date, step }: DeliveryKey,
  attempt: Deliverer,
  moment = clock.now(),
): Promise<Ending | undefined> {
  const owner = `request:${randomUUID()}`;
  const claim = { owner, now: moment, until: moment + LEASE };
  const claimed = await store.tenant(tenant).deliveries.claim(channel, date, step, claim);
  if (claimed === undefined) return undefined;
  const tools = { store, log, now: () => Math.floor(clock.now()), random: Math.random, owner, lease: LEASE };
  return (await deliver(tools, poster, [claimed], attempt)).ending;
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
    case 'moved':
      return deliveries.move(lease, ending.to);
    case 'lost':
      return false;
  }
}

/** Work that takes longer than this is stuck: its leases may run out. */
const LONGEST_WORK = 5 * MINUTE;

function keepLeases(tools: PostTools, deliveries: Deliveries, claimed: ClaimedGroup): () => void {
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
