import type { PuzzleDate } from '../core/clock.ts';
import { solutionsAt } from '../solver/difficulty.ts';
import type { Board, Solution } from '../solver/types.ts';
import type { Puzzle } from './types.ts';

type Difficulty = 'easy' | 'medium' | 'hard';

/**
 * The first date whose board the second generator makes, which counts the two-word solutions and makes boards like the
 * newspaper's. Boards of days before stay as they were.
 */
export const SECOND_GENERATOR: PuzzleDate = '2026-11-24';

/** Monday to Sunday: a week that starts gently and is hardest at its end. */
const WEEK: readonly Difficulty[] = ['easy', 'easy', 'medium', 'medium', 'medium', 'hard', 'hard'];
/** The parts of the newspaper's days that those are like: over a week, each day of theirs is as likely. */
const SHARES: Readonly<Record<Difficulty, readonly [number, number]>> = {
  easy: [5 / 7, 1],
  medium: [2 / 7, 5 / 7],
  hard: [0, 2 / 7],
};

/** How hard the house's boards with so many two-word solutions are. */
export function houseDifficultyBySolutions(solutions: number): Difficulty {
  if (solutions >= solutionsAt(SHARES.easy[0])) return 'easy';
  return solutions <= solutionsAt(SHARES.hard[1]) ? 'hard' : 'medium';
}

/** What a house board is made from. */
export type HouseOptions =
  | { readonly seed: string; readonly difficulty: Difficulty; readonly version: 1 }
  | { readonly seed: string; readonly share: readonly [number, number] };

/** The solver's generator over some lexicon: the same options make the same board on every machine. */
export type BoardMaker = (options: HouseOptions) => {
  readonly board: Board;
  readonly solution: Pick<Solution, 'words'>;
  readonly par: number;
};

/**
 * The board this program makes up for a date: the same for everyone, without a request.
 *
 * @example housePuzzle('2026-11-24', (options) => generate(lexicon, options)).source // 'house'
 */
export function housePuzzle(date: PuzzleDate, make: BoardMaker): Puzzle {
  const seed = `house:${date}`;
  const difficulty = houseDifficulty(date);
  if (date < SECOND_GENERATOR) {
    const { board, solution } = make({ seed, difficulty, version: 1 });
    return { date, source: 'house', board, official: solution.words };
  }
  const { board, solution, par } = make({ seed, share: SHARES[difficulty] });
  return { date, source: 'house', board, par, official: solution.words };
}

export function houseDifficulty(date: PuzzleDate): Difficulty {
  // Without the calendar, whose time zones take long to load: a typed board at the terminal needs none.
  const daysAfterSunday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return WEEK[(daysAfterSunday + 6) % 7]!;
}
