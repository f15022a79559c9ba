import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped, monthOf, shortDate } from '../../core/text.ts';
import type { AnonymizedPath, DaySums } from '../../store/tables/results.ts';
import { type BoardFacts, factsAbout } from '../model/facts.ts';
import { buttonsBlock, chainText, code, type Maybe, piecesOf, replyTo, textBlock } from '../model/text.ts';
import type { Action, Block, Inline, Line, Reply } from '../model/types.ts';
import { type HuntInChannel, huntBlocks, type RecapShown, unfoundBlock } from './hunt.ts';
import { pathsPicture } from './result.ts';
import {
  alsoSolvedLine,
  type DaysShown,
  daysText,
  type Ranked,
  rankMark,
  type ScoreShown,
  scoreText,
} from './result-line.ts';

export interface DayReview {
  /** How many people solved the day's board, if any did, and on the last day of a week who leads it. */
  readonly line?: Line;
  /** One thing about how people did. */
  readonly remark?: Line | undefined;
  /** All results, the best first. */
  readonly results: readonly ReviewedResult[];
  /** The calm people who solved the board. */
  readonly calm?: readonly string[];
  readonly names: boolean;
  /** Days in a row on which somebody solved the board. */
  readonly streak: { readonly current: number };
  /** How many different solutions were found. */
  readonly solutions: number;
  readonly recap?: RecapShown | undefined;
  /** The paths of shared results. */
  readonly paths: readonly AnonymizedPath[];
  readonly hunt?: HuntInChannel;
  /** Set with `recap` or `hunt`. */
  readonly board?: BoardFacts['board'];
}

/** A result with its rank on the day's leaderboard. */
type ReviewedResult = Ranked & ScoreShown & { readonly title?: string | undefined };

const MAX_RESULTS_SHOWN = 5;

/** How a day went in a channel. Lines that reveal something about the board are hidden, since people may still play it. */
export function dayReviewBlocks(day: DayReview): Block[] {
  const {
    line,
    remark,
    results,
    calm = [],
    streak,
    solutions,
    recap,
    paths,
    hunt,
    names,
    board = { sides: [] },
  } = day;
  const days = counted(streak.current, 'day');
  const isAny = results.length + calm.length > 0;
  const unfound = isAny ? recap?.unfound : undefined;
  const unfoundLines = unfound === undefined ? [] : [`Left to find: ${chainText(unfound)}`];
  const toFind =
    hunt === undefined
      ? unfoundBlock(board, 'a solution left to find', unfoundLines, recap)
      : huntBlocks(board, hunt, names, recap);
  if (!isAny) {
    const kept = streak.current > 0 ? ` A freeze keeps the streak of ${days} here.` : '';
    const week = line === undefined ? [] : [' ', ...piecesOf(line)];
    return [...textBlock([[`No results this time.${kept}`, ...week]]), ...toFind];
  }
  const found =
    solutions === 1 ? 'One solution was found.' : `${grouped(solutions)} different solutions were found.`;
  return [
    ...textBlock([
      line,
      ...bestResults(day),
      names && alsoSolvedLine(calm),
      remark,
      streak.current > 1 && `The streak here is ${days}.`,
      hunt === undefined && results.length > 1 && solutions > 0 && found,
    ]),
    ...pathsPicture(paths),
    ...toFind,
  ];
}

/** The best results, one on each line, with their ranks. Without names, equal lines are shown once. */
function bestResults({ results, names }: DayReview): Line[] {
  const numbers = results.map((result) => scoreText(result));
  const shown = names ? results : results.filter((_, index) => numbers[index - 1] !== numbers[index]);
  const more = results.length - MAX_RESULTS_SHOWN;
  const lines = shown.slice(0, MAX_RESULTS_SHOWN).map((result): Line => {
    const title = result.title === undefined ? '' : `. ${result.title}.`;
    return rankedLine(result, scoreText(result) + title, names);
  });
  return names && more > 0 ? [...lines, `And ${counted(more, 'other')}.`] : lines;
}

export interface MonthReview {
  readonly from: PuzzleDate;
  /** Every day so far: how many people solved its board, how many of them are not calm, and the words that these took together. */
  readonly days: readonly DaySums[];
  /** Days with a board. */
  readonly boards: number;
  /** Days on which somebody solved the board. */
  readonly solved: number;
  /** The most days in a row on which somebody solved the board. */
  readonly longest: number;
  /** Who alone needed so few words on the hardest day. */
  readonly aloneOnHardest?: { readonly person: string; readonly words: number } | undefined;
  /** A word that only one person found, the least known of them. */
  readonly rarest?:
    | {
        readonly word: string;
        readonly date: PuzzleDate;
        readonly person: string;
        readonly board: BoardFacts['board'];
      }
    | undefined;
  readonly people: number;
  readonly best: readonly (Ranked & DaysShown)[];
  readonly names: boolean;
}

