import { THREAD_STEPS, type ThreadStep } from '../../reply/replies/board.ts';
import type { Reason } from '../../store/schema.ts';
import type { ClaimedDelivery, Delivery } from '../../store/tables/deliveries.ts';
import { recordOf } from '../day-thread.ts';
import type { DayAttempt, FoundPosts } from './deliver.ts';

/** Records the claimed steps that are in the thread already. Returns the others. */
export async function recordFoundSteps(
  { tools, deliveries }: DayAttempt,
  siblings: readonly ClaimedDelivery[],
  { posted }: FoundPosts,
): Promise<readonly ClaimedDelivery[]> {
  const left: ClaimedDelivery[] = [];
  for (const sibling of siblings) {
    const message = posted.get(sibling.lease.step);
    if (message === undefined) left.push(sibling);
    else await deliveries.markSent(sibling.lease, message, tools.now());
  }
  return left;
}

/** What a message of several steps is made from. */
interface MergeOptions {
  /** All deliveries of the day, claimed or not. */
  readonly rows: readonly Delivery[];
  /** Steps of the same day that this process claimed together with this one. */
  readonly siblings: readonly ClaimedDelivery[];
  readonly found: FoundPosts;
  readonly outcomeUnknown: boolean;
}

/** The other steps of this message; undefined when another process has taken the delivery. */
export async function mergeDueSteps(
  attempt: DayAttempt,
  { rows, siblings, found, outcomeUnknown }: MergeOptions,
): Promise<readonly ThreadStep[] | undefined> {
  const { tools, journal, deliveries, channel, date, day, step } = attempt;
  const now = tools.now();
  const { merged, message } = journal.record;
  if (merged !== undefined || message !== undefined || outcomeUnknown) {
    // A message that may have been sent already must not change.
    await releaseClaims(attempt, siblings, now);
    return THREAD_STEPS.filter((other) => merged?.includes(other));
  }
  const taken = [...siblings];
  for (const row of rows) {
    const isOpen =
      row.state === 'due' && row.nextAt <= now && row.step !== step && !found.posted.has(row.step);
    if (!isOpen) continue;
    const until = now + tools.lease;
    const other = await deliveries.claim(channel.channel, date, row.step, { owner: tools.owner, now, until });
    if (other !== undefined) taken.push(other);
  }
  /** Settings may have changed since a step was planned. */
  const isTimely = (other: string) => day.steps.some((known) => known.step === other && now < known.endsAt);
  const isFresh = ({ delivery }: ClaimedDelivery) =>
    isTimely(delivery.step) &&
    !delivery.outcomeUnknown &&
    !found.unknown.has(delivery.step) &&
    recordOf(delivery, tools.log).merged === undefined;
  const { fresh = [], other = [] } = Object.groupBy(taken, (one) => (isFresh(one) ? 'fresh' : 'other'));
  await releaseClaims(attempt, other, now);
  const steps = THREAD_STEPS.filter((other) => fresh.some(({ lease }) => lease.step === other));
  if (steps.length === 0) return [];
  if (!(await journal.save({ merged: steps }))) return undefined;
  for (const { lease } of fresh) await deliveries.skip(lease, mergedWith(step), now);
  return steps;
}

/** Makes them due again, unchanged: each gets an attempt of its own, which first reads what this message holds. */
export async function releaseClaims(
  { deliveries }: DayAttempt,
  claimed: readonly ClaimedDelivery[],
  now: number,
): Promise<void> {
  const reason: Reason = { code: 'waits-for-step' };
  for (const { lease, delivery } of claimed)
    await deliveries.retry(lease, now, { unknown: delivery.outcomeUnknown, reason });
}

export function mergedWith(step: string): Reason {
  return { code: 'merged', step };
}
