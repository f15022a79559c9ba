import * as v from 'valibot';
import { doorOf } from '../../core/channel-ref.ts';
import { UserError } from '../../core/errors.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import { spanOf } from '../../puzzle/calendar.ts';
import { isSameBoard, type Puzzle } from '../../puzzle/types.ts';
import { reminderReply } from '../../reply/replies/reminder.ts';
import type { Reminder } from '../../store/tables/reminders.ts';
import { type BegunAttempt, beginPost, type Ending } from '../delivery/attempt.ts';
import { later } from '../delivery/failures.ts';
import { isRestored } from '../delivery/look.ts';
import { logFault } from '../log-fault.ts';
import { LATEST } from './plan-reminders.ts';

/** Reminders in a row without a move or a solved board in between, after which they end. */
export const MOST_IGNORED = 5;

const DETAIL = v.object({ person: v.string() });

/** Sends one reminder to one person, if it still makes sense. */
export async function remind(begun: BegunAttempt): Promise<Ending> {
  const { tools, claimed } = begun;
  const { person } = v.parse(DETAIL, claimed.delivery.detail);
  const reminder = await tools.store.tenant(claimed.lease.tenant).reminders.get(person);
  if (reminder?.state !== 'on') return { end: 'skipped', reason: { code: 'switched-off' } };
  try {
    return await remindPerson(begun, reminder);
  } catch (error) {
    return endFor(begun, reminder, error);
  }
}

async function remindPerson(begun: BegunAttempt, reminder: Reminder): Promise<Ending> {
  const { tools, poster, claimed } = begun;
  const { store } = tools;
  const { delivery } = claimed;
  const { tenant, person, channel, setAt } = reminder;
  const door = doorOf(tenant);
  const date = delivery.date;
  const now = tools.now();
  const { to } = spanOf(date);
  if (now >= Math.min(to, delivery.dueAt + LATEST))
    return { end: 'skipped', reason: { code: 'puzzle-over' } };
  if ((await store.allPeople.resultsOf(door, person, date)).length > 0)
    return { end: 'skipped', reason: { code: 'solved' } };
  if ((await store.allPeople.holidaysOf(door, person)).includes(date))
    return { end: 'skipped', reason: { code: 'holiday' } };
  const since = Math.max(setAt, (await store.allPeople.lastPlayed(door, person)) ?? 0);
  const sent = await store.tenant(tenant).reminders.sentSince(person, since);
  if (sent.length >= MOST_IGNORED) {
    await store.tenant(tenant).reminders.end(person, setAt, 'ignored');
    return { end: 'skipped', reason: { code: 'ignored' } };
  }
  // Without a board there is nothing to remind of.
  const board = await tools.puzzles.puzzleOf(date, { tenant, channel }).catch((error: unknown) => {
    if (error instanceof UserError) return error;
    throw error;
  });
  if (board instanceof UserError)
    return { end: 'skipped', reason: { code: 'no-puzzle', message: board.message } };
  const reply = reminderReply({
    date,
    until: to,
    at: reminder.at,
    number: sent.length + 1,
    most: MOST_IGNORED,
    ...((await isOnlyIn(begun, reminder, board)) && { channel }),
  });
  const post = await beginPost({ ...begun, channel: { tenant, channel } }, reply);
  if (post === undefined) return { end: 'lost' };
  // A downtime leaves no doubt about a message; what a restored store lacks may have been sent.
  const outcomeUnknown = post.outcomeUnknown || isRestored(delivery, await tools.gaps());
  return { end: 'sent', posted: await poster.postPrivately({ ...post, outcomeUnknown, person }) };
}

/**
 * Whether a channel's board can be played only there: a private conversation has none of the channel's settings, and
 * its buttons open the board of a channel that chose nothing.
 */
async function isOnlyIn(
  { poster, tools: { store, puzzles } }: BegunAttempt,
  { tenant, channel, person }: Reminder,
  { date, board }: Puzzle,
): Promise<boolean> {
  if (poster.isPrivateInChannel) return false;
  if ((await store.tenant(tenant).subscriptions.get(channel)) === undefined) return false;
  const elsewhere = await puzzles.puzzleOf(date, { tenant, channel: person }).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  return elsewhere === undefined || !isSameBoard(elsewhere.board, board);
}

async function endFor(
  begun: BegunAttempt,
  { tenant, person, setAt }: Reminder,
  error: unknown,
): Promise<Ending> {
  const { tools, claimed, journal } = begun;
  const { date, attempt } = claimed.lease;
  const where = { tenant, date, attempt };
  if (!(error instanceof PostFailure)) {
    logFault(tools.log, error, where, 'a reminder failed unexpectedly');
    return later(begun, {
      reason: { code: 'unexpected' },
      unknown: journal.isPosting,
      retryAfter: undefined,
    });
  }
  const { kind, message, retryAfter } = error;
  const reason = { message } as const;
  switch (kind) {
    case 'later':
    case 'unknown': {
      const code = kind === 'unknown' ? 'no-answer' : 'postponed';
      return later(begun, { reason: { ...reason, code }, unknown: kind === 'unknown', retryAfter });
    }
    case 'refused':
      tools.log.info(where, 'a person takes no messages any more: their reminder ends');
      await tools.store.tenant(tenant).reminders.end(person, setAt, 'undeliverable');
      return { end: 'skipped', reason: { code: 'undeliverable' } };
    case 'removed':
    case 'invalid':
      return { end: 'given-up', reason: { ...reason, code: kind } };
  }
}
