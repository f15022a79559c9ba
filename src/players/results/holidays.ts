import { DAY, type PuzzleDate } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { clip, counted, shortDate } from '../../core/text.ts';
import { addDays, readComingDate } from '../../puzzle/calendar.ts';

/** Days off in a calendar year that keep a streak. */
export const MOST_DAYS_OFF = 30;
/** How far ahead they can be announced. */
const MOST_DAYS_AHEAD = 366;

const WHILE = /^(?:for )?(\d{1,3}|an?|one|two|three)(?: |$)(?:(day|week)s?)?(?: off)?$/;
/** Between the first and the last day; a space alone where no other way of reading makes two days. */
const BETWEEN = [/ (?:to|until|till) |\.{2,3}| ?– ?| - /, /, ?/, / /];
const NUMBERS: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3 };

/**
 * Reads which puzzles somebody leaves out: `5 days` from the first one on, or dates, both included.
 *
 * @param first the earliest puzzle that can still be announced: today's, or the next
 * @example readHoliday('5 days', '2026-11-20', '2026-11-20').at(-1) // '2026-11-24'
 */
export function readHoliday(text: string, first: PuzzleDate, today: PuzzleDate): PuzzleDate[] {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^from /, '');
  const [from, days] = readWhile(typed, first) ?? readDates(typed, today) ?? [];
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
      `Days off are announced in advance, and ${shortDate(from)} is over for you. The first day you can take is ${shortDate(first)}.`,
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

function readDates(typed: string, today: PuzzleDate): FirstAndDays | undefined {
  const one = readComingDate(typed, today);
  if (one !== undefined) return [one, 1];
  for (const between of BETWEEN) {
    for (const { index, 0: mark } of typed.matchAll(new RegExp(between, 'g'))) {
      const from = readComingDate(typed.slice(0, index), today);
      // "24 dec to 2 jan" goes on in the next year.
      const to = from && readComingDate(typed.slice(index + mark.length), from);
      if (from !== undefined && to !== undefined) return ordered(from, to);
    }
  }
  return undefined;
}

function ordered(one: PuzzleDate, other: PuzzleDate): FirstAndDays {
  const [from, to] = one < other ? [one, other] : [other, one];
  return [from, (Date.parse(to) - Date.parse(from)) / DAY + 1];
}

/** Throws a UserError if more days of a year would be off than a streak can have. */
export function checkYears(known: readonly PuzzleDate[], wanted: readonly PuzzleDate[]): void {
  const years = Map.groupBy(new Set([...known, ...wanted]), (date) => date.slice(0, 4));
  for (const [year, dates] of years) {
    if (dates.length <= MOST_DAYS_OFF) continue;
    const before = known.filter((date) => date.startsWith(year)).length;
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
  for (const date of dates) {
    const last = stretches.at(-1);
    if (last !== undefined && addDays(last.to, 1) === date) last.to = date;
    else stretches.push({ from: date, to: date });
  }
  return stretches;
}
