import { counted, grouped } from '../../core/text.ts';
import type { AnonymizedPath } from '../../store/tables/results.ts';
import type { BoardFacts } from '../model/facts.ts';
import { chainText, type Maybe, piecesOf, textBlock } from '../model/text.ts';
import type { Block, Line } from '../model/types.ts';
import { type HuntInChannel, huntBlocks, unfoundBlock } from './hunt.ts';
import { pathsPicture } from './result.ts';
import { rankMark, type ScoreShown, scoreText } from './result-line.ts';

export interface DayReview {
  /** How many people solved the day's board, and the best result; left out if nobody did. */
  readonly line?: Line;
  /** All results, the best first. */
  readonly results: readonly ReviewedResult[];
  /** Whether people are named. */
  readonly names: boolean;
  /** Days in a row on which somebody solved the board. */
  readonly streak: { readonly current: number; readonly frozen: readonly string[] };
  /** How many different solutions were found. */
  readonly solutions: number;
  readonly recap?: { readonly hardest?: string; readonly unfound?: readonly string[] };
  /** The paths of shared results. */
  readonly paths: readonly AnonymizedPath[];
  readonly hunt?: HuntInChannel;
  readonly board?: BoardFacts['board'];
}

interface ReviewedResult extends ScoreShown {
  /** The rank on the day's leaderboard. */
  readonly rank: number;
  readonly person: string;
  readonly title?: string | undefined;
}

/** Results that are shown. */
const MAX_RESULTS_SHOWN = 5;

/** How a day went in a channel. Lines that reveal something about the board are hidden, since people may still play it. */
export function dayReviewBlocks(day: DayReview): Block[] {
  const { line, results, streak, solutions, recap, paths, hunt, names, board = { sides: [] } } = day;
  const days = counted(streak.current, 'day');
  if (results.length === 0) {
    const friendly =
      streak.current > 0
        ? `No results this time. A freeze keeps the streak of ${days} here.`
        : 'No results this time. Today is a new chance.';
    return [
      ...textBlock([line === undefined ? friendly : [friendly, ' ', ...piecesOf(line)]]),
      ...huntBlocks(board, hunt, names),
    ];
  }
  return [
    ...textBlock([
      line,
      ...bestResults(day),
      streak.current > 1 && `The streak here is ${days}.`,
      hunt === undefined && solutionsFound(solutions),
    ]),
    ...pathsPicture(paths),
    ...(hunt === undefined ? recapBlock(board, recap) : huntBlocks(board, hunt, names, recap?.hardest)),
  ];
}

function solutionsFound(solutions: number): Maybe<Line> {
  if (solutions === 1) return 'One solution was found.';
  return solutions > 1 && `${grouped(solutions)} different solutions were found.`;
}

/** The best results, one on each line, with their ranks. Without names, equal lines are shown once. */
function bestResults({ results, names }: DayReview): Line[] {
  const numbers = results.map((result) => scoreText(result));
  const shown = names ? results : results.filter((_, index) => numbers[index - 1] !== numbers[index]);
  return shown.slice(0, MAX_RESULTS_SHOWN).map((result): Line => {
    const { person, rank, title } = result;
    const score = `${scoreText(result)}${title === undefined ? '' : `. ${title}.`}`;
    return [`${rankMark(rank)} `, ...(names ? [{ person }, `: ${score}`] : [score])];
  });
}

function recapBlock(board: BoardFacts['board'], { hardest, unfound }: DayReview['recap'] = {}): Block[] {
  const lines = unfound ? [`Nobody found: ${chainText(unfound)}`] : [];
  return unfoundBlock(board, 'a solution that nobody found', lines, hardest);
}
