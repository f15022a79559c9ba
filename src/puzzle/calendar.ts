import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { DAY, HOUR, type PuzzleDate } from '../core/clock.ts';

/** Where and when the newspaper changes the puzzle. */
const PUZZLE_ZONE = 'America/New_York';
const ROLLOVER = Temporal.PlainTime.from('03:00');
const MOST_SPANS = 64;

/** A date's puzzle is on from `from` up to, not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A date's span never changes, so that every caller may share it. */
const spans = new LRUCache<PuzzleDate, Span>({ max: MOST_SPANS });
let latest: { readonly date: PuzzleDate; readonly span: Span } | undefined;

/**
 * The newspaper's date at a moment. Asked at every command and every minute, nearly always within one
 * span, so the latest span is kept and the time zone is looked up about once a day.
 *
 * @example dateAt(Date.UTC(2026, 10, 20, 7, 59)) // '2026-11-19': 02:59 in New York
 */
export function dateAt(moment: number): PuzzleDate {
  if (latest !== undefined && latest.span.from <= moment && moment < latest.span.to) return latest.date;
  const there = Temporal.Instant.fromEpochMilliseconds(Math.floor(moment)).toZonedDateTimeISO(PUZZLE_ZONE);
  const isBefore = Temporal.PlainTime.compare(there.toPlainTime(), ROLLOVER) < 0;
  const day = isBefore ? there.toPlainDate().subtract({ days: 1 }) : there.toPlainDate();
  const date = day.toString() as PuzzleDate;
  latest = { date, span: spanOf(date) };
  return date;
}

/** The moment a date's puzzle comes out and the moment the next one replaces it: 23, 24 or 25 hours. */
export function spanOf(date: PuzzleDate): Span {
  const known = spans.get(date);
  if (known !== undefined) return known;
  const day = Temporal.PlainDate.from(date);
  const span = { from: rolloverOf(day), to: rolloverOf(day.add({ days: 1 })) };
  spans.set(date, span);
  return span;
}

/** Milliseconds after the beginning of a date in UTC at which its puzzle ends, whatever New York's clocks do that night. */
const EARLIEST_END = 31 * HOUR;
const LATEST_END = 32 * HOUR;

/**
 * Whether a moment is before the end of a date's puzzle. Only the few moments in between need New York's clocks,
 * which take long to ask for thousands of dates.
 */
export function isBeforeEnd(date: PuzzleDate, at: number): boolean {
  const since = at - Date.parse(date + MIDNIGHT);
  return since < EARLIEST_END || (since < LATEST_END && at < spanOf(date).to);
}

const MIDNIGHT = 'T00:00:00.000Z';

/**
 * The date a number of days later, or earlier when it is negative. Counted in UTC, where all days are equally long:
 * plans ask for it all the time, and Temporal took a third of their time for it.
 */
export function addDays(date: PuzzleDate, days: number): PuzzleDate {
  const moment = Date.parse(date + MIDNIGHT) + days * DAY;
  return new Date(moment).toISOString().slice(0, -MIDNIGHT.length) as PuzzleDate;
}

/** @example firstOfMonth('2026-11-20') // '2026-11-01' */
export function firstOfMonth(date: PuzzleDate): PuzzleDate {
  return `${date.slice(0, 8)}01` as PuzzleDate;
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(date: PuzzleDate): number {
  return Temporal.PlainDate.from(date).dayOfWeek;
}

function rolloverOf(day: Temporal.PlainDate): number {
  return day.toZonedDateTime({ timeZone: PUZZLE_ZONE, plainTime: ROLLOVER }).epochMilliseconds;
}
