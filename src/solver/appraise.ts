import { hasRepeats } from './board.ts';
import {
  type Difficulty,
  difficultyByWords,
  hasWordBounds,
  parByDifficulty,
  parByPlayable,
} from './difficulty.ts';
import { countFamiliar, familiarWords } from './familiar.ts';
import type { Lexicon } from './lexicon.ts';
import type { Search } from './search.ts';
import { NEWSPAPER_LETTERS } from './shape.ts';
import type { Board } from './types.ts';

/** What is found out about a board that somebody has made. */
export interface Appraisal {
  /** Words of the shortest solution, or of the shortest that was found in time. */
  readonly fewest: number;
  /** The same of everyday words; left out where no such solution was found. */
  readonly everyday?: number;
  /** Left out for shapes that the house makes no boards of. */
  readonly difficulty?: Difficulty;
  /** A number of words to aim for. */
  readonly par: number;
}

export interface Appraised {
  readonly board: Board;
  /** Of all words, and of everyday words alone. */
  readonly all: Search;
  readonly everyday: Search;
  readonly lexicon: Lexicon;
  /** How hard boards of the newspaper's size with so many two-word solutions are. */
  readonly difficultyBySolutions: (solutions: number) => Difficulty;
}

/**
 * How hard a board is and how many words to aim for, measured as those of generated boards are. `none`: no words solve
 * it; `unknown`: none were found in time.
 */
export function appraise(appraised: Appraised): Appraisal | 'none' | 'unknown' {
  const { board, all, everyday } = appraised;
  const fewest = fewestOf(all);
  if (fewest === undefined) return all.cut === undefined ? 'none' : 'unknown';
  const known = fewestOf(everyday);
  const difficulty = difficultyOfBoard(appraised);
  const best = known ?? fewest;
  const par =
    board.letters.length === NEWSPAPER_LETTERS
      ? parByPlayable(all.words.length, best)
      : parByDifficulty(difficulty ?? 'medium', board.letters.length, best);
  return {
    fewest,
    ...(known !== undefined && { everyday: known }),
    ...(difficulty !== undefined && { difficulty }),
    par,
  };
}

function fewestOf(search: Search): number | undefined {
  return search.fewest ?? search.fewestBounds.atMost;
}

function difficultyOfBoard({
  board,
  all,
  lexicon,
  difficultyBySolutions,
}: Appraised): Difficulty | undefined {
  if (board.letters.length === NEWSPAPER_LETTERS) {
    const solutions = all.count(2);
    return solutions === undefined ? undefined : difficultyBySolutions(Number(solutions));
  }
  const [side = ''] = board.sides;
  const isEven = board.sides.every(({ length }) => length === side.length);
  const shape = { sides: board.sides.length, sideLength: side.length };
  if (!isEven || hasRepeats(board) || !hasWordBounds(shape)) return undefined;
  return difficultyByWords(shape, countFamiliar(familiarWords(lexicon), board.sides));
}
