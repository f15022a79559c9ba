import { DAY, type PuzzleDate } from '../core/clock.ts';
import { hasRepeats, NEWSPAPER_LETTERS } from '../solver/board.ts';
import {
  countFamiliar,
  type Difficulty,
  difficultyByWords,
  parByDifficulty,
  parByPlayable,
  type Share,
  solutionsAt,
} from '../solver/difficulty.ts';
import type { GeneratedBoard } from '../solver/generate.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import type { Search } from '../solver/search.ts';
import { weekdayOf } from './calendar.ts';
import { ATTEMPTS, SCHEDULE_START } from './house-schedule.ts';
import type { Puzzle } from './types.ts';

/** Monday to Sunday: a week that starts gently and is hardest at its end. */
const DIFFICULTY_BY_WEEKDAY: readonly Difficulty[] = [
  'easy',
  'easy',
  'medium',
  'medium',
  'medium',
  'hard',
  'hard',
];
/** The part of the newspaper's days that each difficulty matches. Over a week, all of its days are equally likely. */
const SHARES: Readonly<Record<Difficulty, Share>> = {
  easy: [5 / 7, 1],
  medium: [2 / 7, 5 / 7],
  hard: [0, 2 / 7],
};

/** How hard the house's boards are, by their number of two-word solutions. */
export function houseDifficultyBySolutions(solutions: number): Difficulty {
  if (solutions >= solutionsAt(SHARES.easy[0])) return 'easy';
  return solutions <= solutionsAt(SHARES.hard[1]) ? 'hard' : 'medium';
}

/** The solver's generator over some lexicon: the same options make the same board on every machine. */
type BoardMaker = (options: {
  readonly seed: string;
  readonly share: Share;
}) => Pick<GeneratedBoard, 'board' | 'par'> & { readonly solution: { readonly words: readonly string[] } };

/**
 * The attempt that makes a date's board: the first one whose words are on none of the 90 days before, with more conditions
 * in `scripts/house-schedule.ts`.
 */
function attemptOf(date: PuzzleDate): number {
  const day = (Date.parse(date) - Date.parse(SCHEDULE_START)) / DAY;
  return Number.parseInt(ATTEMPTS[day] ?? '0', 36);
}

/** How seeds of the house begin, and none that a person types. */
const HOUSE_SEED = 'house';

/** The seed for one that a person typed: never one of the house, whose coming boards anybody could see otherwise. */
export function typedSeed(typed: string): string {
  return typed.trim().toLowerCase().startsWith(HOUSE_SEED) ? `typed ${typed.trim()}` : typed;
}

/** The seed of an attempt. It ends in the date, so that no other date has the same board (`turnOfSeed`). */
function houseSeed(date: PuzzleDate, attempt: number): string {
  return `${HOUSE_SEED}${attempt === 0 ? '' : attempt}:${date}`;
}

/**
 * The board that this program makes for a date: the same for everyone, without a request.
 *
 * @example housePuzzle('2026-11-24', (options) => generate(lexicon, options)).source // 'house'
 */
export function housePuzzle(date: PuzzleDate, make: BoardMaker, attempt = attemptOf(date)): Puzzle {
  const seed = houseSeed(date, attempt);
  const { board, solution, par } = make({ seed, share: SHARES[houseDifficulty(date)] });
  return { date, source: 'house', board, par, official: solution.words };
}

export function houseDifficulty(date: PuzzleDate): Difficulty {
  return DIFFICULTY_BY_WEEKDAY[weekdayOf(date) - 1]!;
}

/** What is found out about a board that somebody has made. */
export interface Appraisal {
  /** Words of the shortest solution, or of the shortest that was found in time. */
  readonly fewest: number;
  /** The same with everyday words alone; left out where no such solution was found. */
  readonly everyday?: number;
  /** Left out for shapes that the house makes no boards of. */
  readonly difficulty?: Difficulty;
  /** A number of words to aim for. */
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
  const difficulty = difficultyOf(all, lexicon);
  const best = known ?? fewest;
  const { length } = all.board.letters;
  const par =
    length === NEWSPAPER_LETTERS
      ? parByPlayable(all.words.length, best)
      : parByDifficulty(difficulty ?? 'medium', length, best);
  return { fewest, everyday: known, difficulty, par };
}

function fewestOf(search: Search): number | undefined {
  return search.fewest ?? search.fewestBounds.atMost;
}

function difficultyOf(search: Search, lexicon: Lexicon): Difficulty | undefined {
  const { board } = search;
  if (board.letters.length === NEWSPAPER_LETTERS) {
    const solutions = search.count(2);
    return solutions === undefined ? undefined : houseDifficultyBySolutions(Number(solutions));
  }
  const shape = { sides: board.sides.length, sideLength: board.sides[0]!.length };
  const isEven = board.sides.every((side) => side.length === shape.sideLength);
  return isEven && !hasRepeats(board) ? difficultyByWords(shape, countFamiliar(board, lexicon)) : undefined;
}
