import { peopleScope } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Asker, ReadingApp } from '../../dispatch/contract.ts';
import { isBeforeEnd } from '../../puzzle/calendar.ts';
import { KEPT_SOURCES } from '../../puzzle/repository.ts';
import type { StatsNumbers, Streak } from '../../reply/replies/stats.ts';
import type { ReadingStore } from '../../store/store.ts';
import type { DayScore } from '../../store/tables/results.ts';
import { bestOfEachDay, compareScores, isOnTime } from './score.ts';

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

/** Days solved for which there is a freeze. */
export const DAYS_FOR_FREEZE = 10;
export const MOST_FREEZES = 2;

/**
 * A streak follows the puzzles' dates, not the calendar: days without a puzzle are skipped, and so are days off. A freeze
 * keeps it on a day that was missed. A freeze counts only from the days before, so one that is earned later repairs
 * nothing.
 *
 * @param solved dates solved while their puzzle was on
 * @param known dates that had a puzzle; dates solved had one in any case
 * @param daysOff dates that the person announced as days off
 * @param mostFreezes 0 for a streak without
 */
export function streakOf(
  solved: Iterable<string>,
  known: Iterable<string>,
  today: string,
  daysOff: Iterable<string> = [],
  mostFreezes = MOST_FREEZES,
): Streak {
  const done = new Set(solved);
  const off = new Set(daysOff);
  const dates = [...new Set([...known, ...done])].filter((date) => date <= today).sort();
  let current = 0;
  let longest = 0;
  let freezes = 0;
  let days = 0;
  const frozen: string[] = [];
  for (const date of dates) {
    if (done.has(date)) {
      current++;
      days++;
      if (days % DAYS_FOR_FREEZE === 0) freezes = Math.min(mostFreezes, freezes + 1);
    } else if (date !== today && !off.has(date)) {
      // There is none left once a streak has ended.
      if (freezes > 0) {
        freezes--;
        frozen.push(date);
      } else current = 0;
    }
    longest = Math.max(longest, current);
  }
  return { current, longest, isTodaySolved: done.has(today), freezes, frozen };
}

/** A person's streak as it is now, over everything they entered at this door. */
export async function streakNow(
  { where, who }: Asker,
  { store, puzzles, clock }: Pick<ReadingApp, 'store' | 'puzzles' | 'clock'>,
): Promise<Streak> {
  const scores = await store.allPeople.scoresOf(peopleScope(where.tenant), who.id);
  const daysOff = await store.allPeople.holidaysOf(peopleScope(where.tenant), who.id);
  return streakIn(scores, daysOff, { store, puzzles, clock });
}

/** The streak in somebody's best results of each day, and the days off that they announced. */
export async function streakIn(
  scores: readonly DayScore[],
  daysOff: readonly string[],
  { store, puzzles, clock }: Pick<ReadingApp, 'store' | 'puzzles' | 'clock'>,
): Promise<Streak> {
  const solved = scores.filter(isOnTime).map(({ date }) => date);
  return streakOf(solved, await puzzleDays(store), puzzles.dateAt(clock.now()), daysOff);
}

/**
 * The dates whose puzzle this bot had while it was on. Boards of past days that were fetched later don't
 * count, since looking at an old board would break everybody's streak.
 */
export async function puzzleDays({ puzzles }: Pick<ReadingStore, 'puzzles'>): Promise<Set<PuzzleDate>> {
  const kept = await Promise.all(KEPT_SOURCES.map((source) => puzzles.kept(source)));
  return new Set(
    kept
      .flat()
      .filter(({ date, at }) => isBeforeEnd(date, at))
      .map(({ date }) => date),
  );
}
