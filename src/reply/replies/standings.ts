import type { PuzzleDate } from '../../core/clock.ts';
import { longDate, monthOf, shortDate } from '../../core/text.ts';
import type { ResultSums } from '../../store/tables/results.ts';
import { aboutPage, pageButtons, pageNote, pageOf } from '../model/page.ts';
import { buttonsBlock, notes, replyTo, textBlock } from '../model/text.ts';
import type { Action, Button, Line, Reply, Table } from '../model/types.ts';
import {
  alsoSolvedLine,
  daysMarksText,
  MARKS_NOTE,
  marksText,
  type Ranked,
  type ScoreShown,
} from './result-line.ts';

const PEOPLE_PER_PAGE = 10;

export const PERIODS = ['day', 'week', 'month', 'all'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** Both dates are included. */
export interface Period {
  readonly name: PeriodName;
  readonly from: PuzzleDate;
  readonly to: PuzzleDate;
}
export type PeriodShown = Pick<Period, 'name' | 'from'>;

export interface Standing extends ResultSums {
  /** Counted from 1. People with equal results share a rank, and the next rank is skipped. */
  readonly rank: number;
}
type StandingShown = Omit<Standing, 'solvedAt'> & {
  /** What to note of a result of a day. */
  readonly marks?: string;
  /** The sums behind the averages, if these leave out today, whose words would tell how many its board takes. */
  readonly averaged?: Omit<ResultSums, 'person' | 'solvedAt'> | undefined;
};

const marksOf = (row: StandingShown) => row.marks ?? daysMarksText(row);

export function standingsOfDay(results: readonly (Ranked & ScoreShown)[]): StandingShown[] {
  return results.map(({ rank, person, words, letters, hints, reported, afterSolution, late }) => ({
    rank,
    person,
    words,
    letters,
    hints,
    days: 1,
    // An unknown number of letters is stored as 0.
    counted: letters > 0 ? 1 : 0,
    reported: reported ? 1 : 0,
    afterSolution: afterSolution && !reported ? 1 : 0,
    marks: marksText({ reported, afterSolution, late }),
  }));
}

export interface StandingsRequest {
  readonly period: PeriodShown;
  readonly previousPeriod?: PeriodShown;
  /** The period ended before today. */
  readonly isOver?: boolean;
  readonly standings: readonly StandingShown[];
  /** The calm people who solved the board of a day. */
  readonly calm?: readonly string[];
  /** The titles of a day's results, by person. */
  readonly titles?: ReadonlyMap<string, string> | undefined;
  /** Says only who solved a day's board: how few words somebody needed tells how many it takes. */
  readonly hidesWords?: boolean;
  readonly page?: number;
  /** The person whose row is shown on every page, if they have one. */
  readonly asker?: string;
  /** Only the asker sees it, and the answers of its buttons. */
  readonly isPrivate?: boolean;
  /** Whether people may have solved a board elsewhere, which counts here once they share it. */
  readonly mayShare?: boolean;
  /** The asker hides or is calm, so nothing of theirs counts here. */
  readonly isUnranked?: boolean;
}

export const LEADERBOARD_ORDER = `Most days solved come first (before the solution, then after it, then self-reported), then fewest words, fewest letters, fewest hints (strong ones count more), and who was earliest. ${MARKS_NOTE}`;
/** The button below a table, whose answer says the order and how to stay off it. */
export const HOW_RANKED: Button = {
  label: 'How is this ranked?',
  action: { command: 'help', options: { command: 'leaderboard' } },
};

const WORDS_FOLLOW =
  'You see how many words people needed once the thread says how few it takes, or the day is over.';

const TODAY_FOLLOWS =
  'Words, letters and hints are without today’s board until the thread says how few words it takes, or the day is over.';

/** A channel's leaderboard: people as their platform shows them, sums as averages for each day. */
export function standingsReply(request: StandingsRequest): Reply {
  const { period, previousPeriod, isOver, standings, calm = [], page, asker, isPrivate } = request;
  const isEmpty = standings.length + calm.length === 0;
  // Nobody else has to see that there is nothing.
  const isToAsker = isPrivate || isEmpty;
  const mayShare = request.mayShare && !(isToAsker && request.isUnranked);
  const options: Action['options'] = isPrivate ? { private: true } : {};
  const { shown, own, listed } = rankedPage(standings, { asker, page });
  const action = periodAction(period, options);
  const none: Line = isOver
    ? `No results${period.name === 'all' ? '' : ` that ${period.name}`}.`
    : ['No results yet. Solve a board and enter your words: ', { command: 'play' }];
  const table = standingsTable(listed, { ...request, isDay: period.name === 'day' });
  const blocks = [
    standings.length === 0 ? isEmpty && textBlock([none]) : { kind: 'table' as const, table },
    textBlock([alsoSolvedLine(calm)]),
    pageNote('Place', shown),
    notes(
      request.hidesWords && standings.length > 0 && WORDS_FOLLOW,
      standings.some(({ days, averaged }) => averaged && averaged.days < days) && TODAY_FOLLOWS,
      mayShare && !isOver && own === undefined && PRIVATE_RESULT_NOTE,
    ),
    buttonsBlock([
      ...pageButtons(action, shown),
      ...periodButtons(period, previousPeriod, options),
      standings.length > 0 && HOW_RANKED,
    ]),
  ];
  const about = aboutPage(action, shown, page !== undefined);
  return replyTo(isToAsker ? 'asker' : 'everyone', `Leaderboard: ${periodName(period)}`, blocks, about);
}

/** A page of ranked people, with the asker's own row below it if it is on another page. */
export function rankedPage<Row extends { readonly person: string }>(
  rows: readonly Row[],
  { asker, page = 1 }: Pick<StandingsRequest, 'asker' | 'page'>,
) {
  const shown = pageOf(rows, page, PEOPLE_PER_PAGE);
  const own = rows.find(({ person }) => person === asker);
  const isElsewhere = own !== undefined && !shown.items.includes(own);
  return { shown, own, listed: isElsewhere ? [...shown.items, own] : shown.items };
}

/**
 * Shown to everybody who is not listed, whether they have solved the board, hide or are calm: others see the answer, too, and
 * must not learn that.
 */
const PRIVATE_RESULT_NOTE: Line = [
  'Solved today’s board in a private chat? To count here: ',
  { command: 'share' },
];

export const PERIOD_LABELS: Readonly<Record<PeriodName, string>> = {
  day: 'Today',
  week: 'This week',
  month: 'This month',
  all: 'All time',
};

interface TableRequest extends Pick<StandingsRequest, 'titles' | 'hidesWords'> {
  /** Whether each row is one result. */
  readonly isDay: boolean;
}

export function standingsTable(
  rows: readonly StandingShown[],
  { isDay, titles = new Map(), hidesWords }: TableRequest,
): Table {
  if (hidesWords)
    return {
      caption: 'Who solved the board',
      columns: [{ label: 'Player' }, { label: 'Result' }],
      rows: rows.map(({ person }) => [{ person }, 'solved']),
    };
  const isTitled = rows.some(({ person }) => titles.has(person));
  const isAnyMarked = rows.some((row) => marksOf(row) !== '');
  return {
    caption: isDay ? 'Places by words, letters and hints' : 'Averages for each board solved',
    columns: [
      { label: '#', isNumber: true },
      { label: 'Player' },
      ...(isTitled ? [{ label: 'Title' }] : []),
      ...(isDay ? [] : [{ label: 'Days', isNumber: true }]),
      { label: 'Words', isNumber: true },
      { label: 'Letters', short: 'Ltrs', isNumber: true },
      { label: 'Hints', isNumber: true },
      ...(isAnyMarked ? [{ label: 'Note' }] : []),
    ],
    rows: rows.map((row) => {
      const { days, words, counted, letters, hints } = row.averaged ?? row;
      const averages = [[words, days] as const, [letters, counted] as const, [hints, days] as const];
      return [
        row.rank,
        { person: row.person },
        ...(isTitled ? [titles.get(row.person) ?? ''] : []),
        ...(isDay ? [] : [row.days]),
        ...averages.map(([sum, number]) => (number === 0 ? '–' : sum / number)),
        ...(isAnyMarked ? [marksOf(row)] : []),
      ];
    }),
  };
}

export function periodAction({ name, from }: PeriodShown, more: Action['options']): Action {
  const options: Action['options'] = { period: name, ...(name !== 'all' && { date: from }), ...more };
  return { command: 'leaderboard', options };
}

/** Buttons to the same leaderboard of other periods. */
export function periodButtons(
  { name }: PeriodShown,
  previous: PeriodShown | undefined,
  more: Action['options'],
): Button[] {
  const others = PERIODS.filter((other) => other !== name).map((other) => ({
    label: PERIOD_LABELS[other],
    action: { command: 'leaderboard', options: { ...more, period: other, page: 1 } },
  }));
  if (previous === undefined) return others;
  const action = periodAction(previous, { ...more, page: 1 });
  return [{ label: `The ${previous.name} before`, action }, ...others];
}

export function periodName({ name, from }: PeriodShown): string {
  if (name === 'day') return longDate(from);
  if (name === 'month') return monthOf(from);
  return name === 'all' ? 'all time' : `week of ${shortDate(from)}, ${from.slice(0, 4)}`;
}
