import type { ChannelRef } from '../../core/channel-ref.ts';
import type { Log } from '../../core/log.ts';
import type { Target } from '../../dispatch/target.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { SolutionNumbers } from '../../play/review.ts';
import { boardKey, type Puzzle, type PuzzleService } from '../../puzzle/types.ts';
import type { SolvedScore } from '../../reply/replies/game.ts';
import { titleOf } from '../../reply/replies/titles.ts';
import type { ReadingStore } from '../../store/store.ts';
import type { Result } from '../../store/tables/results.ts';
import type { JobAsker } from '../../work/job.ts';
import { isCountPublic } from './own-result.ts';

interface ScoreTools {
  readonly log: Pick<Log, 'warn'>;
  readonly work: Pick<JobRunner, 'run'>;
}

/**
 * How close solutions of one board come to the best, in the order of `solutions`. Empty after a failure: replies are sent
 * without points then.
 */
export async function scoresOf(
  { log, work }: ScoreTools,
  { board, source }: Pick<Target, 'board' | 'source'>,
  solutions: readonly SolutionNumbers[],
  asker: JobAsker,
): Promise<SolvedScore[]> {
  try {
    const numbers = solutions.map(({ words, letters, hints }) => ({ words, letters, hints }));
    return await work.run('scores', { board, source, solutions: numbers }, asker);
  } catch (error) {
    log.warn({ channel: asker.channel, error: String(error) }, 'solutions were given no points');
    return [];
  }
}

interface TitleTools extends ScoreTools {
  readonly store: ReadingStore;
  readonly puzzles: Pick<PuzzleService, 'wordSource'>;
}

interface Reader extends ChannelRef {
  readonly now: number;
  readonly asker: JobAsker;
}

/**
 * The titles of results of a day as everybody in a channel may see them, by person. A title reveals how close a result is to
 * the fewest words, so no result has a title before everybody may know how many words the board takes. Results after the
 * solution, self-reported results, and results of another board never have one.
 */
export async function publicTitles(
  tools: TitleTools,
  { now, asker, ...channel }: Reader,
  puzzle: Puzzle,
  results: readonly Result[],
): Promise<ReadonlyMap<string, string>> {
  const { date, board } = puzzle;
  const key = boardKey(board.sides);
  const titled = results.filter((one) => !one.afterSolution && !one.reported && one.board === key);
  if (titled.length === 0 || !(await isCountPublic(tools.store, channel, { date, now }))) return new Map();
  const source = await tools.puzzles.wordSource(puzzle);
  const scores = await scoresOf(tools, { board, source }, titled, asker);
  return new Map(scores.map(({ points }, index) => [titled[index]!.person, titleOf(points)]));
}
