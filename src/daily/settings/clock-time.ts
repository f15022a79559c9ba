import { Temporal } from 'temporal-polyfill';
import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import type { ClockTime } from '../types.ts';

const TYPED = /^(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm)?$/;

/**
 * Reads a time of day: `08:00`, `8:00`, `8`, `8pm`, `20.30`. Throws UserError for anything else.
 *
 * @example readClockTime('8:30 pm', 'opening') // '20:30'
 */
export function readClockTime(text: string, what: string): ClockTime {
  const [, hours = '', minutes = '00', meridiem] = TYPED.exec(text.trim().toLowerCase()) ?? [];
  const typed = Number(hours);
  const isHour = hours !== '' && (meridiem === undefined ? typed <= 23 : typed >= 1 && typed <= 12);
  if (!isHour || Number(minutes) > 59) {
    throw new UserError(
      'daily.time',
      `"${clip(text)}" isn’t a time for ${what}. Type one like 08:00 or 20:30, in this channel’s time zone.`,
    );
  }
  const hour = meridiem === undefined ? typed : (typed % 12) + (meridiem === 'pm' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}` as ClockTime;
}

export function isClockTime(value: unknown): value is ClockTime {
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
}

/** Minutes since midnight. */
export function minutesOf(time: ClockTime): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/**
 * The moment at which clocks in a time zone show a time on a date. For a time that daylight saving skips, it is
 * the moment right after the gap; for one that occurs twice, the first.
 *
 * @example momentAt(Temporal.PlainDate.from('2026-03-29'), '02:30', 'Europe/Berlin') // 03:00 there, 01:00 UTC
 */
export function momentAt(date: Temporal.PlainDate, time: ClockTime, zone: string): number {
  const wanted = date.toPlainDateTime(Temporal.PlainTime.from(time));
  const before = wanted.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const isShown = Temporal.PlainDateTime.compare(before.toPlainDateTime(), wanted) === 0;
  const found = isShown ? before : (before.getTimeZoneTransition('next') ?? before);
  return found.epochMilliseconds;
}

/** @example spokenTime('20:00') // '8:00 PM' */
export function spokenTime(time: ClockTime): string {
  const minutes = minutesOf(time);
  const hour = Math.floor(minutes / 60);
  const past = String(minutes % 60).padStart(2, '0');
  return `${hour % 12 || 12}:${past} ${hour < 12 ? 'AM' : 'PM'}`;
}
