import { Temporal } from 'temporal-polyfill';
import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** For longer than that, people switch the thread off. */
const LONGEST_DAYS = 400;

/**
 * Reads when a pause ends: a date, a weekday or `tomorrow` (from its first minute in the channel's zone), or a
 * while such as `3 days`, `2 weeks` or `6 hours`.
 *
 * @example readUntil('2026-12-27', 'Europe/Berlin', now)
 */
export function readUntil(text: string, zone: string, now: number): number {
  const typed = text.trim().toLowerCase();
  const here = Temporal.Instant.fromEpochMilliseconds(Math.floor(now)).toZonedDateTimeISO(zone);
  const until = readWhile(typed, here) ?? readDay(typed, here.toPlainDate())?.toZonedDateTime(zone);
  if (until === undefined) {
    throw new UserError(
      'daily.until',
      `A pause can’t end at "${clip(text)}". Type a date like ${here.toPlainDate().add({ days: 7 })}, a weekday, or 3 days.`,
    );
  }
  const moment = until.epochMilliseconds;
  if (moment <= now) throw new UserError('daily.until', `${clip(text)} is in the past. Type a time to come.`);
  if (moment > here.add({ days: LONGEST_DAYS }).epochMilliseconds) {
    throw new UserError(
      'daily.until',
      'That is more than a year away. Type daily off instead, and daily on when you want it back.',
    );
  }
  return moment;
}

function readWhile(typed: string, here: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined {
  const [, count, unit] = /^(\d{1,4})\s*(hour|day|week|h|d|w)s?$/.exec(typed) ?? [];
  if (count === undefined) return undefined;
  const name = unit?.startsWith('h') ? 'hours' : unit?.startsWith('d') ? 'days' : 'weeks';
  return here.add({ [name]: Number(count) });
}

function readDay(typed: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined {
  if (typed === 'tomorrow') return today.add({ days: 1 });
  const weekday = typed.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(typed));
  if (weekday >= 0) return today.add({ days: ((weekday + 1 - today.dayOfWeek + 6) % 7) + 1 });
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed)) return undefined;
  try {
    return Temporal.PlainDate.from(typed);
  } catch {
    return undefined;
  }
}