/** Bars, from few people to the most of any day. */
const BARS = '▁▂▃▄▅▆▇█';
const DAYS_PER_WEEK = 7;

/** How a month went in a channel, with a row of bars for each week. */
export function monthReviewBlocks(month: MonthReview): Block[] {
  const { from, days, boards, solved, longest, people, rarest, best, names } = month;
  // The streak may have days that a freeze saved, or that had no thread.
  const streak = longest > 1 ? ` The longest streak here was ${counted(longest, 'day')}.` : '';
  const name = monthOf(from);
  if (solved === 0) return textBlock([`${name}: no results here.`]);
  const most = mostOf(days, (day) => day.people);
  const [alone, ...others] = most.days;
  return [
    ...textBlock([
      `${name}: ${solved} of ${counted(boards, 'board')} ${boards === 1 ? 'was' : 'were'} solved, by ${peopleText(people)}.${streak}`,
      hardestText(month),
      people > 1 &&
        `Most on one day: ${peopleText(most.value)}, ${others.length === 0 ? `on ${shortDate(alone!.date)}` : `${most.days.length} times`}.`,
      // Without names, only the first: ranks depend on words as well, which are not shown.
      ...(names ? best : best.slice(0, 1)).map((one) => rankedLine(one, daysText(one), names)),
    ]),
    ...(rarest === undefined ? [] : [rarestBlock(rarest, names)]),
    ...textBlock(weeks(days, most.value)),
  ];
}

/** Hidden, since people may still play the board. */
function rarestBlock(rarest: NonNullable<MonthReview['rarest']>, names: boolean): Block {
  const { word, date, person } = rarest;
  const by: Line = names ? [', by ', { person }] : [];
  return {
    kind: 'spoiler',
    label: 'The rarest word of the month',
    hidden: [[`${word.toUpperCase()}, on ${shortDate(date)}`, ...by, '.']],
    reveals: factsAbout(rarest, 'solution'),
  };
}

/** The most of any day, and the days that have it: one is named only if it is alone. */
function mostOf(days: MonthReview['days'], measure: (day: DaySums) => number) {
  const value = Math.max(...days.map(measure));
  return { value, days: days.filter((day) => measure(day) === value) };
}

/** Of the days with several ranked results, the one with the most words on average; undefined if no single one stands out. */
export function hardestDay(days: MonthReview['days']): DaySums | undefined {
  const compared = days.filter(({ ranked }) => ranked > 1);
  // With one such day, none was the hardest.
  if (compared.length < 2) return undefined;
  const { days: hardest } = mostOf(compared, ({ words, ranked }) => words / ranked);
  return hardest.length === 1 ? hardest[0] : undefined;
}

function hardestText({ days, aloneOnHardest: alone, names }: MonthReview): Maybe<Line> {
  const hardest = hardestDay(days);
  if (hardest === undefined) return undefined;
  const average = Number((hardest.words / hardest.ranked).toFixed(1));
  const text = `Hardest day: ${shortDate(hardest.date)}, with ${average} words on average.`;
  if (alone === undefined) return text;
  return [`${text} Only `, names ? { person: alone.person } : 'one person', ` did it in ${alone.words}.`];
}

/** A month's review that somebody asked for. Nobody else has to see that there is nothing. */
export function monthReviewReply(month: MonthReview, before: PuzzleDate): Reply {
  const action: Action = { command: 'leaderboard', options: { review: true, date: before } };
  const blocks = [...monthReviewBlocks(month), ...buttonsBlock([{ label: 'The month before', action }])];
  return replyTo(month.solved === 0 ? 'asker' : 'everyone', 'The month in this channel', blocks, {
    rerun: { command: 'leaderboard', options: { review: true, date: month.from } },
  });
}

function rankedLine(one: Ranked, text: string, names: boolean): Line {
  return [`${rankMark(one)} `, ...(names ? [{ person: one.person }, `: ${text}`] : [text])];
}

function peopleText(number: number): string {
  return number === 1 ? '1 person' : `${grouped(number)} people`;
}

/** A bar for each day, a row for each seven days: `▃▅· 1–7`. */
function weeks(days: MonthReview['days'], most: number): Inline[][] {
  const rows: Inline[][] = [];
  for (let at = 0; at < days.length; at += DAYS_PER_WEEK) {
    const week = days.slice(at, at + DAYS_PER_WEEK);
    const bars = week.map(({ people }) => (people === 0 ? '·' : BARS[Math.ceil((people / most) * 8) - 1]!));
    const last = at + week.length;
    rows.push([code(bars.join('')), ` ${at + 1}${last > at + 1 ? `–${last}` : ''}`]);
  }
  return rows;
}
