import { spanOf } from '../puzzle/calendar.ts';
import type { PuzzleDate } from '../puzzle/types.ts';
import type { Result } from '../store/types.ts';
import { isOnTime } from './result.ts';

/** One line of a leaderboard: sums over the days a person solved. */
export interface Standing {
  /** Counted from 1. Those who are level share it, and the next one skips. */
  readonly rank: number;
  readonly person: string;
  readonly days: number;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
  /** Milliseconds from each puzzle's coming out to its solution. */
  readonly time: number;
}

/**
 * A place's standings: most days solved, then fewest words, then fewest letters, then fewest hints, then
 * earliest in the day. Those compared by words have equally many days, so sums say the same as averages.
 * Left out: who stays off the board, and what was solved after its day.
 */
export function standingsOf(results: readonly (Result & { readonly hidden: boolean })[]): Standing[] {
  const sums = new Map<string, Omit<Standing, 'rank'>>();
  for (const result of results) {
    if (result.hidden || !isOnTime(result)) continue;
    const { person } = result;
    const sum = sums.get(person) ?? { person, days: 0, words: 0, letters: 0, hints: 0, time: 0 };
    sums.set(person, {
      person,
      days: sum.days + 1,
      words: sum.words + result.words,
      letters: sum.letters + result.letters,
      hints: sum.hints + result.hints,
      time: sum.time + result.solvedAt - spanOf(result.date as PuzzleDate).from,
    });
  }
  const ordered = [...sums.values()].sort((a, b) => compare(a, b) || (a.person < b.person ? -1 : 1));
  const standings: Standing[] = [];
  for (const [index, sum] of ordered.entries()) {
    const above = standings.at(-1);
    const isLevel = above !== undefined && compare(above, sum) === 0;
    standings.push({ rank: isLevel ? above.rank : index + 1, ...sum });
  }
  return standings;
}

function compare(a: Omit<Standing, 'rank'>, b: Omit<Standing, 'rank'>): number {
  return (
    b.days - a.days || a.words - b.words || a.letters - b.letters || a.hints - b.hints || a.time - b.time
  );
}
