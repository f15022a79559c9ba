import type { PuzzleDate } from '../core/clock.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** @example longDate('2026-11-20') // 'Friday, November 20, 2026' */
export function longDate(date: PuzzleDate): string {
  const { weekday, day, month, year } = partsOf(date);
  return `${weekday}, ${month} ${day}, ${year}`;
}

/** @example shortDate('2026-11-20') // 'November 20' */
export function shortDate(date: PuzzleDate): string {
  const { day, month } = partsOf(date);
  return `${month} ${day}`;
}

/** @example monthOf('2026-11-20') // 'November 2026' */
export function monthOf(date: PuzzleDate): string {
  const { month, year } = partsOf(date);
  return `${month} ${year}`;
}

/** Without the calendar, whose time zones take long to load: a typed board at the terminal needs none. */
function partsOf(date: PuzzleDate) {
  const at = new Date(`${date}T00:00:00Z`);
  return {
    weekday: WEEKDAYS[at.getUTCDay()]!,
    day: at.getUTCDate(),
    month: MONTHS[at.getUTCMonth()]!,
    year: at.getUTCFullYear(),
  };
}
