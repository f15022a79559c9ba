/** The message of a morning, and what it tells about how people played. */

import type { PuzzleDate } from '../../core/clock.ts';
import { counted, shortDate, weekdayName } from '../../core/text.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { actionOn, boardToPlay, namedBoardOfDay } from '../model/action.ts';
import { buttonsBlock, type Maybe, notes, piecesOf, textBlock, toEveryone } from '../model/text.ts';
import type { Button, Inline, Line, Reply } from '../model/types.ts';
import { playButtons, sourceLabel } from './board.ts';
import { rankMark } from './result-line.ts';

/** What an opening says besides its board and its thread. */
export interface Morning {
  readonly lines?: readonly Maybe<Line>[];
  /** How many people play, and have solved it, in the end. */
  readonly players?: string | undefined;
  /** Beside those of the board. */
  readonly buttons?: readonly Button[];
}

export interface MorningRequest extends Morning {
  readonly puzzle: Puzzle;
  /** When the puzzle's day ends. */
  readonly until: number;
  /** What the thread tells, and when. */
  readonly thread: Maybe<Line>;
}

/** The message of a morning, which a phone shows whole (`scripts/phone.ts`): the board first, small print last. */
export function morningReply({
  puzzle,
  until,
  thread,
  lines = [],
  players,
  buttons = [],
}: MorningRequest): Reply {
  const namedBoard = namedBoardOfDay(puzzle);
  const about: Line = [
    ...piecesOf(sourceLabel(puzzle)),
    ' On until ',
    { moment: until, style: 'time' },
    players === undefined ? '.' : `. ${players}`,
  ];
  const blocks = [
    boardToPlay(namedBoard),
    textBlock(lines),
    notes(thread, about),
    buttonsBlock([...playButtons(namedBoard), ...buttons]),
  ];
  const day = `${weekdayName(puzzle.date)}, ${shortDate(puzzle.date)}`;
  const title = puzzle.par === undefined ? day : `${day} · par ${puzzle.par}`;
  return toEveryone(title, blocks, { again: actionOn(namedBoard, 'today') });
}

/** @example playersText({ playing: 3, solved: 5 }) // '3 playing, 5 solved.' */
export function playersText({ playing, solved }: { playing: number; solved: number }): string | undefined {
  const parts = [playing > 0 && `${playing} playing`, solved > 0 && `${solved} solved`].filter(Boolean);
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

/** People who are named: with more, the message is higher than a phone (`scripts/phone.ts`). */
const MAX_NAMES = 3;

interface Ranked {
  readonly rank: number;
  readonly person: string;
}

/** The day before, in one line, as on its leaderboard; nothing if nobody played. */
export interface Yesterday {
  readonly date: PuzzleDate;
  readonly isYesterday: boolean;
  readonly results: readonly (Ranked & { readonly words: number })[];
  readonly names: boolean;
  /** Days in a row with a solution. */
  readonly streak: number;
}

/** @example yesterdayLine({ date, isYesterday: true, results, names: true, streak: 6 }) // Yesterday: 👑 @ada 2 words · @ben 3 · 6 days in a row */
export function yesterdayLine({ results, names, streak, ...day }: Yesterday): Maybe<Line> {
  const [best] = results;
  if (best === undefined) return undefined;
  const people = results.length === 1 ? 'one person' : `${results.length} people`;
  const unnamed = [`${people} solved it`, `the best in ${counted(best.words, 'word')}`];
  const parts: readonly Inline[][] = names
    ? crowned(results, ({ words }) => words, 'word')
    : unnamed.map((part) => [part]);
  const row = streak > 1 ? [[`${counted(streak, 'day')} in a row`]] : [];
  return dotted(`${dayName(day)}: `, [...parts, ...row]);
}

/** Leads to the solutions of the day before, for the person who presses it. */
export function yesterdayButton(day: Pick<Yesterday, 'date' | 'isYesterday'>): Button {
  return { label: `${dayName(day)}’s solutions`, action: { command: 'solve', options: { date: day.date } } };
}

/** The week before, on its first morning after: who was first on its leaderboard. */
export function weekLine(
  standings: readonly (Ranked & { readonly days: number })[],
  names: boolean,
): Maybe<Line> {
  const best = standings.filter(({ rank }) => rank === 1);
  if (best.length === 0) return undefined;
  // Without names, places say nothing: they depend on words as well, which are not shown.
  if (!names) return `The most days of one person last week: ${best[0]!.days}.`;
  return dotted(
    'Last week: ',
    crowned(best, ({ days }) => days, 'day'),
  );
}

/** The first ones, with a crown for each who is first; the unit is said once. */
function crowned<One extends Ranked>(
  those: readonly One[],
  numberOf: (one: One) => number,
  unit: string,
): Inline[][] {
  const more = those.length - MAX_NAMES;
  return those
    .slice(0, MAX_NAMES)
    .map((one, index) => [
      one.rank === 1 ? `${rankMark(1)} ` : '',
      { person: one.person },
      ` ${index === 0 ? counted(numberOf(one), unit) : numberOf(one)}`,
      index === MAX_NAMES - 1 && more > 0 ? ` and ${more} more` : '',
    ]);
}

function dayName({ date, isYesterday }: Pick<Yesterday, 'date' | 'isYesterday'>): string {
  return isYesterday ? 'Yesterday' : weekdayName(date);
}

function dotted(label: string, parts: readonly (readonly Inline[])[]): Line {
  return [label, ...parts.flatMap((part, index) => (index === 0 ? part : [' · ', ...part]))];
}
