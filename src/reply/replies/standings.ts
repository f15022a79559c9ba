import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped, longDate, monthOf, shortDate } from '../../core/text.ts';
import type { AnonymizedPath, ResultSums } from '../../store/tables/results.ts';
import { pageButtons, pageNote, pageOf } from '../model/action.ts';
import type { BoardFacts } from '../model/facts.ts';
import {
  buttonsBlock,
  chainText,
  code,
  joined,
  type Maybe,
  notes,
  piecesOf,
  replyTo,
  textBlock,
  toAsker,
  toEveryone,
} from '../model/text.ts';
import type { Action, Block, Button, Inline, Line, Reply, Table, TableColumn } from '../model/types.ts';
import { type HuntInChannel, huntBlocks, unfoundBlock } from './hunt.ts';
import { pathsPicture } from './result.ts';
import { rankMark, type ScoreShown, scoreText } from './result-line.ts';

const PEOPLE_PER_PAGE = 10;

interface StandingShown extends Omit<ResultSums, 'solvedAt' | 'afterSolution'> {
  readonly rank: number;
}

interface PeriodShown {
  readonly name: 'day' | 'week' | 'month' | 'all';
  readonly from: PuzzleDate;
}

export interface StandingsRequest {
  readonly period: PeriodShown;
  readonly before?: PeriodShown;
  /** The period ended before today. */
  readonly isOver?: boolean;
  readonly standings: readonly StandingShown[];
  /** The titles of a day's results, by person. */
  readonly titles?: ReadonlyMap<string, string> | undefined;
  readonly page?: number;
  /** The person whose row is shown on every page, if they have one. */
  readonly asker?: string;
  /** Only the asker sees it, and the answers of its buttons. */
  readonly isPrivate?: boolean;
  /** Whether people may have solved a board elsewhere, which counts here once they share it. */
  readonly mayBring?: boolean;
}

const TIES_NOTE =
  'fewest letters, fewest hints (strong ones count more), and who was earliest. Results after the solution come after the others, and self-reported ones last.';

export const ORDER_OF_STANDINGS = `Order: most days solved, then fewest words, ${TIES_NOTE}`;
const ORDER_OF_DAY = `Order: fewest words, then ${TIES_NOTE}`;

/** A channel's leaderboard: people as their platform shows them, sums as averages for each day. */
export function standingsReply(request: StandingsRequest): Reply {
  const {
    period,
    before,
    isOver = false,
    standings,
    titles,
    page,
    asker,
    isPrivate = false,
    mayBring,
  } = request;
  const audience: Action['options'] = isPrivate ? { private: true } : {};
  const shown = pageOf(standings, page ?? 1, PEOPLE_PER_PAGE);
  const own = standings.find(({ person }) => person === asker);
  const ownBelow = own !== undefined && !shown.items.includes(own) ? [own] : [];
  const none: Line = isOver
    ? EMPTY_TEXTS[period.name]
    : ['No results yet. Solve a board and enter your words: ', { command: 'play' }];
  const table = tableOf([...shown.items, ...ownBelow], period, titles);
  const blocks = [
    standings.length === 0 ? textBlock([none]) : { kind: 'table' as const, table },
    pageNote('Place', shown),
    orderNote(period.name === 'day' ? ORDER_OF_DAY : ORDER_OF_STANDINGS, standings),
    notes(mayBring && !isOver && own === undefined && PRIVATE_RESULT_NOTE),
    buttonsBlock([
      ...pageButtons(boardAction(period, audience), shown),
      before && {
        label: PERIOD_BEFORE_LABELS[before.name],
        action: boardAction(before, { ...audience, page: 1 }),
      },
      ...otherPeriods(period, audience),
    ]),
  ];
  // Nobody else has to see that there is nothing.
  const isToAsker = isPrivate || standings.length === 0;
  return replyTo(isToAsker ? 'asker' : 'everyone', `Leaderboard: ${periodName(period)}`, blocks, {
    rerun: boardAction(period, { ...audience, page: shown.number }),
    replaces: page === undefined ? undefined : true,
  });
}

