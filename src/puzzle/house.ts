import type { Board, Solution } from '../solver/types.ts';
import { weekdayOf } from './calendar.ts';
import type { Puzzle, PuzzleDate } from './types.ts';

type Difficulty = 'easy' | 'medium' | 'hard';
/** Monday to Sunday: a week that starts gently and is hardest at its end. */
const WEEK: readonly Difficulty[] = ['easy', 'easy', 'medium', 'medium', 'medium', 'hard', 'hard'];

/** The solver's generator over some lexicon: the same seed makes the same board on every machine. */
export type BoardMaker = (options: { readonly seed: string; readonly difficulty: Difficulty }) => {
  readonly board: Board;
  readonly solution: Pick<Solution, 'words'>;
};

/**
 * The board this program makes up for a date: the same for everyone, without a request.
 *
 * @example housePuzzle('2026-11-20', (options) => generate(lexicon, options)).source // 'house'
 */
export function housePuzzle(date: PuzzleDate, make: BoardMaker): Puzzle {
  const { board, solution } = make({ seed: `house:${date}`, difficulty: houseDifficulty(date) });
  return { date, source: 'house', board, official: solution.words };
}

export function houseDifficulty(date: PuzzleDate): Difficulty {
  return WEEK[weekdayOf(date) - 1]!;
}
