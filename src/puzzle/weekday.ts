import type { PuzzleDate } from './types.ts';

/** 1 for Monday to 7 for Sunday. Stands apart from the calendar, whose time zones take a while to load. */
export function weekdayOf(date: PuzzleDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}
