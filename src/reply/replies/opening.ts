/** The message that opens a day, and its lines about how people played. */

import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped, shortDate, weekdayName } from '../../core/text.ts';
import { addDays } from '../../puzzle/calendar.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { actionOn, boardToPlay, namedBoardOfDay } from '../model/named-board.ts';
import {
  buttonsBlock,
  joined,
  type Maybe,
  notes,
  piecesOf,
  present,
  textBlock,
  toEveryone,
} from '../model/text.ts';
import type { Button, Line, Reply } from '../model/types.ts';
import { playButtons, sourceLabel } from './board.ts';
import {
  crownOf,
  type DaysShown,
  daysMarksText,
  marksText,
  type Players,
  type Ranked,
  type ScoreShown,
} from './result-line.ts';

/** What an opening says besides its board and its thread. */
export interface OpeningExtras {
  /** What it says about the board's letters, above the other lines. */
  readonly remark?: Maybe<Line>;
  readonly lines?: readonly Maybe<Line>[];
  /** A sentence with the numbers of people who play and who have solved it, at the end of the small print. */
  readonly players?: string | undefined;
  /** Buttons beside those of the board. */
  readonly buttons?: readonly Button[];
}

export interface OpeningRequest extends OpeningExtras {
  readonly puzzle: Puzzle;
  /** When the puzzle's day ends. */
  readonly until: number;
  /** The times of the thread's steps. */
  readonly thread: Maybe<Line>;
}

export function openingReply({
  puzzle,
  until,
  thread,
  remark,
  lines = [],
  players,
  buttons = [],
}: OpeningRequest): Reply {
  const { date, difficulty, par } = puzzle;
  const namedBoard = namedBoardOfDay(puzzle);
  const about: Line = [
    ...piecesOf(sourceLabel(puzzle)),
    ' On until ',
    { moment: until, style: 'time' },
    players === undefined ? '.' : `. ${players}`,
  ];
  const title = [`${weekdayName(date)}, ${shortDate(date)}`, difficulty, par !== undefined && `par ${par}`];
  const blocks = [
    boardToPlay(namedBoard),
    textBlock([remark, ...lines]),
    notes(thread, about),
    buttonsBlock([...playButtons(namedBoard), ...buttons]),
  ];
  return toEveryone(title.filter(Boolean).join(' · '), blocks, { rerun: actionOn(namedBoard, 'today') });
}

/** @example playersText({ playing: 3, solved: 5, best: 2 }) // '3 playing, 5 solved, best 2 words.' */
export function playersText({ playing, solved, best }: Players): string | undefined {
  const parts = present([
    playing > 0 && `${grouped(playing)} playing`,
    solved > 0 && `${grouped(solved)} solved`,
    best !== undefined && `best ${counted(best, 'word')}`,
  ]);
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

/** The most people to name: with more, the message is higher than a phone. */
const MAX_NAMES = 3;

/** The results of the channel's previous day with a thread, as on that day's leaderboard. */
export interface Yesterday {
  readonly date: PuzzleDate;
  /** The day that opens. */
  readonly today: PuzzleDate;
  readonly results: readonly (Ranked & ScoreShown)[];
  /** The number of calm people who solved it, of whose results nothing is told. */
  readonly calm?: number;
  readonly names: boolean;
  /** Days in a row with a solution, apart from those that a freeze or a weekend without a thread skips. */
  readonly streak: number;
}

/** @example yesterdayLine({ date, today, results, names: true, streak: 6 }) // Yesterday: 👑 @ada 2 words · @ben 3 · 6-day streak */
export function yesterdayLine({ results, calm = 0, names, streak, ...day }: Yesterday): Maybe<Line> {
  const [best] = results;
  const solved = results.length + calm;
  if (solved === 0) return undefined;
  const who: Maybe<Line>[] =
    names && best !== undefined
      ? [
          ...namedResults(results, ({ words }) => words, 'word', marksText),
          calm > 0 && `${calm} more solved it`,
        ]
      : [
          `${solved === 1 ? 'one person' : `${solved} people`} solved it`,
          best && `the best in ${counted(best.words, 'word')}`,
        ];
  return [`${dayName(day)}: `, ...joined(present([...who, streak > 1 && `${streak}-day streak`]), ' · ')];
}

/** Shows the solutions of the day before to the person who presses it. */
export function yesterdayButton(day: Pick<Yesterday, 'date' | 'today'>): Button {
  return { label: `${dayName(day)}’s solutions`, action: { command: 'solve', options: { date: day.date } } };
}

/** Who led the leaderboard of the week before, on the first morning after it. */
export function weekLine(standings: readonly (Ranked & DaysShown)[], names: boolean): Maybe<Line> {
  const best = standings.filter(({ rank }) => rank === 1);
  if (best.length === 0) return undefined;
  // Places without names mean nothing: they depend on words as well, which are not shown.
  if (!names) return `Best of last week: ${counted(best[0]!.days, 'day')}.`;
  const named = namedResults(best, ({ days }) => days, 'day', daysMarksText);
  return ['Last week: ', ...joined(named, ' · ')];
}

/** The first results, with a crown for the best; only the first result names the unit. */
function namedResults<One extends Ranked>(
  ranked: readonly One[],
  numberOf: (one: One) => number,
  unit: string,
  marksOf: (one: One) => string,
): Line[] {
  const more = ranked.length - MAX_NAMES;
  return ranked
    .slice(0, MAX_NAMES)
    .map((one, index) => [
      crownOf(one) === undefined ? '' : `${crownOf(one)} `,
      { person: one.person },
      ` ${index === 0 ? counted(numberOf(one), unit) : numberOf(one)}`,
      marksOf(one) === '' ? '' : ` (${marksOf(one)})`,
      index === MAX_NAMES - 1 && more > 0 ? ` · ${counted(more, 'other')}` : '',
    ]);
}

/** After a week without a thread, a weekday would be taken for a later one. */
function dayName({ date, today }: Pick<Yesterday, 'date' | 'today'>): string {
  if (date === addDays(today, -1)) return 'Yesterday';
  return date > addDays(today, -7) ? weekdayName(date) : shortDate(date);
}
