import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { HOUR } from '../core/clock.ts';
import { UserError, unlessMistake } from '../core/errors.ts';
import { PostFailure } from '../dispatch/poster.ts';
import { spanOf } from '../puzzle/calendar.ts';
import type { PuzzleService } from '../puzzle/service.ts';
import { boardKey, isSameBoard, type Puzzle } from '../puzzle/types.ts';
import { reminderReply } from '../reply/replies/reminder.ts';
import type { Reminder } from '../store/tables/reminders.ts';
import { type Attempt, beginPost, type Ending } from './delivery/deliver.ts';
import { type ClockTime, momentAt } from './settings/local-time.ts';

/** A reminder that is later than this is skipped, such as after a downtime. */
export const LATE_AFTER_MS = 2 * HOUR;

/**
 * The first moment after another at which clocks in a zone show a time. A time that daylight saving skips becomes the moment
 * right after the gap; one that occurs twice counts once.
 *
 * @example nextReminder('19:00', 'Europe/Berlin', Date.UTC(2026, 10, 20, 18)) // the next day's, since it is 19:00 there
 */
export function nextReminder(at: string, zone: string, after: number): number {
  let day = Temporal.Instant.fromEpochMilliseconds(Math.floor(after)).toZonedDateTimeISO(zone).toPlainDate();
  for (;;) {
    const moment = momentAt(day, at as ClockTime, zone);
    if (moment > after) return moment;
    day = day.add({ days: 1 });
  }
}

/** Reminders in a row without a move or a solved board in between, after which they end. */
export const MAX_IGNORED_REMINDERS = 5;

const DETAIL = v.object({ person: v.string() });

/** Sends one reminder to one person, if it still makes sense. */
export async function remind(attempt: Attempt, puzzles: PuzzleService): Promise<Ending> {
  const { tools, claimed } = attempt;
  const { tenant } = claimed.lease;
  const { person } = v.parse(DETAIL, claimed.delivery.detail);
  const { reminders } = tools.store.tenant(tenant);
  const reminder = await reminders.get(person);
  if (reminder?.state !== 'on') return { end: 'skipped', reason: { code: 'switched-off' } };
  try {
    return await remindPerson(attempt, puzzles, reminder);
  } catch (error) {
    if (!(error instanceof PostFailure && error.kind === 'refused')) throw error;
    tools.log.info({ tenant }, 'a person takes no messages any more: their reminder ends');
    await reminders.end(person, reminder.setAt, 'undeliverable');
    return { end: 'skipped', reason: { code: 'undeliverable' } };
  }
}

async function remindPerson(attempt: Attempt, puzzles: PuzzleService, reminder: Reminder): Promise<Ending> {
  const { tools, poster, claimed } = attempt;
  const { store } = tools;
  const { delivery } = claimed;
  const { tenant, person, channel, setAt } = reminder;
  const date = delivery.date;
  const now = tools.now();
  const { to } = spanOf(date);
  if (now >= Math.min(to, delivery.dueAt + LATE_AFTER_MS))
    return { end: 'skipped', reason: { code: 'puzzle-over' } };
  const since = Math.max(setAt, (await store.allPeople.lastPlayed(tenant, person)) ?? 0);
  const sent = await store.tenant(tenant).reminders.sentSince(person, since);
  if (sent >= MAX_IGNORED_REMINDERS) {
    await store.tenant(tenant).reminders.end(person, setAt, 'ignored');
    return { end: 'skipped', reason: { code: 'ignored' } };
  }
  // There is nothing to remind of if there is no board.
  const board = await puzzles.puzzleOf(date, { tenant, channel }).catch((error: unknown) => {
    if (error instanceof UserError) return error;
    throw error;
  });
  if (board instanceof UserError)
    return { end: 'skipped', reason: { code: 'no-puzzle', message: board.message } };
  const results = await store.allPeople.resultsOf(tenant, person, date);
  // Whoever solved another channel's board has played; a board that replaces theirs is one to solve.
  if (results.some((one) => !one.replaced || one.board === boardKey(board.board.sides)))
    return { end: 'skipped', reason: { code: 'solved' } };
  const reply = reminderReply({
    date,
    until: to,
    at: reminder.at,
    number: sent + 1,
    maxIgnored: MAX_IGNORED_REMINDERS,
    channel: (await isOnlyIn(attempt, puzzles, reminder, board)) ? channel : undefined,
  });
  const post = await beginPost(attempt, {
    channel: { tenant, channel },
    reply,
    quiet: false,
    question: null,
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
