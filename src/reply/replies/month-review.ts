import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped } from '../../core/text.ts';
import { monthOf, shortDate } from '../../puzzle/date-text.ts';
import { code } from '../model/text.ts';
import type { Action, Block, Inline, Line, Reply } from '../model/types.ts';
import { rankMark } from './result-line.ts';

export interface MonthReview {
  readonly from: PuzzleDate;
  /** Every day so far, and how many people solved its board. */
  readonly days: readonly { readonly date: PuzzleDate; readonly people: number }[];
  /** Days with a board. */
  readonly boards: number;
  /** Days on which somebody solved it. */
  readonly solved: number;
  /** The most of those in a row. */
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
  if (solved === 0)
    return [{ kind: 'text', lines: [`${name}: nobody solved a board here. Every month is a new chance.`] }];
  const [most] = days.toSorted((a, b) => b.people - a.people);
  return [
    {
      kind: 'text',
      lines: [
        `${name}: ${peopleText(people)} solved ${solved} of ${counted(boards, 'board')}.`,
        `Longest streak: ${counted(longest, 'day')}.`,
        `Most on one day: ${peopleText(most!.people)}, on ${shortDate(most!.date)}.`,
        ...crowned(month),
      ],
    },
    { kind: 'text', lines: weeks(days, most!.people) },
  ];
}

/** A month's review that somebody asked for. */
export function monthReviewReply(
  blocks: readonly Block[],
  { from, before }: { readonly from: PuzzleDate; readonly before: PuzzleDate },
): Reply {
  const action: Action = { command: 'leaderboard', options: { review: true, date: before } };
  return {
    title: 'The month in this channel',
    blocks: [...blocks, { kind: 'buttons', buttons: [{ label: 'The month before', action }] }],
    audience: 'everyone',
    again: { command: 'leaderboard', options: { review: true, date: from } },
  };
}

/** Without names, the most days alone: places are by words as well, which are not shown. */
function crowned({ best, names }: MonthReview): Line[] {
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
