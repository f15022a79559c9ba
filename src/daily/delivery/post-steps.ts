import { THREAD_STEPS, type ThreadStep } from '../../answers/thread-steps.ts';
import type { Reason } from '../../store/reasons.ts';
import type { ClaimedDelivery, Delivery } from '../../store/tables/deliveries.ts';
import { unpin } from '../day-thread.ts';
import { asOpened } from '../plan/schedule.ts';
import { beginPost, type DayAttempt, type Ending, endIfHeldBack, tooLate } from './attempt.ts';
import { type Found, lookFor } from './look.ts';
import { withNextStep } from './messages.ts';
import { postedOf, postKey, recordOf } from './record.ts';

/** Milliseconds between the next attempt at the opening and the next at a step, which needs its thread. */
const AFTER_OPENING = 3_000;

/**
 * Posts a step in the day's thread, together with all others of the day that are due: after a downtime
 * they make one message. Before it is sent, the row records the other steps it contains and their rows are
 * ended, so that no step is posted twice, even if the process ends in between.
 */
export async function postSteps(
  attempt: DayAttempt,
  step: ThreadStep,
  siblings: readonly ClaimedDelivery[],
): Promise<Ending> {
  const { tools, poster, channel, date, subscription, deliveries, claimed } = attempt;
  const now = tools.now();
  const rows = await deliveries.ofDay(channel.channel, date);
  const merging = rows.find((row) => row.step !== step && recordOf(row, tools.log).merged?.includes(step));
  const end = async (ending: Ending) => {
    await release(attempt, siblings, now);
    return ending;
  };
  if (merging !== undefined) return end({ end: 'skipped', reason: mergedWith(merging.step) });
  const opening = rows.find((row) => row.step === 'opening');
  const day = asOpened(attempt.day, opening?.doneAt ?? 0);
  const times = day.steps.find((known) => known.step === step);
  if (times === undefined) return end({ end: 'skipped', reason: { code: 'step-not-wanted' } });
  if (now >= times.endsAt) return end(tooLate(attempt));
  if (opening === undefined || opening.state === 'given-up' || opening.state === 'skipped') {
    const why = opening?.reason;
    return end({
      end: 'skipped',
      reason: { code: 'thread-not-opened', opening: why ?? undefined },
    });
  }
  if (opening.state !== 'sent') {
    return end({
      end: 'later',
      at: Math.max(now, opening.nextAt) + AFTER_OPENING,
      reason: { code: 'thread-opening' },
    });
  }
  const held = endIfHeldBack(subscription, now);
  if (held !== undefined) return end(held);
  const { puzzle: pin, ...thread } = recordOf(opening, tools.log);
  if (pin === undefined) throw new Error('an opening was sent without its puzzle written down');
  const found = await lookFor(attempt, rows, { thread: postedOf(thread) ?? {}, since: day.opensAt });
  if (found === undefined) return { end: 'lost' };
  const left = await settleFound(attempt, siblings, found);
  const posted = found.posted.get(step);
  if (posted !== undefined) {
    await release(attempt, left, now);
    return { end: 'sent', posted };
  }
  const outcomeUnknown = claimed.delivery.outcomeUnknown || found.unknown.has(step);
  const others = await gather({ ...attempt, day, rows, siblings: left, found, step, outcomeUnknown });
  if (others === undefined) return { end: 'lost' };
  const puzzle = await unpin(tools, pin);
  const reply = withNextStep(await tools.messages.steps(puzzle, [step, ...others]), puzzle, day, now);
  const post = await beginPost(attempt, { channel, reply, quiet: attempt.settings.quiet });
  if (post === undefined) return { end: 'lost' };
  const also = others.map((other) => postKey({ ...claimed.lease, step: other }));
  const sent = await poster.post({ ...post, also, outcomeUnknown, thread: postedOf(thread) ?? {} });
  return { end: 'sent', posted: sent };
}

/** Records the steps claimed together with this one that are in the thread already. Returns the others. */
async function settleFound(
  { tools, deliveries }: DayAttempt,
  siblings: readonly ClaimedDelivery[],
  { posted }: Found,
): Promise<readonly ClaimedDelivery[]> {
  const left: ClaimedDelivery[] = [];
  for (const sibling of siblings) {
    const message = posted.get(sibling.lease.step);
    if (message === undefined) left.push(sibling);
    else await deliveries.sent(sibling.lease, message, tools.now());
  }
  return left;
}

interface Gathering extends DayAttempt {
  readonly step: ThreadStep;
  readonly rows: readonly Delivery[];
  readonly siblings: readonly ClaimedDelivery[];
  readonly found: Found;
  readonly outcomeUnknown: boolean;
}

/** The other steps that this message contains; undefined when the delivery was lost meanwhile. */
async function gather(gathering: Gathering): Promise<readonly ThreadStep[] | undefined> {
  const { tools, journal, deliveries, channel, date, day, step, rows, siblings, found } = gathering;
  const now = tools.now();
  const { merged, message } = journal.record;
  if (merged !== undefined || message !== undefined || gathering.outcomeUnknown) {
    // A message that may have been sent already must not change.
    await release(gathering, siblings, now);
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
  /** Settings may have changed since it was planned. */
  const isTimely = (other: string) => day.steps.some((known) => known.step === other && now < known.endsAt);
  const isFresh = ({ delivery }: ClaimedDelivery) =>
    isTimely(delivery.step) &&
    !delivery.outcomeUnknown &&
    !found.unknown.has(delivery.step) &&
    recordOf(delivery, tools.log).merged === undefined;
  await release(
    gathering,
    taken.filter((other) => !isFresh(other)),
    now,
  );
  const fresh = taken.filter(isFresh);
  const steps = THREAD_STEPS.filter((other) => fresh.some(({ lease }) => lease.step === other));
  if (steps.length === 0) return [];
  if (!(await journal.note({ merged: steps }))) return undefined;
  for (const { lease } of fresh) {
    await deliveries.skip(lease, mergedWith(step), now);
  }
  return steps;
}

/** Makes them due again, unchanged. */
async function release(
  { deliveries }: DayAttempt,
  claimed: readonly ClaimedDelivery[],
  now: number,
): Promise<void> {
  for (const { lease, delivery } of claimed) {
    await deliveries.retry(lease, now, {
      unknown: delivery.outcomeUnknown,
      reason: { code: 'waits-for-step' },
    });
  }
}

function mergedWith(step: string): Reason {
  return { code: 'merged', step };
}
