import { REMINDER_KIND } from '../core/channel-ref.ts';
import { HOUR, type PuzzleDate } from '../core/clock.ts';
import { UserError, unlessMistake } from '../core/errors.ts';
import { PostFailure } from '../dispatch/poster.ts';
import { addDays, dateAt, spanOf } from '../puzzle/calendar.ts';
import type { PuzzleService } from '../puzzle/service.ts';
import { boardKey, isSameBoard, type Puzzle } from '../puzzle/types.ts';
import { reminderReply } from '../reply/replies/reminder.ts';
import type { Reason } from '../store/schema.ts';
import { type Reminder, reminderOf } from '../store/tables/reminders.ts';
import { postKey, type StepEnd } from './day-thread.ts';
import {
  type Attempt,
  beginPost,
  type Delivered,
  type Ending,
  endingOfError,
  retryForBoard,
} from './delivery/deliver.ts';
import { type ClockTime, dateThere, momentAt } from './settings/local-time.ts';

/** A reminder that is later than this is skipped, such as after a downtime. */
const LATE_AFTER_MS = 2 * HOUR;

/**
 * The first moment after another at which clocks in a zone show a time. A time that daylight saving skips becomes the moment
 * right after the gap; one that occurs twice counts once.
 *
 * @param without days of which it does not remind again
 * @example nextReminder('19:00', 'Europe/Berlin', Date.UTC(2026, 10, 20, 18)) // the next day's, since it is 19:00 there
 */
export function nextReminder(
  at: string,
  zone: string,
  after: number,
  without: readonly string[] = [],
): number {
  for (let day = dateThere(after, zone); ; day = addDays(day, 1)) {
    const moment = momentAt(day, at as ClockTime, zone);
    if (moment > after && !without.includes(dateAt(moment))) return moment;
  }
}

/** Reminders in a row without a move or a solved board in between, after which they end. */
export const MAX_IGNORED_REMINDERS = 5;

/** The reasons after which a reminder waits until its person sets it again, or the bot is back. */
const WAITS_AFTER: readonly Reason['code'][] = ['ignored', 'undeliverable', 'removed'];

/**
 * Reminds one person, if that still makes sense, and schedules the next day's reminder. The row is like that of a day, with
 * the dates of puzzles as its steps: `ends` has the last ones of which it reminded, or may have.
 */
export async function remind(attempt: Attempt, puzzles: PuzzleService): Promise<Ending | Delivered> {
  const { tools, claimed } = attempt;
  const { dueAt, begun } = claimed.delivery;
  const { ends = {}, posting = [] } = claimed.record;
  const reminder = reminderOf(claimed.delivery);
  const next = (after: number) => nextReminder(reminder.at, reminder.zone, after, reminder.days);
  const date = dateAt(dueAt);
  // The clock was set back, the reminder was just set, so it was due, or clocks change: this puzzle has two of its moments.
  if (dueAt > tools.now() || next(dueAt - 1) !== dueAt)
    return { end: 'moved', to: next(Math.min(dueAt, tools.now())) };
  const ending = await remindOf(date, attempt, reminder, puzzles).catch((error: unknown): Ending => {
    if (!(error instanceof PostFailure && error.kind === 'refused')) return endingOfError(attempt, error);
    tools.log.info({ tenant: reminder.tenant }, 'a person takes no messages any more: their reminder ends');
    return { end: 'skipped', reason: { code: 'undeliverable' } };
  });
  if (ending.end === 'later' || ending.end === 'moved') return ending;
  const at = tools.now();
  const { message } = ending.end === 'sent' ? ending.posted : {};
  const end: StepEnd = { state: ending.end, at, ...(message !== undefined && { message }) };
  const mayBeThere = ending.end === 'sent' || (begun && posting.includes(date));
  const kept = Object.entries(mayBeThere ? { ...ends, [date]: end } : ends).slice(-MAX_IGNORED_REMINDERS);
  const record = { ends: Object.fromEntries(kept) };
  const hasEnded = ending.end === 'skipped' && WAITS_AFTER.includes(ending.reason.code);
  const to = next(at);
  return {
    ending,
    steps: [REMINDER_KIND],
    settled: hasEnded
      ? { state: 'waiting', reason: ending.reason, record }
      : { state: 'due', dueAt: to, nextAt: to, record },
  };
}

async function remindOf(
  date: PuzzleDate,
  attempt: Attempt,
  reminder: Reminder,
  puzzles: PuzzleService,
): Promise<Ending> {
  const { tools, poster, claimed } = attempt;
  const { store } = tools;
  const { tenant, person, channel, setAt } = reminder;
  const { dueAt } = claimed.delivery;
  const now = tools.now();
  const { to } = spanOf(date);
  const skipped = (reason: Reason) => ({ end: 'skipped', reason }) as const;
  if (now >= Math.min(to, dueAt + LATE_AFTER_MS)) return skipped({ code: 'puzzle-over' });
  if (await store.tenant(tenant).isRemoved())
    return skipped({ code: 'removed', message: 'the bot is not there' });
  const since = Math.max(setAt, (await store.allPeople.lastPlayed(tenant, person)) ?? 0);
  const sent = Object.values(claimed.record.ends ?? {}).filter(({ at }) => at > since).length;
  if (sent >= MAX_IGNORED_REMINDERS) return skipped({ code: 'ignored' });
  // There is nothing to remind of until there is a board.
  const puzzle = await puzzles.puzzleOf(date, { tenant, channel }).catch((error: unknown) => {
    if (error instanceof UserError) return error;
    throw error;
  });
  if (puzzle instanceof UserError) {
    const reason: Reason = { code: 'no-puzzle', message: puzzle.message };
    return puzzle.code === 'puzzle.off' ? skipped(reason) : retryForBoard(attempt, reason);
  }
  const results = await store.allPeople.resultsOf(tenant, person, date);
  // A result on another channel's board counts, too; one on a board that was replaced does not, unless it is this board.
  if (results.some((one) => !one.replaced || one.board === boardKey(puzzle.board.sides)))
    return skipped({ code: 'solved' });
  const reply = reminderReply({
    date,
    until: to,
    at: reminder.at,
    number: sent + 1,
    maxIgnored: MAX_IGNORED_REMINDERS,
    channel: (await isOnlyIn(attempt, puzzles, reminder, puzzle)) ? channel : undefined,
  });
  const post = await beginPost(attempt, {
    channel: { tenant, channel },
    reply,
    quiet: false,
    question: null,
    key: postKey({ ...claimed.lease, date, step: REMINDER_KIND }),
    note: { posting: [date] },
    isOneOfMany: true,
  });
  return { end: 'sent', posted: await poster.postPrivately({ ...post, person }) };
}

/**
 * Whether a channel's board can be played only in the channel: a private conversation has none of its settings, and buttons
 * there open the board of a channel that chose nothing.
 */
async function isOnlyIn(
  { poster, tools: { store } }: Attempt,
  puzzles: PuzzleService,
  { tenant, channel, person }: Reminder,
  { date, board }: Puzzle,
): Promise<boolean> {
  if (poster.isPrivateInChannel) return false;
  if ((await store.tenant(tenant).subscriptions.get(channel)) === undefined) return false;
  const elsewhere = await unlessMistake(puzzles.puzzleOf(date, { tenant, channel: person }));
  return elsewhere === undefined || !isSameBoard(elsewhere.board, board);
}
