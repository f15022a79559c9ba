import { spanOf } from '../../puzzle/calendar.ts';
import { KEPT_SOURCES } from '../../puzzle/repository.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import type { Store } from '../../store/store.ts';

export interface Streak {
  /** Puzzles in a row up to now. Today's puzzle breaks no streak while it is on. */
  readonly current: number;
  readonly longest: number;
  readonly isTodaySolved: boolean;
}

/**
 * A streak follows the puzzles' dates, not the calendar: days without a puzzle are skipped.
 *
 * @param solved dates solved while their puzzle was on
 * @param known dates that had a puzzle; those solved had one in any case
 */
export function streakOf(solved: Iterable<string>, known: Iterable<string>, today: string): Streak {
  const done = new Set(solved);
  const dates = [...new Set([...known, ...done])].filter((date) => date <= today).sort();
  let current = 0;
  let longest = 0;
  for (const date of dates) {
    if (done.has(date)) current++;
    else if (date !== today) current = 0;
    longest = Math.max(longest, current);
  }
  return { current, longest, isTodaySolved: done.has(today) };
}

/**
 * The dates whose puzzle this bot had while it was on. Boards of past days that were fetched later don't
 * count, since looking at an old board would break everybody's streak.
 */
export async function puzzleDays({ puzzles }: Pick<Store, 'puzzles'>): Promise<Set<string>> {
  const kept = await Promise.all(KEPT_SOURCES.map((source) => puzzles.kept(source)));
  return new Set(
    kept
      .flat()
      .filter(({ date, at }) => at < spanOf(date as PuzzleDate).to)
      .map(({ date }) => date),
  );
}
