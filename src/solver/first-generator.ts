import { candidates } from './candidates.ts';
import type { Difficulty } from './difficulty.ts';
import { familiarWords } from './familiar.ts';
import type { Lexicon } from './lexicon.ts';
import { measure } from './measure.ts';
import { placeOfBoard, placeOfSeed } from './series.ts';

/**
 * The generator of house boards before `SECOND_GENERATOR` (`puzzle/house.ts`). It stays exactly as it was, with all it
 * uses, so that the boards of those days stay, too: a test holds a hash of them.
 */

const SHAPE = { sides: 4, sideLength: 3 } as const;
/** A third of the boards has each difficulty, so this many are always enough with a full word list. */
const MOST_MEASURED = 80;
/** One in 4096 boards is at a date's place in its series, so this many hold one of each difficulty. */
const MOST_LOOKED_AT = 200_000;
/** Thirds of its boards by their solutions in the fewest familiar words: so many or fewer, and so many or more. */
const HARD = 4;
const EASY = 19;

export interface FirstBoard {
  readonly sides: readonly string[];
  readonly words: readonly string[];
}

/** The first board of the seed that has the difficulty and stands at the place of the seed's date. */
export function firstGenerator(
  lexicon: Lexicon,
  seed: string,
  difficulty: Difficulty,
): FirstBoard | undefined {
  const place = placeOfSeed(seed);
  const atPlace = place === undefined ? undefined : first(lexicon, seed, difficulty, place);
  // A small word list may have no board at the date's place: a board that may come again is better than none.
  return atPlace ?? first(lexicon, seed, difficulty, undefined);
}

function first(
  lexicon: Lexicon,
  seed: string,
  difficulty: Difficulty,
  place: number | undefined,
): FirstBoard | undefined {
  return candidates(lexicon, { seed, shape: SHAPE, version: 1 })
    .take(MOST_LOOKED_AT)
    .filter(({ sides }) => place === undefined || placeOfBoard(sides) === place)
    .take(MOST_MEASURED)
    .find(({ sides, words }) => difficultyOf(lexicon, sides, words.length) === difficulty);
}

function difficultyOf(lexicon: Lexicon, sides: readonly string[], length: number): Difficulty {
  const { solutions } = measure(familiarWords(lexicon), sides, length, EASY);
  if (solutions >= EASY) return 'easy';
  return solutions <= HARD ? 'hard' : 'medium';
}
