import { UserError } from '../../core/errors.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import { addDays } from '../../puzzle/calendar.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { heldBack, SKIPPED } from '../plan/plan.ts';
import { PRIORITY } from '../plan/priority.ts';
import { notifyQuietly } from '../suspension.ts';
import type { DeliveryAttempt, Ending } from './attempt.ts';
import { namedLacks, noBoardNotice } from './notices.ts';
import { unpin } from './pinned-puzzles.ts';
import { postKey } from './post-key.ts';
import { pinOf, postedOf } from './record.ts';

const MINUTE = 60_000;
/** Between looks for a board that could not be had; the newsstand asks the newspaper in its own rhythm. */
const LOOK_AGAIN = 2 * MINUTE;
const HELD_AGAIN = 5 * MINUTE;
/** Days looked back for the thread to close: a weekend off, or a week's holiday. */
const CLOSES_BACK = 8;

/** Posts the day's opening and the thread under it. */
export async function openDay(attempt: DeliveryAttempt): Promise<Ending> {
  const {
    tools,
    poster,
    spot: channel,
    day,
    place: subscription,
    settings,
    notebook,
    deliveries,
    claimed,
  } = attempt;
  const now = tools.now();
  if (now < day.span.from) return { end: 'later', at: day.span.from, reason: 'its puzzle is not out yet' };
  if (now >= day.span.to) return tooLate(attempt);
  const held = heldBack(subscription, now);
  if (held !== undefined) return { end: 'later', at: now + HELD_AGAIN, reason: SKIPPED[held] };
  const found = await findPuzzle(attempt);
  if ('end' in found) return found;
  await refuseLacking(attempt);
  if (!(await notebook.note({ puzzle: pinOf(found) }))) return { end: 'lost' };
  // From here on there may be a thread, and it will want the one before it closed.
  await planClosing(attempt);
  const reply = tools.messages.opening(found, day);
  if (!(await deliveries.renew(claimed.lease, tools.now() + tools.lease))) return { end: 'lost' };
  notebook.isPosting = true;
  const posted = await poster.open({
    channel,
    key: postKey(claimed.lease),
    reply,
    posted: postedOf(notebook.record),
    outcomeUnknown: claimed.delivery.outcomeUnknown,
    note: (noted) => notebook.note(noted),
    threadName: reply.title,
    ping: settings.ping,
  });
  return { end: 'sent', posted };
}

/** For one that was tried and failed to the end, the last failure is the reason. */
export function tooLate({ claimed: { delivery } }: DeliveryAttempt): Ending {
  if (delivery.attempts <= 1 && !delivery.outcomeUnknown) return { end: 'skipped', reason: SKIPPED.over };
  const last =
    delivery.reason ?? (delivery.outcomeUnknown ? 'the outcome of the last attempt is not known' : undefined);
  return { end: 'given-up', reason: last === undefined ? SKIPPED.over : `${SKIPPED.over}: ${last}` };
}

/** The puzzle to open with, or how the attempt ends without one. */
async function findPuzzle(attempt: DeliveryAttempt): Promise<Puzzle | Ending> {
  const { tools, claimed, spot: channel, date, settings, notebook } = attempt;
  const { puzzle: pin, message } = notebook.record;
  if (pin !== undefined && (claimed.delivery.outcomeUnknown || message !== undefined)) {
    return unpin(tools.store, pin);
  }
  try {
    const puzzle = await tools.puzzles.puzzleOf(date, channel);
    const isMeantime =
      puzzle.source === 'house' && settings.source === 'newspaper' && tools.source === 'newspaper';
    if (isMeantime && !(await isOutOfPatience(attempt)))
      return lookAgain(attempt, 'the newspaper has no board yet');
    return puzzle;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (await isOutOfPatience(attempt)) await tellOnce(attempt, error.message);
    return lookAgain(attempt, error.message);
  }
}

/** Patience begins with the first attempt, so a place that opens late after a downtime has it too. */
async function isOutOfPatience({ tools, notebook }: DeliveryAttempt): Promise<boolean> {
  const { waitsSince } = notebook.record;
  if (waitsSince !== undefined) return tools.now() >= waitsSince + tools.patience;
  await notebook.note({ waitsSince: tools.now() });
  return tools.patience <= 0;
}

async function tellOnce(
  { tools, poster, spot: channel, date, place: subscription, notebook }: DeliveryAttempt,
  reason: string,
): Promise<void> {
  if (notebook.record.told || subscription.setBy === null) return;
  if (!(await notebook.note({ told: true }))) return;
  await notifyQuietly(tools.log, poster, channel, subscription.setBy, noBoardNotice(date, reason));
}

function lookAgain({ tools }: DeliveryAttempt, reason: string): Ending {
  return { end: 'later', at: Math.ceil(tools.now() + LOOK_AGAIN * (1 + tools.random() / 4)), reason };
}

/** Asked before the first post of the day; what goes wrong with asking itself shows at posting. */
async function refuseLacking({ poster, spot: channel, tools }: DeliveryAttempt): Promise<void> {
  const lacks = await poster.missingRequirements(channel).catch((error: unknown) => {
    tools.log.warn({ ...channel, error: String(error) }, "a place's permissions can't be asked");
    return [];
  });
  if (lacks.length > 0) throw new PostFailure('refused', namedLacks(lacks), { missingRequirements: lacks });
}

/** The last thread before this one gets its last message. Planned again at each attempt, written once. */
async function planClosing({ tools, deliveries, spot: channelRef, date }: DeliveryAttempt): Promise<void> {
  for (let back = 1; back <= CLOSES_BACK; back++) {
    const before = addDays(date, -back);
    const opening = await deliveries.get(channelRef.channel, before, 'opening');
    if (opening?.state !== 'sent') continue;
    const { tenant, channel } = channelRef;
    await tools.store.allTenants.plan([
      { tenant, channel, date: before, step: 'closing', dueAt: tools.now(), priority: PRIORITY.closing },
    ]);
    return;
  }
}
