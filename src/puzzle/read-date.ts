import type { PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { clip } from '../core/text.ts';
import { addDays, dateAt, weekdayOf } from './calendar.ts';
import { longDate, shortDate } from './date-text.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAMES =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const EARLIEST: PuzzleDate = '2000-01-01';

/**
 * Reads the date of a puzzle that is out: `today`, `yesterday`, `2026-11-18`, `18 nov`, `Nov 18, 2026`, or
 * a weekday for the latest one. A day and month without a year is the latest such day, never one to come.
 * Digits with slashes are not read, because 11/10 is two different days depending on who types it.
 *
 * @example readDate('yesterday', Date.UTC(2026, 10, 20, 12)) // '2026-11-19'
 */
export function readDate(text: string, now: number): PuzzleDate {
  const today = dateAt(now);
  const words = wordsOf(text);
  const joined = words.join(' ');
  if (joined === 'today' || joined === '') return today;
  if (joined === 'yesterday') return addDays(today, -1);
  if (joined === 'tomorrow') throw stillToCome(addDays(today, 1), today);
  const date = readWeekday(joined, today) ?? readNumbers(joined) ?? readMonth(words, today);
  if (date === undefined) throw nonsense(text, today);
  // Dates of this form sort as text.
  if (date > today) throw stillToCome(date, today);
  if (date < EARLIEST) throw new UserError('date.early', `The first board is that of ${longDate(EARLIEST)}.`);
  return date;
}

/**
 * Reads a day of any time, `today`, `tomorrow`, or the next such weekday or day of a month from that one on.
 *
 * @example readComingDate('2 jan', '2026-11-20') // '2027-01-02'
 */
export function readComingDate(text: string, from: PuzzleDate): PuzzleDate | undefined {
  const words = wordsOf(text);
  const joined = words.join(' ');
  if (joined === 'today') return from;
  if (joined === 'tomorrow') return addDays(from, 1);
  const weekday = readWeekday(joined, from);
  if (weekday !== undefined) return weekday < from ? addDays(weekday, 7) : weekday;
  return readNumbers(joined) ?? readMonth(words, from, 1);
}

function wordsOf(text: string): string[] {
  return text
    .slice(0, 100)
    .toLowerCase()
    .split(/[\s,.]+/)
    .filter((word) => word !== '');
}

function readWeekday(word: string, today: PuzzleDate): PuzzleDate | undefined {
  const index = word.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(word));
  if (index < 0) return undefined;
  return addDays(today, -((weekdayOf(today) - (index + 1) + 7) % 7));
}

function readNumbers(text: string): PuzzleDate | undefined {
  const match = /^(\d{4})(?:(\d{2})(\d{2})|[-/ ](\d{1,2})[-/ ](\d{1,2}))$/.exec(text);
  if (match === null) return undefined;
  return makeDate(Number(match[1]), Number(match[2] ?? match[4]), Number(match[3] ?? match[5]));
}

/** Without a year, the latest such day until today, or the next one from today on. */
function readMonth(
  words: readonly string[],
  today: PuzzleDate,
  direction: -1 | 1 = -1,
): PuzzleDate | undefined {
  const months = words.filter((word) => MONTH_NAMES.test(word));
  const numbers = words.filter((word) => !MONTH_NAMES.test(word));
  const month = MONTHS.indexOf((months[0] ?? '').slice(0, 3)) + 1;
  const day = /^(\d{1,2})(st|nd|rd|th)?$/.exec(numbers[0] ?? '');
  if (months.length !== 1 || day === null || numbers.length > 2) return undefined;
  const year = numbers[1];
  if (year !== undefined)
    return /^\d{4}$/.test(year) ? makeDate(Number(year), month, Number(day[1])) : undefined;
  const thisYear = Number(today.slice(0, 4));
  // Eight years reach a 29 February even around a year like 2100.
  for (let years = 0; years <= 8; years++) {
    const date = makeDate(thisYear + direction * years, month, Number(day[1]));
    if (date !== undefined && (direction < 0 ? date <= today : date >= today)) return date;
  }
  return undefined;
}

function makeDate(year: number, month: number, day: number): PuzzleDate | undefined {
  const moment = new Date(Date.UTC(year, month - 1, day));
  const isReal = moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
  return isReal ? (moment.toISOString().slice(0, 10) as PuzzleDate) : undefined;
}

function nonsense(text: string, today: PuzzleDate): UserError {
  return new UserError(
    'date.nonsense',
    `"${clip(text)}" isn’t a date. Try today, yesterday or ${shortDate(addDays(today, -2))}.`,
  );
}

/** Also thrown by the service for a date that was not read here. */
export function stillToCome(date: PuzzleDate, today: PuzzleDate): UserError {
  return new UserError(
    'date.to-come',
    `The board of ${longDate(date)} isn’t out yet. The newest is today’s, ${longDate(today)}. A new one comes at 3:00 AM New York time.`,
  );
}
