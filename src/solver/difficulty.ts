import { groupBy, lettersIn, lowest } from './bits.ts';
import { type BoardShape, hasRepeats, NEWSPAPER_LETTERS, shapeKey } from './board.ts';
import { type Lexicon, onceForLexicon, tierOf, toByte } from './lexicon.ts';
import { walkDistinct } from './playable.ts';
import { type Board, type BoardWords, GRADES, type Grade } from './types.ts';

export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

/** A part of the newspaper's days in order of their two-word solutions: from 0, the fewest, to 1. */
export type Share = readonly [from: number, to: number];

/**
 * Two-word solutions of the newspaper's 332 days of 2024: 2, 13 and 51 at the quartiles, 174 at the 90th percentile.
 * The ends are our choice. Between two points, the logarithm is linear.
 */
const NEWSPAPER: readonly (readonly [share: number, solutions: number])[] = [
  [0, 1],
  [0.15, 1],
  [0.25, 2],
  [0.5, 13],
  [0.75, 51],
  [0.9, 174],
  [1, 500],
];

/** Which of the newspaper's days a generated board is like. Medium is like any of them. */
export const SHARES: Readonly<Record<Difficulty, Share>> = {
  easy: [0.75, 1],
  medium: [0, 1],
  hard: [0, 0.25],
};
/** From this share on, a board is built around a pair of words that everyone uses. */
export const WELL_KNOWN_FROM = 0.75;

/** Two-word solutions at the newspaper's quartiles: the bounds of what is called easy and hard. */
const FEW_SOLUTIONS = 2;
const MANY_SOLUTIONS = 51;

/** The number of two-word solutions that the newspaper's day at this place in their order has. */
export function solutionsAt(share: number): number {
  const above = Math.max(
    1,
    NEWSPAPER.findIndex(([at]) => at >= share),
  );
  const [from, fewer] = NEWSPAPER[above - 1]!;
  const [to, more] = NEWSPAPER[above]!;
  return Math.round(fewer * (more / fewer) ** ((share - from) / (to - from)));
}

/** How hard a generated board of twelve letters is, by its two-word solutions. Days and made boards have a finer grade. */
export function difficultyOf(solutions: number): Difficulty {
  if (solutions >= MANY_SOLUTIONS) return 'easy';
  return solutions <= FEW_SOLUTIONS ? 'hard' : 'medium';
}

/** For one shape: a board with at most `hard` familiar words is hard, and one with at least `easy` of them is easy. */
interface WordBounds {
  readonly hard: number;
  readonly easy: number;
}

/**
 * Boards of other sizes than the newspaper's, where its figures say nothing: the quartiles of the boards that the
 * generator makes of each shape (900 boards a shape; `npm run bench -- boards` measures them again).
 */
const WORD_BOUNDS: Readonly<Record<string, WordBounds>> = {
  '3x2': { hard: 10, easy: 20 },
  '3x3': { hard: 54, easy: 95 },
  '3x5': { hard: 579, easy: 864 },
  '3x6': { hard: 1204, easy: 1639 },
  '4x1': { hard: 4, easy: 7 },
  '4x2': { hard: 50, easy: 96 },
  '4x4': { hard: 1283, easy: 1837 },
  '4x5': { hard: 2909, easy: 3758 },
  '4x6': { hard: 4265, easy: 5321 },
  '5x1': { hard: 9, easy: 20 },
  '5x2': { hard: 183, easy: 332 },
  '5x3': { hard: 1230, easy: 1921 },
  '5x4': { hard: 3965, easy: 5027 },
  '5x5': { hard: 6206, easy: 7298 },
  '6x1': { hard: 22, easy: 48 },
  '6x3': { hard: 3378, easy: 4585 },
  '6x4': { hard: 7353, easy: 8666 },
  '7x1': { hard: 48, easy: 99 },
  '7x2': { hard: 1344, easy: 2265 },
  '7x3': { hard: 6688, easy: 8292 },
  '8x1': { hard: 90, easy: 195 },
  '8x2': { hard: 2816, easy: 4256 },
  '8x3': { hard: 9879, easy: 11687 },
};

