import { counted } from '../../core/text.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import { pageButtons, pageNote, pageOf } from '../model/paging.ts';
import { longDate, monthOf, shortDate } from '../model/subject.ts';
import { bold } from '../model/text.ts';
import type { Action, Button, Line, Reply } from '../model/types.ts';
import { hintsUsed } from './result-line.ts';

const PAGE = 10;

export interface Row {
  readonly rank: number;
  readonly person: string;
  readonly days: number;
  /** Of those, how many were only reported. */
  readonly reported: number;
  /** Of those, how many say how many letters they took. */
  readonly counted: number;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
}

export interface PeriodShown {
  readonly name: 'day' | 'week' | 'month' | 'all';
  readonly from: PuzzleDate;
}

export interface StandingsRequest {
  readonly period: PeriodShown;
  readonly before?: PeriodShown;
  readonly standings: readonly Row[];
  readonly page?: number;
}

export const ORDER_OF_STANDINGS =
  'Order: most days solved, then fewest words, fewest letters, fewest hints, and who was earliest. Results that were only reported come after those that were played.';

/** A channel's leaderboard: people as their platform shows them, sums as averages for each day. */
export function standingsReply(request: StandingsRequest): Reply {
  const { period, before, standings, page } = request;
  const shown = pageOf(standings, page ?? 1, PAGE);
  const action = boardAction(period);
  return {
    title: `Leaderboard: ${periodName(period)}`,
    blocks: [
      {
        kind: 'text',
        lines:
          standings.length === 0
            ? [['No results yet. Solve a board and enter your words: ', { command: 'play' }]]
            : shown.items.map((row) => rowLine(row, period)),
      },
      ...pageNote('Places', shown),
      {
        kind: 'note',
        line: [ORDER_OF_STANDINGS, ' To stay off it: ', { command: 'privacy hide' }],
      },
      {
        kind: 'buttons',
        buttons: [
          ...pageButtons(action, shown),
          ...(before === undefined
            ? []
            : [{ label: BEFORE[before.name], action: { ...boardAction(before, 1) } }]),
          ...otherPeriods(period),
        ],
      },
    ],
    audience: 'everyone',
    again: boardAction(period, shown.number),
    ...(page !== undefined && { replaces: true }),
  };
}

const BEFORE = { day: 'The day before', week: 'The week before', month: 'The month before', all: '' };
const NOW = { day: 'Today', week: 'This week', month: 'This month', all: 'All time' } as const;

function rowLine(row: Row, { name }: PeriodShown): Line {
  const { rank, person, days, reported, counted: withLetters, words, letters, hints } = row;
  const average = (sum: number) => decimal(sum / days);
  const isDay = name === 'day';
  const numbers = isDay
    ? [counted(words, 'word'), ...(withLetters === 0 ? [] : [counted(letters, 'letter')]), hintsUsed(hints)]
    : [
        counted(days, 'day'),
        `${average(words)} words`,
        ...(withLetters === 0 ? [] : [`${decimal(letters / withLetters)} letters`]),
        hints === 0 ? 'no hints' : `${average(hints)} hints`,
      ];
  const mark = reported === 0 ? '' : isDay || reported === days ? ' · reported' : ` · ${reported} reported`;
  return [bold(`${rank}.`), ' ', { person }, ` ${numbers.join(' · ')}${mark}`];
}

function boardAction({ name, from }: PeriodShown, page?: number): Action {
  const options: Action['options'] = {
    period: name,
    ...(name !== 'all' && { date: from }),
    ...(page !== undefined && { page }),
  };
  return { command: 'leaderboard', options };
}

function otherPeriods({ name }: PeriodShown): Button[] {
  return (['day', 'week', 'month', 'all'] as const)
    .filter((other) => other !== name)
    .map((other) => ({
      label: NOW[other],
      action: { command: 'leaderboard', options: { period: other, page: 1 } },
    }));
}

function periodName({ name, from }: PeriodShown): string {
  switch (name) {
    case 'day':
      return longDate(from);
    case 'week':
      return `week of ${shortDate(from)}, ${from.slice(0, 4)}`;
    case 'month':
      return monthOf(from);
    case 'all':
      return 'all time';
  }
}

/** At most one digit after the point: 2, 2.3 */
export function decimal(number: number): string {
  return String(Math.round(number * 10) / 10);
}
