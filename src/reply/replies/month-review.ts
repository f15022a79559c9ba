import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped, monthOf, shortDate } from '../../core/text.ts';
import { buttonsBlock, code, textBlock, toEveryone } from '../model/text.ts';
import type { Action, Block, Inline, Line, Reply } from '../model/types.ts';
import { rankMark } from './result-line.ts';

export interface MonthReview {
  readonly from: PuzzleDate;
  /** Every day so far, with the number of people who solved its board. */
  readonly days: readonly { readonly date: PuzzleDate; readonly people: number }[];
  /** Days with a board. */
  readonly boards: number;
  /** Days on which somebody solved the board. */
  readonly solved: number;
  /** The most days in a row on which somebody solved the board. */
  readonly longest: number;
  readonly people: number;
  readonly best: readonly { readonly rank: number; readonly person: string; readonly days: number }[];
  readonly names: boolean;
}

/** Bars, from few people to the most of any day. */
const BARS = '▁▂▃▄▅▆▇█';
const DAYS_PER_WEEK = 7;

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
      ...bestOfMonth(month),
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
    rerun: { command: 'leaderboard', options: { review: true, date: from } },
  });
}

/** Only the most days, if names are hidden: places depend on words as well, which are not shown. */
function bestOfMonth({ best, names }: MonthReview): Line[] {
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
  for (let at = 0; at < days.length; at += DAYS_PER_WEEK) {
    const week = days.slice(at, at + DAYS_PER_WEEK);
    const bars = week.map(({ people }) => (people === 0 ? '·' : BARS[Math.ceil((people / most) * 8) - 1]!));
    const last = at + week.length;
    rows.push([code(bars.join('')), ` ${at + 1}${last > at + 1 ? `–${last}` : ''}`]);
  }
  return rows;
}