/** How hard a board of another size is, by its familiar words; undefined for shapes that the house makes no boards of. */
export function difficultyByWords(shape: BoardShape, words: number): Difficulty | undefined {
  return WORD_BOUNDS[shapeKey(shape)] && DIFFICULTIES.find((each) => wordsOff(shape, words, each) === 0);
}

/** How many words a board of a generated shape has too few or too many for a difficulty. */
export function wordsOff(shape: BoardShape, words: number, difficulty: Difficulty): number {
  const { hard, easy } = WORD_BOUNDS[shapeKey(shape)]!;
  if (difficulty === 'easy') return Math.max(0, easy - words);
  if (difficulty === 'hard') return Math.max(0, words - hard);
  return Math.max(0, hard + 1 - words, words - easy + 1);
}

/** Words of par beyond the solution that a board of another size was built around. */
const OVER_SOLUTION: Readonly<Record<Difficulty, number>> = { easy: 2, medium: 3, hard: 4 };

/** Boards of up to this many letters have a par of one word less. */
const SMALL = 9;

/** A number of words to aim for on boards of other sizes, by how many letters they have in all. */
export function parByDifficulty(difficulty: Difficulty, letters: number, solution: number): number {
  return solution + OVER_SOLUTION[difficulty] - (letters <= SMALL ? 1 : 0);
}

/** The words that boards are built around, by their first letter, in typed arrays. */
export interface FamiliarWords {
  /** Words from `from[l]` to `from[l + 1]` begin with letter l. */
  readonly from: Uint32Array;
  /** A bit for each letter of the alphabet in the word. */
  readonly masks: Uint32Array;
  readonly first: Uint8Array;
  readonly last: Uint8Array;
  readonly lengths: Uint8Array;
  /** The word's number in the lexicon. */
  readonly numbers: Uint32Array;
  /** By number in the lexicon, 1 for a familiar word. */
  readonly isFamiliar: Uint8Array;
}

/** A board is built around everyday words of at least this likelihood, or around all everyday words if those are too few. */
const MIN_LIKELIHOOD = toByte(0.99);
const MIN_FAMILIAR_WORDS = 2000;

/** Everyday words, except those with double letters: no board of distinct letters has a walk for them. */
export const familiarWords = onceForLexicon((lexicon) => {
  const words = collect(lexicon, MIN_LIKELIHOOD);
  return words.numbers.length < MIN_FAMILIAR_WORDS ? collect(lexicon, 0) : words;
});

function collect({ likelihoods, tiers, size, wordAt }: Lexicon, least: number): FamiliarWords {
  const numbers = Uint32Array.from({ length: size }, (_, number) => number).filter(
    (number) =>
      tierOf(tiers[number]!) === 'everyday' && likelihoods[number]! >= least && !/(.)\1/.test(wordAt(number)),
  );
  const words = Array.from(numbers, wordAt);
  const isFamiliar = new Uint8Array(size);
  for (const number of numbers) isFamiliar[number] = 1;
  const first = Uint8Array.from(words, (word) => word.charCodeAt(0) - 97);
  return {
    from: groupBy(first, 26).from,
    masks: Uint32Array.from(words, lettersIn),
    first,
    last: Uint8Array.from(words, (word) => word.charCodeAt(word.length - 1) - 97),
    lengths: Uint8Array.from(words, ({ length }) => length),
    numbers,
    isFamiliar,
  };
}

/** How many familiar words can be walked on a board of distinct letters. */
export function countFamiliar(board: Board, lexicon: Lexicon): number {
  const { isFamiliar } = familiarWords(lexicon);
  return walkDistinct(board, lexicon).spelling.reduce((count, number) => count + isFamiliar[number]!, 0);
}

