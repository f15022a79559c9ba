import { spanOf } from '../../puzzle/calendar.ts';
import { KEPT_SOURCES } from '../../puzzle/repository.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import type { Store } from '../../store/types.ts';

/**
 * The dates this bot had a puzzle for while it was on. Boards of past days that were fetched later don't
 * count, or looking at an old board would break everybody's streak.
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
