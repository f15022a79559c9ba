import type { PuzzleDate } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { clip, counted } from '../../core/text.ts';
import { addDays } from '../../puzzle/calendar.ts';

/** Days off in a calendar year that keep a streak. */
export const MOST_DAYS_OFF = 30;
/** How far ahead they can be announced. */
const MOST_DAYS_AHEAD = 366;

const WHILE = /^(?:for )?(\d{1,3}|an?|one|two|three)(?: |$)(?:(day|week)s?)?(?: off)?$/;
const DATE = '(\\d{4}-\\d{2}-\\d{2})';
const DATES = new RegExp(`^(?:from )?${DATE}(?:(?: |, ?|\\.{2,3}| ?[-–] ?| ?(?:to|until|till) )${DATE})?$`);
const NUMBERS: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3 };

/**
 * Reads which puzzles somebody leaves out: `5 days` from the first one on, or dates, both included.
 *
 * @param first the earliest puzzle that can still be announced
 * @example readHoliday('5 days', '2026-11-20').at(-1) // '2026-11-24'
 */
export function readHoliday(text: string, first: PuzzleDate): PuzzleDate[] {
  const typed = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const [from, days] = readWhile(typed, first) ?? readDates(typed) ?? [];
  if (from === undefined || days === undefined || days < 1)
    throw new UserError(
      'holiday.days',
      `I can’t read "${clip(text)}" as days off. Type holiday 5 days, or two dates: holiday ${first} ${addDays(first, 4)}`,
    );
  if (days > MOST_DAYS_OFF)
    throw new UserError(
      'holiday.many',
      `That’s ${counted(days, 'day')}, and a streak can have ${MOST_DAYS_OFF} days off in a year. Type fewer days.`,
    );
  if (from < first)
    throw new UserError(
      'holiday.past',
      `Days off are announced in advance, and ${from} is over for you. The first day you can take is ${first}.`,
    );
  if (addDays(from, days - 1) > addDays(first, MOST_DAYS_AHEAD))
    throw new UserError('holiday.far', 'That’s more than a year ahead. Announce it when it’s nearer.');
  return Array.from({ length: days }, (_, index) => addDays(from, index));
}

type FirstAndDays = readonly [from: PuzzleDate, days: number];

function readWhile(typed: string, first: PuzzleDate): FirstAndDays | undefined {
  const [, count = '', unit] = WHILE.exec(typed) ?? [];
  if (count === '') return undefined;
  return [first, (NUMBERS[count] ?? Number(count)) * (unit === 'week' ? 7 : 1)];
}

function readDates(typed: string): FirstAndDays | undefined {
  const [, from, to = from] = DATES.exec(typed) ?? [];
  if (from === undefined || to === undefined || !isDate(from) || !isDate(to)) return undefined;
  const days = (Date.parse(to) - Date.parse(from)) / (24 * 60 * 60_000) + 1;
  return [from, days];
}

function isDate(text: string): text is PuzzleDate {
  const moment = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

/** Throws a UserError if more days of a year would be off than a streak can have. */
export function checkYears(known: readonly PuzzleDate[], wanted: readonly PuzzleDate[]): void {
  const years = Map.groupBy(new Set([...known, ...wanted]), (date) => date.slice(0, 4));
  for (const [year, dates] of years) {
    const before = known.filter((date) => date.startsWith(year)).length;
    if (dates.length <= Math.max(MOST_DAYS_OFF, before)) continue;
    throw new UserError(
      'holiday.year',
      `A streak can have ${MOST_DAYS_OFF} days off in a year. Of ${year} you’ve announced ${before}, so ${counted(MOST_DAYS_OFF - before, 'day')} left.`,
    );
  }
}

/** Dates in order as stretches of days that follow each other. */
export function stretchesOf(
  dates: readonly PuzzleDate[],
): { readonly from: PuzzleDate; readonly to: PuzzleDate }[] {
  const stretches: { from: PuzzleDate; to: PuzzleDate }[] = [];
  for (const date of dates as readonly PuzzleDate[]) {
    const last = stretches.at(-1);
    if (last !== undefined && addDays(last.to, 1) === date) last.to = date;
    else stretches.push({ from: date, to: date });
  }
  return stretches;
}