/** From each of these numbers of expected words on, a board has the next of `GRADES`. */
const GRADE_BOUNDS = [3.9, 4.3, 4.75, 5.25, 5.85, 6.7];

export function gradeOf(expected: number): Grade {
  return GRADES[GRADE_BOUNDS.filter((bound) => expected >= bound).length]!;
}

/** Par is at most this many words more than a solution. If few words are everyday ones, the expectation is meaningless. */
const MAX_OVER_SOLUTION = 6;

/**
 * A number of words to aim for, on a board of the newspaper's size: a median player meets it about half of the time.
 *
 * @param solution how many words its shortest known solution has
 */
export function parOf(expected: number, solution: number): number {
  return Math.max(solution, Math.min(Math.round(expected), solution + MAX_OVER_SOLUTION));
}

/**
 * How many words somebody who knows the everyday ones is expected to need: a linear model of two features, fitted to the
 * simulated player of scripts/house-schedule/compare.ts. The first is the letter that is hardest to get: how many words with
 * it begin where a random word ends. The second adds up how rare all letters are.
 *
 * @param everyday the everyday words of a board of distinct letters
 * @example expectedWords(everydayWords(walkDistinct(board, lexicon), lexicon)) // 5.2
 */
export function expectedWords({ from, ends, masks }: Pick<BoardWords, 'from' | 'ends' | 'masks'>): number {
  const spots = from.length - 1;
  const endingAt = new Uint32Array(spots);
  for (const end of ends) endingAt[end]!++;
  const through = new Uint32Array(spots);
  const within = new Float64Array(spots);
  for (let start = 0; start < spots; start++) {
    for (let edge = from[start]!; edge < from[start + 1]!; edge++) {
      for (let rest = masks[edge]!; rest !== 0; rest &= rest - 1) {
        const spot = lowest(rest);
        through[spot]!++;
        within[spot]! += endingAt[start]!;
      }
    }
  }
  const hardest = Math.min(...within) / Math.max(1, masks.length);
  const rarity = through.reduce((sum, words) => sum + 1 / (1 + words), 0);
  return INTERCEPT + OF_HARDEST / Math.sqrt(0.2 + hardest) + OF_RARITY * rarity;
}
const INTERCEPT = 2;
const OF_HARDEST = 3.5;
const OF_RARITY = 6;

/** `expectedWords` of a board of distinct letters, by the everyday words of a list. */
export function expectedBy(board: Board, lexicon: Lexicon): number {
  return expectedWords(everydayWords(walkDistinct(board, lexicon), lexicon));
}

/** The grade of a board, if it has as many distinct letters as the newspaper's. */
export function gradeOfBoard(board: Board, lexicon: Lexicon): Grade | undefined {
  const isLikeNewspaper = board.letters.length === NEWSPAPER_LETTERS && !hasRepeats(board);
  return isLikeNewspaper ? gradeOf(expectedBy(board, lexicon)) : undefined;
}

/** The everyday words among those of a board of distinct letters. */
export function everydayWords(
  {
    from,
    ends,
    masks,
    wordOf,
    spelling,
  }: Pick<BoardWords, 'from' | 'ends' | 'masks' | 'wordOf' | 'spelling'>,
  { tiers }: Lexicon,
): Pick<BoardWords, 'from' | 'ends' | 'masks' | 'wordOf'> {
  const edges: number[] = [];
  const begin = new Uint32Array(from.length);
  for (let spot = 0; spot + 1 < from.length; spot++) {
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++)
      if (tierOf(tiers[spelling[wordOf[edge]!]!]!) === 'everyday') edges.push(edge);
    begin[spot + 1] = edges.length;
  }
  return {
    from: begin,
    ends: Uint8Array.from(edges, (edge) => ends[edge]!),
    masks: Int32Array.from(edges, (edge) => masks[edge]!),
    wordOf: Uint32Array.from(edges, (edge) => wordOf[edge]!),
  };
}
