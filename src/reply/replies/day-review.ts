import { capitalized, counted, grouped, listed } from '../../core/text.ts';
import type { AnonymizedPath } from '../../store/tables/result-row.ts';
import { chainText, piecesOf } from '../model/text.ts';
import type { Block, Line } from '../model/types.ts';
import { pathPicture } from './result.ts';
import { CROWN, rankMark, type ScoreShown, scoreText } from './result-line.ts';

export interface DayReview {
  /** How many solved the day and the best result. None where nobody did. */
  readonly line?: Line;
  /** All results, the best first. */
  readonly results: readonly ReviewedResult[];
  /** Whether people are named. */
  readonly names: boolean;
  /** Days in a row on which somebody solved the board. */
  readonly streak: number;
  /** How many different solutions were found. */
  readonly solutions: number;
  readonly recap?: { readonly hardest?: string; readonly unfound?: readonly string[] };
  /** Of results that were shared. */
  readonly paths: readonly AnonymizedPath[];
}

export interface ReviewedResult extends ScoreShown {
  readonly person: string;
}

/** Results that are shown. */
const MOST_SHOWN = 5;

/** How a day went in a channel. What gives the board away is hidden, since people may still play it. */
export function dayReviewBlocks(day: DayReview): Block[] {
  const { line, results, streak, solutions, recap, paths } = day;
  if (results.length === 0) {
    const friendly = 'No results this time. Today is a new chance.';
    return [{ kind: 'text', lines: [line === undefined ? friendly : [friendly, ' ', ...piecesOf(line)]] }];
  }
  return [
    {
      kind: 'text',
      lines: [
        ...(line === undefined ? [] : [line]),
        ...crowned(day),
        ...(streak < 2 ? [] : [`That’s ${counted(streak, 'day')} in a row with a solution here.`]),
        ...solutionsFound(solutions),
      ],
    },
    ...paths.map(pathPicture),
    ...hiddenBlock(recap),
  ];
}

function solutionsFound(solutions: number): Line[] {
  if (solutions === 0) return [];
  return solutions === 1
    ? ['One solution was found.']
    : [`${grouped(solutions)} different solutions were found.`];
}

/**
 * The best results, a line each, and how many more are as good as the best. Equal results have equal ranks; all of the
 * first rank are crowned. Without names, equal results are shown once.
 */
function crowned({ results, names }: DayReview): Line[] {
  const shown = (names ? results : results.filter(isFirstOfItsRank)).slice(0, MOST_SHOWN);
  const lines = shown.map((result): Line => {
    const rank = 1 + results.findIndex((other) => isLevel(other, result));
    const numbers = scoreText(result);
    return [`${rankMark(rank)} `, ...(names ? [{ person: result.person }, `: ${numbers}`] : [numbers])];
  });
  const level = results.filter((result) => isLevel(result, results[0]!)).length;
  const crownedLines = names ? MOST_SHOWN : 1;
  const more = level - crownedLines;
  return more > 0
    ? lines.toSpliced(crownedLines, 0, `${CROWN} and ${grouped(more)} more with the same result.`)
    : lines;
}

function isFirstOfItsRank(result: ReviewedResult, index: number, sorted: readonly ReviewedResult[]): boolean {
  return index === 0 || !isLevel(sorted[index - 1]!, result);
}

function isLevel(a: ReviewedResult, b: ReviewedResult): boolean {
  return a.words === b.words && a.letters === b.letters && a.hints === b.hints && a.reported === b.reported;
}

function hiddenBlock(recap: DayReview['recap'] = {}): Block[] {
  const { hardest, unfound } = recap;
  const parts = [
    ...(hardest === undefined
      ? []
      : [{ label: 'the hardest letter', line: `The hardest letter: ${hardest.toUpperCase()}` }]),
    ...(unfound === undefined
      ? []
      : [
          {
            label: 'a solution that nobody found',
            line: `Nobody found: ${chainText(unfound)}`,
          },
        ]),
  ];
  if (parts.length === 0) return [];
  const label = listed(parts.map((part) => part.label));
  return [
    {
      kind: 'spoiler',
      label: capitalized(label),
      hidden: parts.map(({ line }) => line),
    },
  ];
}
