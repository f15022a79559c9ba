import type { PuzzleDate } from '../puzzle/types.ts';
import { bold, counted, grouped } from './markup.ts';
import { pageButtons, pageNote, pageOf } from './paging.ts';
import { hintsUsed } from './result-line.ts';
import { longDate } from './subject.ts';
import type { Action, Button, Fact, Line, Reply } from './types.ts';

const PAGE = 10;
/** Of the longest bar. */
const BAR = 12;

export interface Row {
  readonly rank: number;
  readonly person: string;
  readonly days: number;
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
  'Most days solved come first; then fewest words, fewest letters, fewest hints, and who was earliest.';

/** A place's leaderboard: people as their platform shows them, sums as averages a day. */
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
            ? [['Nobody stands here yet. Solve a board and enter it with ', { command: 'play' }, '.']]
            : shown.items.map((row) => rowLine(row, period)),
      },
      ...pageNote('Places', shown),
      {
        kind: 'note',
        line: [ORDER_OF_STANDINGS, ' Stay off it with ', { command: 'privacy hide' }, '.'],
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

function rowLine({ rank, person, days, words, letters, hints }: Row, { name }: PeriodShown): Line {
  const average = (sum: number) => decimal(sum / days);
  const numbers =
    name === 'day'
      ? [counted(words, 'word'), counted(letters, 'letter'), hintsUsed(hints)]
      : [
          counted(days, 'day'),
          `${average(words)} words`,
          `${average(letters)} letters`,
          hints === 0 ? 'no hints' : `${average(hints)} hints`,
        ];
  return [bold(`${rank}.`), ' ', { person }, ` ${numbers.join(' · ')}`];
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
  const [, day, month, year] = longDate(from).split(' ');
  switch (name) {
    case 'day':
      return longDate(from);
    case 'week':
      return `the week from Monday ${day} ${month} ${year}`;
    case 'month':
      return `${month} ${year}`;
    case 'all':
      return 'all time';
  }
}

export interface StatsRequest {
  readonly current: number;
  readonly longest: number;
  readonly isTodaySolved: boolean;
  readonly solved: number;
  readonly late: number;
  readonly words: number | undefined;
  readonly letters: number | undefined;
  readonly hints: number | undefined;
  readonly withoutHints: number;
  readonly best?: { readonly date: string; readonly words: number; readonly letters: number };
  readonly byWords: readonly { readonly words: number; readonly times: number }[];
  /** Among those on this place's board this week. */
  readonly rank?: { readonly rank: number; readonly of: number };
}

/** What somebody has done so far, for them alone. */
export function statsReply(stats: StatsRequest): Reply {
  const { solved, byWords } = stats;
  const most = Math.max(...byWords.map(({ times }) => times));
  return {
    title: 'Your Letter Boxed',
    blocks: [
      ...(solved === 0
        ? [
            {
              kind: 'text' as const,
              lines: [
                [
                  'Nothing yet. When you have solved a board, enter your words with ',
                  { command: 'play' },
                  ': only you see them.',
                ] as Line,
              ],
            },
          ]
        : [
            { kind: 'facts' as const, facts: statsFacts(stats) },
            {
              kind: 'text' as const,
              lines: byWords.map(
                ({ words, times }) =>
                  `${'▇'.repeat(Math.max(1, Math.round((BAR * times) / most)))} ${counted(words, 'word')}: ${grouped(times)}`,
              ),
            },
          ]),
      {
        kind: 'buttons',
        buttons: [
          { label: 'Leaderboard', action: { command: 'leaderboard', options: {} } },
          { label: 'What is stored', action: { command: 'privacy', options: {} } },
        ],
      },
    ],
    audience: 'asker',
  };
}

function statsFacts(stats: StatsRequest): Fact[] {
  const { current, longest, isTodaySolved, solved, late, words, letters, hints, withoutHints, best, rank } =
    stats;
  const open = current > 0 && !isTodaySolved ? ', today’s board still to come' : '';
  return [
    { label: 'Streak', value: `${counted(current, 'day')}${open}` },
    { label: 'Longest streak', value: counted(longest, 'day') },
    {
      label: 'Solved',
      value: `${counted(solved, 'board')}${late === 0 ? '' : `, ${grouped(late)} of them after the day`}`,
    },
    { label: 'On average', value: `${decimal(words ?? 0)} words, ${decimal(letters ?? 0)} letters` },
    ...(best === undefined
      ? []
      : [
          {
            label: 'Best',
            value: `${counted(best.words, 'word')} of ${counted(best.letters, 'letter')} on ${longDate(best.date as PuzzleDate)}`,
          },
        ]),
    {
      label: 'Hints',
      value: `${decimal(hints ?? 0)} on average, none on ${counted(withoutHints, 'board')}`,
    },
    ...(rank === undefined ? [] : [{ label: 'Here this week', value: `place ${rank.rank} of ${rank.of}` }]),
  ];
}

/** At most one digit after the point: 2, 2.3 */
function decimal(number: number): string {
  return String(Math.round(number * 10) / 10);
}
