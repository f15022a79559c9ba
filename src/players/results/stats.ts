import type { StatsNumbers } from '../../reply/replies/stats.ts';
import type { DayScore } from '../../store/tables/results.ts';
import { bestOfEachDay, compareScores, isOnTime } from './score.ts';
import { type Streak, streakOf } from './streak.ts';

/** A person's results so far, in all channels and tenants of a door. */
export interface Stats extends StatsNumbers {
  readonly streak: Streak;
  readonly best: DayScore | undefined;
}

/**
 * @param known dates that had a puzzle
 * @param daysOff dates that the person announced as days off
 */
export function statsOf(
  results: readonly DayScore[],
  known: Iterable<string>,
  today: string,
  daysOff: Iterable<string> = [],
): Stats {
  const days = bestOfEachDay(results);
  const averageOf = (those: readonly DayScore[], key: 'words' | 'letters' | 'hints') =>
    those.length === 0 ? undefined : those.reduce((sum, day) => sum + day[key], 0) / those.length;
  const onTime = days.filter(isOnTime);
  const times = Map.groupBy(days, ({ words }) => words);
  return {
    streak: streakOf(
      onTime.map(({ date }) => date),
      known,
      today,
      daysOff,
    ),
    solved: days.length,
    late: days.length - onTime.length,
    reported: days.filter(({ reported }) => reported).length,
    words: averageOf(days, 'words'),
    letters: averageOf(
      days.filter(({ letters }) => letters > 0),
      'letters',
    ),
    hints: averageOf(days, 'hints'),
    withoutHints: days.filter(({ hints }) => hints === 0).length,
    best: days.toSorted(compareScores)[0],
    byWords: [...times]
      .map(([words, those]) => ({ words, times: those.length }))
      .sort((a, b) => a.words - b.words),
  };
}
