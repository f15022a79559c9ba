import { MINUTE } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import { addDays } from '../../puzzle/calendar.ts';
import { NoPuzzle } from '../../puzzle/fetcher.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import type { Reason } from '../../store/reasons.ts';
import { unpin } from '../channel-puzzles.ts';
import { asOpened } from '../plan/schedule.ts';
import { describeReason, missingRequirements, noBoardNotice } from '../reasons.ts';
import { notifyQuietly } from '../suspension.ts';
import { beginPost, type DayAttempt, type Ending, endIfHeldBack, tooLate } from './attempt.ts';
import { lookFor } from './look.ts';
import { pinOf } from './record.ts';

/** Between attempts to get a board; the fetcher asks the newspaper at its own pace. */
const LOOK_AGAIN = 2 * MINUTE;
/** Days looked back for the thread to close: a weekend off, or a week's holiday. */
const CLOSES_BACK = 8;

/** Posts the day's opening and the thread under it. */
export async function openDay(attempt: DayAttempt): Promise<Ending> {
  const { tools, poster, day, subscription, settings, journal } = attempt;
  const now = tools.now();
  if (now < day.span.from) return { end: 'later', at: day.span.from, reason: { code: 'puzzle-not-out' } };
  if (now >= day.span.to) return tooLate(attempt);
  const held = endIfHeldBack(subscription, now);
  if (held !== undefined) return held;
  const found = await findPuzzle(attempt);
  if ('end' in found) return found;
  await refuseMissingRequirements(attempt);
  const { delivery } = attempt.claimed;
  const looked = await lookFor(attempt, [delivery], { since: delivery.dueAt });
  if (looked === undefined) return { end: 'lost' };
  if (!(await journal.note({ puzzle: pinOf(found) }))) return { end: 'lost' };
  // From here on there may be a thread, and then the one before it must be closed.
  await planClosing(attempt);
  const reply = tools.messages.opening(found, asOpened(day, now), now);
  const post = await beginPost(attempt, { channel: attempt.channel, reply, quiet: settings.quiet });
  if (post === undefined) return { end: 'lost' };
  const outcomeUnknown = post.outcomeUnknown || looked.unknown.has('opening');
  const threadName = reply.title;
  const posted = await poster.open({ ...post, outcomeUnknown, threadName, ping: settings.ping });
  return { end: 'sent', posted };
}

/** The puzzle to open with, or how the attempt ends without one. */
async function findPuzzle(attempt: DayAttempt): Promise<Puzzle | Ending> {
  const { tools, claimed, channel, date, settings, journal } = attempt;
  const { puzzle: pin, message } = journal.record;
  if (pin !== undefined && (claimed.delivery.outcomeUnknown || message !== undefined)) {
    return unpin(tools, pin);
  }
  try {
    const puzzle = await tools.puzzles.puzzleOf(date, channel);
    const isMeantime =
      puzzle.source === 'house' && settings.source === 'newspaper' && tools.source === 'newspaper';
    if (isMeantime && !(await isOutOfPatience(attempt)))
      return lookAgain(attempt, { code: 'newspaper-late' });
    return puzzle;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (await isOutOfPatience(attempt))
      await notifyOnce(attempt, error instanceof NoPuzzle ? error.why : error.message);
    return lookAgain(attempt, { code: 'no-puzzle', message: error.message });
  }
}

/** The wait begins with the first attempt, so a channel that opens late after a downtime waits too. */
async function isOutOfPatience({ tools, journal }: DayAttempt): Promise<boolean> {
  const { waitsSince } = journal.record;
  if (waitsSince !== undefined) return tools.now() >= waitsSince + tools.patience;
  await journal.note({ waitsSince: tools.now() });
  return tools.patience <= 0;
}

async function notifyOnce(
  { tools, poster, channel, date, subscription, journal }: DayAttempt,
  message: string,
): Promise<void> {
  if (journal.record.notified || subscription.setBy === null) return;
  if (!(await journal.note({ notified: true }))) return;
  const notice = noBoardNotice(channel, date, message);
  await notifyQuietly(tools.log, { poster, channel, person: subscription.setBy, notice });
}

function lookAgain({ tools }: DayAttempt, reason: Reason): Ending {
  return { end: 'later', at: Math.ceil(tools.now() + LOOK_AGAIN * (1 + tools.random() / 4)), reason };
}

/** Asked before the first post of the day. If asking itself fails, posting shows why. */
async function refuseMissingRequirements({ poster, channel, tools }: DayAttempt): Promise<void> {
  const missing = await poster.missingRequirements(channel).catch((error: unknown) => {
    tools.log.warn(
      { ...channel, error: String(error) },
      'the missing requirements of a channel could not be read',
    );
    return [];
  });
  if (missing.length > 0) {
    const message = describeReason(missingRequirements(missing));
    throw new PostFailure('refused', message, { missingRequirements: missing });
  }
}

/** The last thread before this one gets its last message. Planned again at each attempt, written once. */
async function planClosing(attempt: DayAttempt): Promise<void> {
  const { tools, deliveries, channel: ref, date, claimed, gaps } = attempt;
  // Where the opening may have been posted before, so may the closing.
  const isInGap = claimed.delivery.dueAt < gaps.gapUntil;
  const dueAt = isInGap ? claimed.delivery.dueAt : tools.now();
  for (let back = 1; back <= CLOSES_BACK; back++) {
    const before = addDays(date, -back);
    const opening = await deliveries.get(ref.channel, before, 'opening');
    if (opening?.state !== 'sent') continue;
    const { tenant, channel } = ref;
    await tools.store.allDeliveries.plan([{ tenant, channel, date: before, step: 'closing', dueAt }]);
    return;
  }
}
