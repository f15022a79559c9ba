import type { PuzzleDate } from '../../core/clock.ts';
import { longDate, monthOf, shortDate } from '../../puzzle/date-text.ts';
import { pageButtons, pageNote, pageOf } from '../model/paging.ts';
import type { Action, Block, Button, Reply, Table, TableColumn } from '../model/types.ts';

const PAGE = 10;

export interface StandingShown {
  readonly rank: number;
  readonly person: string;
  readonly days: number;
  /** Of those, how many nobody has checked. */
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
  /** The period ended before today. */
  readonly isOver?: boolean;
  readonly standings: readonly StandingShown[];
  readonly page?: number;
  /** Whose row is shown on every page, if they have one. */
  readonly asker?: string;
}

export const ORDER_OF_STANDINGS =
  'Order: most days solved, then fewest words, fewest letters, fewest hint points, and who was earliest. Self-reported results come after those that were played.';

/** A channel's leaderboard: people as their platform shows them, sums as averages for each day. */
export function standingsReply(request: StandingsRequest): Reply {
  const { period, before, isOver = false, standings, page, asker } = request;
  const shown = pageOf(standings, page ?? 1, PAGE);
  const own = standings.find(({ person }) => person === asker);
  const ownBelow = own !== undefined && !shown.items.includes(own) ? own : undefined;
  const action = boardAction(period);
  return {
    title: `Leaderboard: ${periodName(period)}`,
    blocks: [
      standings.length === 0
        ? {
            kind: 'text',
            lines: [
              isOver
                ? EMPTY[period.name]
                : ['No results yet. Solve a board and enter your words: ', { command: 'play' }],
            ],
          }
        : { kind: 'table', table: tableOf([...shown.items, ...(ownBelow ? [ownBelow] : [])], period) },
      ...pageNote('Places', shown),
      ...orderNote(ORDER_OF_STANDINGS, standings),
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

const EMPTY = {
  day: 'No results that day.',
  week: 'No results that week.',
  month: 'No results that month.',
  all: 'No results.',
} as const;

/** By what the places of a table are given; nothing where there are none. */
export function orderNote(order: string, rows: readonly unknown[]): Block[] {
  if (rows.length === 0) return [];
  return [{ kind: 'note', line: [order, ' To stay off it: ', { command: 'privacy hide' }] }];
}

const BEFORE = { day: 'The day before', week: 'The week before', month: 'The month before', all: '' };
const NOW = { day: 'Today', week: 'This week', month: 'This month', all: 'All time' } as const;

/** What results are compared by. */
export const SCORE_COLUMNS: readonly TableColumn[] = [
  { label: 'Words', isNumber: true },
  { label: 'Letters', isNumber: true },
  { label: 'Hint points', short: 'Hints', isNumber: true },
];

/** The rows of a page, and the asker's own where it is on another page. */
function tableOf(rows: readonly StandingShown[], { name }: PeriodShown): Table {
  const isDay = name === 'day';
  const isAnyReported = rows.some(({ reported }) => reported > 0);
  return {
    caption: 'Averages for each board solved',
    columns: [
      { label: '#', isNumber: true },
      { label: 'Player' },
      ...(isDay ? [] : [{ label: 'Days', isNumber: true }]),
      ...SCORE_COLUMNS,
      ...(isAnyReported ? [{ label: 'Self-reported', short: 'Self', isNumber: true }] : []),
    ],
    rows: rows.map(({ rank, person, days, reported, counted, words, letters, hints }) => [
      rank,
      { person },
      ...(isDay ? [] : [days]),
      words / days,
      counted === 0 ? '–' : letters / counted,
      hints / days,
      ...(isAnyReported ? [reported] : []),
    ]),
  };
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
