import type { ClaimedDelivery, Delivery } from '../../store/types.ts';
import { heldBack, SKIPPED } from '../plan/plan.ts';
import { THREAD_STEPS, type ThreadStep } from '../types.ts';
import type { DeliveryAttempt, Ending } from './attempt.ts';
import { tooLate } from './open-day.ts';
import { unpin } from './pinned-puzzles.ts';
import { postKey } from './post-key.ts';
import { parseRecord, postedOf } from './record.ts';

const SECOND = 1_000;
const THREAD_AGAIN = 3 * SECOND;
const HELD_AGAIN = 5 * 60 * SECOND;

/**
 * Posts a step in the day's thread, together with all others of the day that are due: after a downtime
 * they make one message. Before it is sent the row names the steps it tells, and theirs are ended, so that
 * whatever happens then no step is told twice.
 */
export async function tellSteps(
  attempt: DeliveryAttempt,
  step: ThreadStep,
  siblings: readonly ClaimedDelivery[],
): Promise<Ending> {
  const {
    tools,
    poster,
    spot: channel,
    date,
    day,
    place: subscription,
    notebook,
    deliveries,
    claimed,
  } = attempt;
  const now = tools.now();
  const rows = await deliveries.ofDay(channel.channel, date);
  const teller = rows.find((row) => row.step !== step && parseRecord(row.posted).merged?.includes(step));
  const release = () => letGo(attempt, siblings, now);
  const end = async (ending: Ending) => {
    await release();
    return ending;
  };
  if (teller !== undefined) return end(toldWith(teller.step));
  const opening = rows.find((row) => row.step === 'opening');
  const times = day.steps.find((known) => known.step === step);
  if (times === undefined) return end({ end: 'skipped', reason: 'the settings no longer ask for it' });
  if (now >= times.endsAt) return end(tooLate(attempt));
  if (opening === undefined || opening.state === 'given-up' || opening.state === 'skipped') {
    const why = opening?.reason;
    return end({ end: 'skipped', reason: `${SKIPPED.unthreaded}${why == null ? '' : `: ${why}`}` });
  }
  if (opening.state !== 'sent') {
    return end({
      end: 'later',
      at: Math.max(now, opening.nextAt) + THREAD_AGAIN,
      reason: 'its thread is being opened',
    });
  }
  const held = heldBack(subscription, now);
  if (held !== undefined) return end({ end: 'later', at: now + HELD_AGAIN, reason: SKIPPED[held] });
  const { puzzle: pin, ...thread } = parseRecord(opening.posted);
  if (pin === undefined) throw new Error('an opening was sent without its puzzle written down');
  const others = await gather(attempt, step, rows, siblings);
  if (others === undefined) return { end: 'lost' };
  const reply = await tools.messages.steps(await unpin(tools.store, pin), [step, ...others]);
  if (!(await deliveries.renew(claimed.lease, tools.now() + tools.lease))) return { end: 'lost' };
  notebook.isPosting = true;
  const posted = await poster.post({
    channel,
    key: postKey(claimed.lease),
    reply,
    posted: postedOf(notebook.record),
    outcomeUnknown: claimed.delivery.outcomeUnknown,
    note: (noted) => notebook.note(noted),
    thread: postedOf(thread) ?? {},
  });
  return { end: 'sent', posted };
}

/** The other steps that this message tells; undefined when the delivery was lost meanwhile. */
async function gather(
  attempt: DeliveryAttempt,
  step: ThreadStep,
  rows: readonly Delivery[],
  siblings: readonly ClaimedDelivery[],
): Promise<readonly ThreadStep[] | undefined> {
  const { tools, notebook, deliveries, claimed, spot: channel, date, day } = attempt;
  const now = tools.now();
  const { merged, message } = notebook.record;
  if (merged !== undefined || message !== undefined || claimed.delivery.outcomeUnknown) {
    // What was sent perhaps already must not change.
    await letGo(attempt, siblings, now);
    return THREAD_STEPS.filter((other) => merged?.includes(other));
  }
  const taken = [...siblings];
  for (const row of rows) {
    const isOpen = row.state === 'due' && row.nextAt <= now && row.step !== step;
    const isTimely = day.steps.some((known) => known.step === row.step && now < known.endsAt);
    if (!isOpen || !isTimely) continue;
    const until = now + tools.lease;
    const other = await deliveries.claim(channel.channel, date, row.step, { owner: tools.owner, now, until });
    if (other !== undefined) taken.push(other);
  }
  const isFresh = ({ delivery }: ClaimedDelivery) =>
    !delivery.outcomeUnknown && parseRecord(delivery.posted).merged === undefined;
  await letGo(
    attempt,
    taken.filter((other) => !isFresh(other)),
    now,
  );
  const fresh = taken.filter(isFresh);
  const steps = THREAD_STEPS.filter((other) => fresh.some(({ lease }) => lease.step === other));
  if (steps.length === 0) return [];
  if (!(await notebook.note({ merged: steps }))) return undefined;
  for (const { lease } of fresh) {
    await deliveries.skip(lease, toldWith(step).reason, now);
  }
  return steps;
}

/** Back to where they were, for whoever comes next. */
async function letGo(
  { deliveries }: DeliveryAttempt,
  claimed: readonly ClaimedDelivery[],
  now: number,
): Promise<void> {
  for (const { lease, delivery } of claimed) {
    await deliveries.retry(lease, now, {
      unknown: delivery.outcomeUnknown,
      reason: 'waits for another step',
    });
  }
}

function toldWith(step: string) {
  return { end: 'skipped', reason: `told in one message with ${step}` } as const;
}
