import type { Posted } from '../../dispatch/poster.ts';
import { THREAD_STEPS, type ThreadStep } from '../../reply/replies/board.ts';
import type { Reason } from '../../store/schema.ts';
import type { ClaimedDelivery, Delivery } from '../../store/tables/deliveries.ts';
import { type PinnedPuzzle, postedOf, postKey, puzzleOfPin, recordOf } from '../day-thread.ts';
import { asOpened, type DaySchedule } from '../plan/schedule.ts';
import {
  type DayAttempt,
  endIfHeldBack,
  type FoundPosts,
  findUnrecordedPosts,
  threadIn,
  tooLateEnding,
} from './day-attempt.ts';
import { beginPost, type Ending } from './deliver.ts';
import { withNextStep } from './messages.ts';

/** Milliseconds between the next attempt at the opening and the next at a step that waits for its thread. */
const STEP_AFTER_OPENING_MS = 3_000;

/** Claimed steps of the same thread, by their names, until they are part of a message or of the thread. */
type OtherSteps = Map<string, ClaimedDelivery>;

/**
 * Posts a step in the day's thread, together with all others of the day that are due: after a downtime they make one
 * message. Before it is sent, the row records the other steps it contains and their rows are ended, so that no step is posted
 * twice, even if the process ends in between. Claimed steps that are not posted with it become due again, unchanged: each
 * gets an attempt of its own.
 */
export async function postSteps(
  attempt: DayAttempt,
  step: ThreadStep,
  siblings: readonly ClaimedDelivery[],
): Promise<Ending> {
  const { tools, deliveries, channel, date } = attempt;
  const others: OtherSteps = new Map(siblings.map((one) => [one.lease.step, one]));
  const rows = await deliveries.ofDay(channel.channel, date);
  const thread = findThread(attempt, step, rows);
  const ending = 'end' in thread ? thread : await postInThread({ ...attempt, ...thread }, step, rows, others);
  const reason: Reason = { code: 'waits-for-step' };
  for (const { lease, delivery } of others.values())
    await deliveries.retry(lease, tools.now(), { unknown: delivery.outcomeUnknown, reason });
  return ending;
}

/** A day's thread that is open, and its schedule since it was opened. */
interface OpenThread {
  readonly pin: PinnedPuzzle;
  readonly thread: Posted;
  readonly day: DaySchedule;
}

/** The thread in which a step is to be posted now; otherwise, how the attempt ends. */
function findThread(attempt: DayAttempt, step: ThreadStep, rows: readonly Delivery[]): OpenThread | Ending {
  const { tools } = attempt;
  const now = tools.now();
  const merging = rows.find((row) => row.step !== step && recordOf(row, tools.log).merged?.includes(step));
  if (merging !== undefined) return { end: 'skipped', reason: { code: 'merged', step: merging.step } };
  const opening = rows.find((row) => row.step === 'opening');
  const day = asOpened(attempt.day, opening?.doneAt ?? 0);
  const times = day.steps.find((known) => known.step === step);
  if (times === undefined) return { end: 'skipped', reason: { code: 'step-not-wanted' } };
  if (now >= times.endsAt) return tooLateEnding(attempt);
  if (opening === undefined || opening.state === 'given-up' || opening.state === 'skipped') {
    const reason: Reason = { code: 'thread-not-opened', opening: opening?.reason ?? undefined };
    return { end: 'skipped', reason };
  }
  if (opening.state !== 'sent') {
    const at = Math.max(now, opening.nextAt) + STEP_AFTER_OPENING_MS;
    return { end: 'later', at, reason: { code: 'thread-opening' } };
  }
  const held = endIfHeldBack(attempt, now);
  if (held !== undefined) return held;
  const { puzzle: pin, ...record } = recordOf(opening, tools.log);
  if (pin === undefined) throw new Error('an opening was sent without its puzzle written down');
  return { pin, thread: postedOf(record) ?? {}, day };
}

async function postInThread(
  attempt: DayAttempt & OpenThread,
  step: ThreadStep,
  rows: readonly Delivery[],
  others: OtherSteps,
): Promise<Ending> {
  const { tools, poster, channel, deliveries, claimed, settings, pin, thread, day } = attempt;
  const now = tools.now();
  const found = await findUnrecordedPosts(attempt, rows, { thread, since: day.opensAt });
  if (found === undefined) return { end: 'lost' };
  for (const [name, message] of found.posted) {
    const other = others.get(name);
    if (other === undefined) continue;
    await deliveries.markSent(other.lease, message, now);
    others.delete(name);
  }
  const posted = found.posted.get(step);
  if (posted !== undefined) return { end: 'sent', posted };
  const outcomeUnknown = claimed.delivery.outcomeUnknown || found.unknown.has(step);
  const merged = await mergeDueSteps(attempt, { rows, others, found, outcomeUnknown });
  if (merged === undefined) return { end: 'lost' };
  const puzzle = await puzzleOfPin(tools, pin);
  const steps = [step, ...merged];
  const { zone, coming } = threadIn(attempt, rows);
  const later = coming.filter((other) => !steps.includes(other.step));
  const reply = withNextStep(await tools.answerSteps(puzzle, steps), puzzle, { zone, coming: later }, now);
  const post = await beginPost(attempt, { channel, reply, quiet: settings.quiet, outcomeUnknown });
  if (post === undefined) return { end: 'lost' };
  const mergedKeys = merged.map((other) => postKey({ ...claimed.lease, step: other }));
  return { end: 'sent', posted: await poster.post({ ...post, mergedKeys, thread }) };
}

interface MergeOptions {
  readonly rows: readonly Delivery[];
  readonly others: OtherSteps;
  readonly found: FoundPosts;
  readonly outcomeUnknown: boolean;
}

/**
 * The other steps of this message. Claims those that are due, and ends the rows of all that go into it. Undefined when
 * another process has taken the delivery.
 */
async function mergeDueSteps(
  attempt: DayAttempt,
  { rows, others, found, outcomeUnknown }: MergeOptions,
): Promise<readonly ThreadStep[] | undefined> {
  const { tools, journal, deliveries, channel, date, day, step } = attempt;
  const { merged: before, message } = journal.record;
  // A message that may have been sent already must not change.
  if (before !== undefined || message !== undefined || outcomeUnknown)
    return THREAD_STEPS.filter((other) => before?.includes(other));
  const now = tools.now();
  for (const row of rows) {
    const isDue = row.state === 'due' && row.nextAt <= now && row.step !== step;
    if (!isDue || found.posted.has(row.step)) continue;
    const claim = { owner: tools.owner, now, until: now + tools.lease };
    const other = await deliveries.claim(channel.channel, date, row.step, claim);
    if (other !== undefined) others.set(row.step, other);
  }
  // Settings may have changed since a step was planned.
  const timely = day.steps.filter(({ endsAt }) => now < endsAt).map((known) => known.step);
  const merged = THREAD_STEPS.filter((name) => {
    const delivery = others.get(name)?.delivery;
    if (delivery === undefined || delivery.outcomeUnknown || found.unknown.has(name)) return false;
    return timely.includes(name) && recordOf(delivery, tools.log).merged === undefined;
  });
  if (merged.length > 0 && !(await journal.save({ merged }))) return undefined;
  for (const name of merged) {
    await deliveries.skip(others.get(name)!.lease, { code: 'merged', step }, now);
    others.delete(name);
  }
  return merged;
}
