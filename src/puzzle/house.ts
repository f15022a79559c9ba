import { DAY, type PuzzleDate } from '../core/clock.ts';
import { hasRepeats, makeBoard, NEWSPAPER_LETTERS } from '../solver/board.ts';
import {
  countFamiliar,
  type Difficulty,
  difficultyByWords,
  expectedWords,
  gradeOf,
  parByDifficulty,
  parOf,
} from '../solver/difficulty.ts';
import type { GeneratedBoard } from '../solver/generate.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { packWords } from '../solver/playable.ts';
import type { Search } from '../solver/search.ts';
import type { Grade } from '../solver/types.ts';
import { addDays, houseDifficulty, weekdayOf } from './calendar.ts';
import { scheduleLine } from './house-schedule.ts';
import type { DayBoard, Puzzle } from './types.ts';

/** The day of the schedule's first line. */
export const SCHEDULE_START = '2026-01-01';
/** The lines of the schedule. */
export const SCHEDULE_DAYS = 4_018;

function lineOf(date: PuzzleDate): string {
  const day = Math.round((Date.parse(date) - Date.parse(SCHEDULE_START)) / DAY);
  return scheduleLine(((day % SCHEDULE_DAYS) + SCHEDULE_DAYS) % SCHEDULE_DAYS);
}

/** A word list, and the solver's generator over it: the same options make the same board on every machine. */
interface BoardMaker {
  readonly lexicon: Pick<Lexicon, 'find'>;
  readonly make: (options: {
    readonly seed: string;
    readonly difficulty: Difficulty;
  }) => Pick<GeneratedBoard, 'board' | 'par' | 'solution'>;
}

/**
 * The board that this program has for a date: the same for everyone, without a request. After its last day, the
 * schedule begins again: it has whole weeks, so that every board keeps its weekday.
 *
 * @param other an operator's own word list, for which a board is made if it lacks a word of the scheduled solution
 * @example housePuzzle('2026-11-24').official // its two words
 */
export function housePuzzle(date: PuzzleDate, other?: BoardMaker): Puzzle {
  const [first = '', second = '', par, ...sides] = rotate(lineOf(date)).split(' ');
  const official = [first, second];
  const puzzle: Puzzle = { date, source: 'house', board: makeBoard(sides), par: Number(par), official };
  if (other !== undefined && !official.every((word) => other.lexicon.find(word))) return madeFor(date, other);
  return { ...puzzle, difficulty: houseDifficulty(date) };
}

/** The house's days before this one, the latest first; none if this day has another board than the house's. */
export function* houseDaysBefore({ date, board }: DayBoard): Generator<DayBoard, undefined> {
  if (!rotate(lineOf(date)).endsWith(` ${board.sides.join(' ')}`)) return;
  for (let before = addDays(date, -1); ; before = addDays(before, -1))
    yield { date: before, board: makeBoard(rotate(lineOf(before)).split(' ').slice(3)) };
}

/** How hard the boards are that are made with other word lists, Monday to Sunday. */
const DIFFICULTY_BY_WEEKDAY: readonly Difficulty[] = [
  'easy',
  'easy',
  'medium',
  'medium',
  'medium',
  'hard',
  'hard',
];

function madeFor(date: PuzzleDate, { make }: BoardMaker): Puzzle {
  const difficulty = DIFFICULTY_BY_WEEKDAY[weekdayOf(date) - 1]!;
  const { board, par, solution } = make({ seed: `${HOUSE_SEED}:${date}`, difficulty });
  return { date, source: 'house', board, par, official: solution.words, difficulty };
}

/** How seeds of the house begin, and none that a person types. */
const HOUSE_SEED = 'house';

/** The seed for one that a person typed: never one of the house, whose coming boards anybody could see otherwise. */
export function typedSeed(typed: string): string {
  return typed.trim().toLowerCase().startsWith(HOUSE_SEED) ? `typed ${typed.trim()}` : typed;
}

/** ROT13, so that nobody reads a solution by accident. It undoes itself. */
export function rotate(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97));
}

/** What is found out about a board that somebody has made. */
export interface Appraisal {
  /** Words of the shortest solution, or of the shortest that was found in time. */
  readonly fewest: number;
  /** The same with everyday words alone; left out where no such solution was found. */
  readonly everyday?: number;
  /** Left out for shapes that the house makes no boards of. */
  readonly difficulty?: Grade;
  readonly par: number;
}

/**
 * How hard a board is and how many words to aim for, measured as for the house's boards. `none`: no words solve it; `unknown`:
 * none were found in time.
 *
 * @param all its search with all words, and `everyday` with everyday words alone
 */
export function appraise(all: Search, everyday: Search, lexicon: Lexicon): Appraisal | 'none' | 'unknown' {
  const fewest = fewestOf(all);
  if (fewest === undefined) return all.cut === undefined ? 'none' : 'unknown';
  const known = fewestOf(everyday);
  const best = known ?? fewest;
  const { board } = all;
  if (board.letters.length === NEWSPAPER_LETTERS && !hasRepeats(board)) {
    const expected = expectedWords(packWords(board, everyday.words));
    return { fewest, everyday: known, difficulty: gradeOf(expected), par: parOf(expected, best) };
  }
  const difficulty = difficultyOfOtherSize(all, lexicon);
  const par = parByDifficulty(difficulty ?? 'medium', board.letters.length, best);
  return { fewest, everyday: known, difficulty, par };
}

function fewestOf(search: Search): number | undefined {
  return search.fewest ?? search.fewestBounds.atMost;
}

function difficultyOfOtherSize({ board }: Search, lexicon: Lexicon) {
  const shape = { sides: board.sides.length, sideLength: board.sides[0]!.length };
  const isEven = board.sides.every((side) => side.length === shape.sideLength);
  return isEven && !hasRepeats(board) ? difficultyByWords(shape, countFamiliar(board, lexicon)) : undefined;
}
