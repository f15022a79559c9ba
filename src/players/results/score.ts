import type { DayScore, Result } from '../../store/tables/results.ts';

/** The parts of a result by which it is better than another, in the order of `Results.record`. */
export type Score = Pick<Result, 'words' | 'letters' | 'hints' | 'solvedAt' | 'reported'>;

/**
 * Negative when the first is better: played rather than reported, then fewer words, then fewer letters, then fewer
 * hints, then the earlier.
 */
export function compareScores(a: Score, b: Score): number {
  return (
    Number(a.reported ?? false) - Number(b.reported ?? false) ||
    a.words - b.words ||
    (a.letters || UNKNOWN) - (b.letters || UNKNOWN) ||
    a.hints - b.hints ||
    a.solvedAt - b.solvedAt
  );
}

/** A result without its number of letters comes after the results that have one. */
const UNKNOWN = 1_000_000;

/** Whether it was solved while its puzzle was on. Late results count for no streak and no leaderboard. */
export function isOnTime({ sinceOpening }: Pick<Result, 'sinceOpening'>): boolean {
  return sinceOpening !== null;
}

/** The best result of each day, over all channels. A result on time is better than any late one. */
export function bestOfEachDay<One extends DayScore>(results: readonly One[]): One[] {
  const best = new Map<string, One>();
  for (const result of results) {
    const known = best.get(result.date);
    if (known === undefined || bestFirst(result, known) < 0) best.set(result.date, result);
  }
  return [...best.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** @example results.toSorted(bestFirst)[0] // the best of a day; one on time is better than any late one */
export function bestFirst(a: DayScore, b: DayScore): number {
  return Number(isOnTime(b)) - Number(isOnTime(a)) || compareScores(a, b);
}
