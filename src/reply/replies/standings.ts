import type { PuzzleDate } from '../../core/clock.ts';
import { longDate, monthOf, shortDate } from '../../core/text.ts';
import type { ResultSums } from '../../store/tables/results.ts';
import { pageButtons, pageNote, pageOf } from '../model/subject.ts';
import {
  buttonsBlock,
  joined,
  type Maybe,
  notes,
  replyTo,
  textBlock,
  toAsker,
  toEveryone,
} from '../model/text.ts';
import type { Action, Block, Button, Inline, Line, Reply, Table, TableColumn } from '../model/types.ts';

const PAGE = 10;

export interface StandingShown extends Omit<ResultSums, 'solvedAt'> {
  readonly rank: number;
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
  /** The person whose row is shown on every page, if they have one. */
  readonly asker?: string;
  /** Only the asker sees it and the answers of its buttons. */
  readonly isPrivate?: boolean;
  /** People may have solved a board elsewhere, which counts here once they share it. */
  readonly mayBring?: boolean;
}

/** Beside a private answer, which must not lead to a public message. */
export const OWN_LEADERBOARD_BUTTON: Button = {
  label: 'Leaderboard',
  action: { command: 'leaderboard', options: { private: true } },
};

const TIES =
  'fewest letters, fewest hints (strong ones count more), and who was earliest. Self-reported results come after those that were played.';

export const ORDER_OF_STANDINGS = `Order: most days solved, then fewest words, ${TIES}`;
const ORDER_OF_DAY = `Order: fewest words, then ${TIES}`;

/** A channel's leaderboard: people as their platform shows them, sums as averages for each day. */
export function standingsReply(request: StandingsRequest): Reply {
  const { period, before, isOver = false, standings, page, asker, isPrivate = false, mayBring } = request;
  const audience: Action['options'] = isPrivate ? { private: true } : {};
  const shown = pageOf(standings, page ?? 1, PAGE);
  const own = standings.find(({ person }) => person === asker);
  const ownBelow = own !== undefined && !shown.items.includes(own) ? [own] : [];
  const none: Line = isOver
    ? EMPTY[period.name]
    : ['No results yet. Solve a board and enter your words: ', { command: 'play' }];
  const table = tableOf([...shown.items, ...ownBelow], period);
  const blocks = [
    standings.length === 0 ? textBlock([none]) : { kind: 'table' as const, table },
    pageNote('Place', shown),
    orderNote(period.name === 'day' ? ORDER_OF_DAY : ORDER_OF_STANDINGS, standings),
    notes(mayBring && !isOver && own === undefined && BRING),
    buttonsBlock([
      ...pageButtons(boardAction(period, audience), shown),
      before && { label: BEFORE[before.name], action: boardAction(before, { ...audience, page: 1 }) },
      ...otherPeriods(period, audience),
    ]),
  ];
  return replyTo(isPrivate ? 'asker' : 'everyone', `Leaderboard: ${periodName(period)}`, blocks, {
    again: boardAction(period, { ...audience, page: shown.number }),
    replaces: page === undefined ? undefined : true,
  });
}

/** For everybody who is not listed. Others see the answer too, and need not know whether this person has solved the board. */
const BRING: Line = ['Solved today’s board in a private chat? To count here: ', { command: 'share' }];

const EMPTY = {
  day: 'No results that day.',
  week: 'No results that week.',
  month: 'No results that month.',
  all: 'No results.',
} as const;

/** The order of a table's places; nothing if it is empty. */
export function orderNote(order: string, rows: readonly unknown[]): Block[] {
  return notes(rows.length > 0 && [order, ' To stay off it: ', { command: 'privacy hide' }]);
}

const BEFORE = { day: 'The day before', week: 'The week before', month: 'The month before', all: '' };
const NOW = { day: 'Today', week: 'This week', month: 'This month', all: 'All time' } as const;

/** The figures by which results are compared. */
export const SCORE_COLUMNS: readonly TableColumn[] = [
  { label: 'Words', isNumber: true },
  { label: 'Letters', short: 'Ltrs', isNumber: true },
  { label: 'Hints', isNumber: true },
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

function boardAction({ name, from }: PeriodShown, more: Action['options']): Action {
  const options: Action['options'] = { period: name, ...(name !== 'all' && { date: from }), ...more };
  return { command: 'leaderboard', options };
}

function otherPeriods({ name }: PeriodShown, more: Action['options']): Button[] {
  return (['day', 'week', 'month', 'all'] as const)
    .filter((other) => other !== name)
    .map((other) => ({
      label: NOW[other],
      action: { command: 'leaderboard', options: { ...more, period: other, page: 1 } },
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

export interface MissingRequest {
  readonly date: PuzzleDate;
  /** By the platform's ids. */
  readonly people: readonly string[];
  /** Whether anybody is on the list, missing or not. */
  readonly hasRegulars: boolean;
  readonly hasMore: boolean;
  /** The days on which a regular solved, and the days that are looked at. */
  readonly solved: number;
  readonly days: number;
}

/** The regulars of a channel who have not solved the day's board, as the platform shows people, without a ping. */
export function missingReply({ date, people, hasRegulars, hasMore, solved, days }: MissingRequest): Reply {
  const names = people.map((person): Inline => ({ person }));
  const nobody = hasRegulars ? 'Nobody on the list is missing.' : 'Nobody is on the list right now.';
  const missing: Line = ['Still to solve it: ', ...joined(names, ', '), hasMore ? ', and more.' : '.'];
  const blocks = [
    textBlock([people.length === 0 ? nobody : missing]),
    notes([
      `On the list: people who asked for it and solved on at least ${solved} of the last ${days} days. To join: `,
      { command: 'missing join' },
    ]),
    buttonsBlock([
      { label: 'Play', action: { command: 'play', options: { date } }, look: 'primary' },
      { label: 'Join the list', action: { command: 'missing', options: { do: 'join' } } },
    ]),
  ];
  return toEveryone(`Who is missing: ${longDate(date)}`, blocks, {
    again: { command: 'missing', options: {} },
  });
}

interface Listed {
  readonly isListed: boolean;
  /** Hidden from leaderboards, and so from the list as well. */
  readonly isHidden: boolean;
}

/** After somebody joined the list, or left it. */
export function listedReply({ isListed, isHidden }: Listed): Reply {
  if (!isListed)
    return toAsker('You’re not on the list', textBlock([['To join it: ', { command: 'missing join' }]]));
  const lines: Maybe<Line>[] = [
    [
      'When you play often and haven’t solved the day’s board yet, people in your channels can see that with ',
      { command: 'missing' },
      '.',
    ],
    isHidden && [
      'But you hide from leaderboards, and as long as you do, the list leaves you out. To change that: ',
      { command: 'privacy unhide' },
    ],
    ['To leave it again: ', { command: 'missing leave' }],
  ];
  return toAsker('You’re on the list now', textBlock(lines));
}