/** The answer to everybody who is not listed. Others see it too, and must not learn whether this person has solved the board. */
const PRIVATE_RESULT_NOTE: Line = [
  'Solved today’s board in a private chat? To count here: ',
  { command: 'share' },
];

const EMPTY_TEXTS = {
  day: 'No results that day.',
  week: 'No results that week.',
  month: 'No results that month.',
  all: 'No results.',
} as const;

/** The sort order of a table; nothing if it is empty. */
export function orderNote(order: string, rows: readonly unknown[]): Block[] {
  return notes(rows.length > 0 && [order, ' To stay off it: ', { command: 'privacy hide' }]);
}

const PERIOD_BEFORE_LABELS = {
  day: 'The day before',
  week: 'The week before',
  month: 'The month before',
  all: '',
};
const PERIOD_LABELS = { day: 'Today', week: 'This week', month: 'This month', all: 'All time' } as const;

/** The figures that decide which result is better. */
export const SCORE_COLUMNS: readonly TableColumn[] = [
  { label: 'Words', isNumber: true },
  { label: 'Letters', short: 'Ltrs', isNumber: true },
  { label: 'Hints', isNumber: true },
];

/** The rows of a page, and the asker's own row if it is on another page. */
function tableOf(
  rows: readonly StandingShown[],
  { name }: PeriodShown,
  titles: StandingsRequest['titles'] = new Map(),
): Table {
  const isDay = name === 'day';
  const isTitled = rows.some(({ person }) => titles.has(person));
  const isAnyReported = rows.some(({ reported }) => reported > 0);
  return {
    caption: 'Averages for each board solved',
    columns: [
      { label: '#', isNumber: true },
      { label: 'Player' },
      ...(isTitled ? [{ label: 'Title' }] : []),
      ...(isDay ? [] : [{ label: 'Days', isNumber: true }]),
      ...SCORE_COLUMNS,
      ...(isAnyReported ? [{ label: 'Self-reported', short: 'Self', isNumber: true }] : []),
    ],
    rows: rows.map(({ rank, person, days, reported, counted, words, letters, hints }) => [
      rank,
      { person },
      ...(isTitled ? [titles.get(person) ?? ''] : []),
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
      label: PERIOD_LABELS[other],
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

/** A number with at most one decimal: 2, 2.3 */
export function decimal(number: number): string {
  return String(Math.round(number * 10) / 10);
}

export interface MissingRequest {
  readonly date: PuzzleDate;
  /** People, by the platform's ids. */
  readonly people: readonly string[];
  /** Whether the channel has any regulars, missing or not. */
  readonly hasRegulars: boolean;
  readonly hasMore: boolean;
  /** The days on which a regular must have solved the board, and the number of days examined. */
  readonly solved: number;
  readonly days: number;
}

/** The regulars of a channel who have not solved the day's board: mentioned without a notification. */
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
  return replyTo(people.length === 0 ? 'asker' : 'everyone', `Who is missing: ${longDate(date)}`, blocks, {
    rerun: { command: 'missing', options: {} },
  });
}

interface Listed {
  readonly isListed: boolean;
  /** Hidden from leaderboards, and therefore from the list as well. */
  readonly isHidden: boolean;
}

/** The answer after joining or leaving the list. */
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
      ...crowned(day),
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
function crowned({ results, names }: DayReview): Line[] {
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

export interface MonthReview {
  readonly from: PuzzleDate;
  /** Every day so far, with the number of people who solved its board. */
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
    rerun: { command: 'leaderboard', options: { review: true, date: from } },
  });
}

/** Only the most days, if names are hidden: places depend on words as well, which are not shown. */
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
  for (let at = 0; at < days.length; at += DAYS_PER_WEEK) {
    const week = days.slice(at, at + DAYS_PER_WEEK);
    const bars = week.map(({ people }) => (people === 0 ? '·' : BARS[Math.ceil((people / most) * 8) - 1]!));
    const last = at + week.length;
    rows.push([code(bars.join('')), ` ${at + 1}${last > at + 1 ? `–${last}` : ''}`]);
  }
  return rows;
}
