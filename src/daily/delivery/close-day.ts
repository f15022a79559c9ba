import { DAY, type PuzzleDate } from '../../core/clock.ts';
import type { Posted } from '../../dispatch/poster.ts';
import { addDays, dateAt, firstOfMonth } from '../../puzzle/calendar.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { unpin } from '../channel-puzzles.ts';
import { beginPost, type DayAttempt, type Ending } from './attempt.ts';
import { lookFor } from './look.ts';
import { type PinnedPuzzle, postedOf, postKey, recordOf } from './record.ts';

/**
 * Ends a day's thread once the next one is open: the message in the channel stops inviting people to the day, a last
 * message in the thread says how it went, and the thread is archived.
 */
export async function closeDay(attempt: DayAttempt): Promise<Ending> {
  const { tools, poster, channel, date, deliveries } = attempt;
  const now = tools.now();
  if (now >= attempt.day.closesAt + STALE) return { end: 'skipped', reason: { code: 'thread-too-old' } };
  const opening = await deliveries.get(channel.channel, date, 'opening');
  const { puzzle: pin, ...sent } = opening?.state === 'sent' ? recordOf(opening, tools.log) : {};
  const thread = postedOf(sent);
  if (thread === undefined) return { end: 'skipped', reason: { code: 'no-thread' } };
  const { delivery } = attempt.claimed;
  const looked = await lookFor(attempt, [delivery], { thread, since: delivery.dueAt });
  if (looked === undefined) return { end: 'lost' };
  const puzzle = pin && (await unpinQuietly(attempt, pin));
  const { settings } = attempt;
  const review = await tools.dayReview?.({
    ...channel,
    date,
    ...(puzzle !== undefined && { puzzle }),
    settings,
    now,
    months: await monthsToReview(attempt, now),
  });
  const post = await beginPost(attempt, {
    channel,
    reply: tools.messages.closing(date, review),
    quiet: settings.quiet,
  });
  if (post === undefined) return { end: 'lost' };
  if (puzzle !== undefined) await editOpening(attempt, thread, puzzle);
  const posted = await poster.post({
    ...post,
    outcomeUnknown: post.outcomeUnknown || looked.unknown.has('closing'),
    thread,
  });
  await poster.archive(channel, thread).catch((error: unknown) => {
    tools.log.info({ ...channel, date, error: String(error) }, 'a thread could not be archived');
  });
  return { end: 'sent', posted };
}

/**
 * The months that the closing of a day reviews, each by one of its dates: the day's own if that is over and had no later
 * thread, and the one before it if the last thread of that was never closed, as where the daily thread was switched off
 * meanwhile. It follows from rows that no longer change, so each month is reviewed once, whichever attempt posts it.
 */
async function monthsToReview(
  { deliveries, channel: { channel }, date }: DayAttempt,
  now: number,
): Promise<readonly PuzzleDate[]> {
  const months: PuzzleDate[] = [];
  const monthStart = firstOfMonth(date);
  const [before] = await deliveries.datesOf(channel, 'opening', date, 1);
  if (before !== undefined && firstOfMonth(before) === firstOfMonth(addDays(monthStart, -1))) {
    const closing = await deliveries.get(channel, before, 'closing');
    const wasLeftOut = closing?.state === 'skipped' || closing?.state === 'given-up';
    if (closing === undefined || (wasLeftOut && !closing.outcomeUnknown)) months.push(before);
  }
  const nextMonth = firstOfMonth(addDays(monthStart, 31));
  const [last] = await deliveries.datesOf(channel, 'opening', nextMonth, 1);
  return last === date && dateAt(now) >= nextMonth ? [...months, date] : months;
}

/** The day's puzzle; undefined where it can't be found any more, which must not stop the closing. */
async function unpinQuietly(
  { tools, channel, date }: DayAttempt,
  pin: PinnedPuzzle,
): Promise<Puzzle | undefined> {
  try {
    return await unpin(tools, pin);
  } catch (error) {
    tools.log.info({ ...channel, date, error: String(error) }, "a past day's puzzle could not be read");
    return undefined;
  }
}

/** Best effort, and harmless when it is done again: a message that people have deleted must not stop the closing. */
async function editOpening(
  { tools, poster, channel, date }: DayAttempt,
  opening: Posted,
  puzzle: Puzzle,
): Promise<void> {
  try {
    const key = postKey({ ...channel, date, step: 'opening' });
    await poster.edit(channel, opening, tools.messages.over(puzzle), key);
  } catch (error) {
    tools.log.info({ ...channel, date, error: String(error) }, "a past day's message could not be changed");
  }
}

/** Closing a thread that people have forgotten would only bring it up again. */
const STALE = 9 * DAY;
