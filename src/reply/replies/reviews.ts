import type { PuzzleDate } from '../../core/clock.ts';
import { capitalized, counted, grouped, listed, monthOf, shortDate } from '../../core/text.ts';
import type { AnonymizedPath } from '../../store/tables/results.ts';
import {
  buttonsBlock,
  chainText,
  code,
  type Maybe,
  piecesOf,
  present,
  textBlock,
  toEveryone,
} from '../model/text.ts';
import type { Action, Block, Inline, Line, Reply } from '../model/types.ts';
import { type HuntInChannel, huntBlocks } from './hunt.ts';
import { pathsPicture } from './result.ts';
import { CROWN, rankMark, type ScoreShown, scoreText } from './result-line.ts';

export interface DayReview {
  /** How many people solved the day, and the best result; left out if nobody did. */
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
  /** The paths of results that were shared. */
  readonly paths: readonly AnonymizedPath[];
  readonly hunt?: HuntInChannel;
}

export interface ReviewedResult extends ScoreShown {
  readonly person: string;
}

/** Results that are shown. */
const MOST_SHOWN = 5;

/** How a day went in a channel. Lines that give the board away are hidden, since people may still play it. */
export function dayReviewBlocks(day: DayReview): Block[] {
  const { line, results, streak, solutions, recap, paths, hunt, names } = day;
  const days = counted(streak.current, 'day');
  if (results.length === 0) {
    const friendly =
      streak.current > 0
        ? `No results this time. A freeze keeps the streak of ${days} here.`
        : 'No results this time. Today is a new chance.';
    return [
      ...textBlock([line === undefined ? friendly : [friendly, ' ', ...piecesOf(line)]]),
      ...huntBlocks(hunt, names),
    ];
  }
  return [
    ...textBlock([
      line,
      ...crowned(day),
      streak.current > 1 && `That’s ${days} in a row with a solution here.`,
      hunt === undefined && solutionsFound(solutions),
    ]),
    ...pathsPicture(paths),
    ...hiddenBlock(hunt === undefined ? recap : { hardest: recap?.hardest }),
    ...huntBlocks(hunt, names),
  ];
}

/** For the morning after a day that nobody solved. */
export function frozenBlocks(date: PuzzleDate, { current, frozen }: DayReview['streak']): Block[] {
  if (frozen.at(-1) !== date) return [];
  const streak = counted(current, 'day');
  return textBlock([
    `Nobody solved the board of ${shortDate(date)}. A freeze keeps the streak of ${streak} here.`,
  ]);
}

function solutionsFound(solutions: number): Maybe<Line> {
  if (solutions === 1) return 'One solution was found.';
  return solutions > 1 && `${grouped(solutions)} different solutions were found.`;
}

/**
 * The best results, one on each line, and how many more are as good as the best. Equal results have equal ranks; all of the
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
  const labels = present([hardest && 'the hardest letter', unfound && 'a solution that nobody found']);
  const hidden = present([
    hardest && `${unfound ? 'The hardest letter: ' : ''}${hardest.toUpperCase()}`,
    unfound && `Nobody found: ${chainText(unfound)}`,
  ]);
  return labels.length === 0 ? [] : [{ kind: 'spoiler', label: capitalized(listed(labels)), hidden }];
}

export interface MonthReview {
  readonly from: PuzzleDate;
  /** Every day so far, and how many people solved its board. */
  readonly days: readonly { readonly date: PuzzleDate; readonly people: number }[];
  /** Days with a board. */
  readonly boards: number;
  /** Days on which somebody solved it. */
  readonly solved: number;
  /** The longest run of such days. */
  readonly longest: number;
  readonly people: number;
  readonly best: readonly { readonly rank: number; readonly person: string; readonly days: number }[];
  readonly names: boolean;
}

/** From few people to the most of any day. */
const BARS = '▁▂▃▄▅▆▇█';
const WEEK = 7;

/** How a month went in a channel, with a row of bars for each week. */
export function monthReviewBlocks(month: MonthReview): Block[] {
  const { from, days, boards, solved, longest, people } = month;
  const name = monthOf(from);
  if (solved === 0) return textBlock([`${name}: nobody solved a board here. Every month is a new chance.`]);
  const [most] = days.toSorted((a, b) => b.people - a.people);
  return [
    ...textBlock([
      `${name}: ${peopleText(people)} solved ${solved} of ${counted(boards, 'board')}.`,
      `Longest streak: ${counted(longest, 'day')}.`,
      `Most on one day: ${peopleText(most!.people)}, on ${shortDate(most!.date)}.`,
      ...crownedOfMonth(month),
    ]),
    ...textBlock(weeks(days, most!.people)),
  ];
}

/** A month's review that somebody asked for. */
export function monthReviewReply(
  blocks: readonly Block[],
  { from, before }: { readonly from: PuzzleDate; readonly before: PuzzleDate },
): Reply {
  const action: Action = { command: 'leaderboard', options: { review: true, date: before } };
  const shown = [...blocks, ...buttonsBlock([{ label: 'The month before', action }])];
  return toEveryone('The month in this channel', shown, {
    again: { command: 'leaderboard', options: { review: true, date: from } },
  });
}

/** Without names, only the most days: places depend on words as well, which are not shown. */
function crownedOfMonth({ best, names }: MonthReview): Line[] {
  return (names ? best : best.slice(0, 1)).map(
    ({ rank, person, days }): Line => [
      `${rankMark(rank)} `,
      ...(names ? [{ person }, `: ${counted(days, 'day')}`] : [counted(days, 'day')]),
    ],
  );
}

function peopleText(number: number): string {
  return number === 1 ? '1 person' : `${grouped(number)} people`;
}

/** A bar for each day, a row for each seven days: `▃▅· 1–7`. */
function weeks(days: MonthReview['days'], most: number): Inline[][] {
  const rows: Inline[][] = [];
  for (let at = 0; at < days.length; at += WEEK) {
    const week = days.slice(at, at + WEEK);
    const bars = week.map(({ people }) => (people === 0 ? '·' : BARS[Math.ceil((people / most) * 8) - 1]!));
    const last = at + week.length;
    rows.push([code(bars.join('')), ` ${at + 1}${last > at + 1 ? `–${last}` : ''}`]);
  }
  return rows;
}
