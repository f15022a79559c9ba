import type { PuzzleDate } from '../../core/clock.ts';
import type { Topic } from '../../dispatch/board/topic.ts';
import type { App, Asker } from '../../dispatch/contract.ts';
import type { Result } from '../../store/tables/result-row.ts';
import { type SolvedChallenge, solveChallenge } from '../challenges/results.ts';
import { periodOf } from '../results/period.ts';
import { type RecordedSolution, recordSolution } from '../results/record-solution.ts';
import { rankIn } from '../results/standings.ts';
import { type Streak, streakNow } from '../results/streak.ts';

/** What a solved board is worth. */
export interface SolvedBoard {
  readonly words: number;
  readonly letters: number;
  readonly par?: number;
  /** Only of a day's board: nothing else counts in stats, streaks and leaderboards. */
  readonly day?: SolvedDay;
  /** Of a board that somebody made for this channel. */
  readonly challenge?: SolvedChallenge;
}

export interface SolvedDay {
  /** The best result of that day in this channel. */
  readonly best: Result;
  /** What was recorded just now. */
  readonly recorded?: RecordedSolution;
  readonly streak: Streak;
  readonly rank?: { readonly rank: number; readonly of: number };
}

/** Looks up what a solved board is worth, and first records it if that is asked for. */
export async function solvedBoard(
  asker: Asker,
  app: App,
  topic: Topic,
  words: readonly string[],
  isToRecord: boolean,
): Promise<SolvedBoard> {
  const { puzzle } = topic;
  const solved = {
    words: words.length,
    letters: words.reduce((sum, word) => sum + word.length, 0),
    ...(puzzle?.par !== undefined && { par: puzzle.par }),
  };
  if (puzzle === undefined) {
    const challenge = await solveChallenge(asker, app, topic, words, isToRecord);
    if (challenge === undefined) return solved;
    const { par } = challenge;
    return { ...solved, ...(par !== undefined && { par }), challenge };
  }
  const day = await solvedDay(asker, app, topic, words, puzzle.date, isToRecord);
  return day === undefined ? solved : { ...solved, day };
}

async function solvedDay(
  asker: Asker,
  app: App,
  topic: Topic,
  words: readonly string[],
  date: PuzzleDate,
  isToRecord: boolean,
): Promise<SolvedDay | undefined> {
  const { tenant, channel } = asker.where;
  const recorded = isToRecord ? await recordSolution(asker, app, topic, words) : undefined;
  const best = await app.store.tenant(tenant).results.get(asker.who.id, channel, date);
  // Solved in another channel of the tenant, it counts there.
  if (best === undefined) return undefined;
  const rank = await rankIn(app, asker, periodOf('day', date));
  return {
    best,
    ...(recorded !== undefined && { recorded }),
    streak: await streakNow(asker, app),
    ...(rank !== undefined && { rank }),
  };
}
