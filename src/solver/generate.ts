import { UserError } from '../core/errors.ts';
import { clip, counted } from '../core/text.ts';
import { LIMITS, makeBoard } from './board.ts';
import { candidates } from './candidates.ts';
import {
  DIFFICULTIES,
  type Difficulty,
  difficultyByWords,
  difficultyOf,
  parByDifficulty,
  parByPlayable,
  SHARES,
  type Share,
  wordsOff,
} from './difficulty.ts';
import { countFamiliar, familiarWords } from './familiar.ts';
import type { Lexicon } from './lexicon.ts';
import { likeNewspaper } from './like-newspaper.ts';
import { type BoardShape, letterCount, NEWSPAPER_LETTERS } from './shape.ts';
import type { Board, Solution } from './types.ts';

export { DIFFICULTIES, type Difficulty };

export interface GenerateOptions {
  /** Any text; the same one gives the same board. Seeds that end in a date share none for eleven years (`series.ts`). */
  readonly seed: string;
  /** Left out: like the newspaper's for twelve letters, else whatever comes first. */
  readonly difficulty?: Difficulty;
  readonly sides?: number;
  /** Letters of each side. */
  readonly letters?: number;
  /** For twelve letters, more exactly than a difficulty: which of the newspaper's days to be like. */
  readonly share?: Share;
}

export interface GeneratedBoard {
  readonly board: Board;
  readonly seed: string;
  readonly difficulty: Difficulty;
  /** The difficulty that was asked for, if no such board was found. */
  readonly wanted?: Difficulty;
  /** The chain of familiar words that the board was built around. */
  readonly solution: Solution;
  /** A number of words to aim for. */
  readonly par: number;
}

/** What is made of a shape, before it is known whether it suits. */
interface Draft {
  readonly board: Board;
  readonly words: readonly string[];
  readonly difficulty: Difficulty;
  readonly par: number;
}

/**
 * Boards of other sizes looked at for one of the difficulty. A quarter of them are easy and a quarter hard, so one
 * search in a thousand ends without; the largest boards take up to ten milliseconds each.
 */
const MOST_DRAFTS = 24;

/**
 * A board that familiar words solve. The same seed, shape and difficulty give the same board on every machine with
 * the same word list, however fast it is: all work is bounded by counted steps. No letter stands on it twice: no
 * shape has more spots than the alphabet has letters.
 *
 * @example generate(lexicon, { seed: 'tea', difficulty: 'easy' }).board.sides
 */
export function generate(lexicon: Lexicon, options: GenerateOptions): GeneratedBoard {
  const { seed, difficulty, sides = 4, letters = 3 } = options;
  const shape = { sides, sideLength: letters };
  checkShape(shape);
  checkDifficulty(difficulty);
  const draft = draftOf(lexicon, shape, options);
  if (draft === undefined) throw none(shape);
  const { board, words, par } = draft;
  const likelihood = words.reduce((product, word) => product * (lexicon.find(word)?.likelihood ?? 0), 1);
  return {
    board,
    seed,
    difficulty: draft.difficulty,
    ...(difficulty !== undefined && difficulty !== draft.difficulty && { wanted: difficulty }),
    solution: { words, likelihood },
    par,
  };
}

function draftOf(lexicon: Lexicon, shape: BoardShape, options: GenerateOptions): Draft | undefined {
  // Phones begin what is typed with a capital.
  const sameSeed = { ...options, seed: options.seed.trim().toLowerCase() };
  return letterCount(shape) === NEWSPAPER_LETTERS
    ? ofNewspaperSize(lexicon, shape, sameSeed)
    : ofOtherSize(lexicon, shape, sameSeed);
}

function ofNewspaperSize(
  lexicon: Lexicon,
  shape: BoardShape,
  { seed, difficulty, share = SHARES[difficulty ?? 'medium'] }: GenerateOptions,
): Draft | undefined {
  const made = likeNewspaper({ lexicon, seed, shape, share });
  if (made === undefined) return undefined;
  const { board, words, count } = made;
  // The newspaper's days, which medium boards are like, are easy and hard ones, too.
  const found = difficulty === 'medium' ? 'medium' : difficultyOf(count.solutions);
  return { board, words, difficulty: found, par: parByPlayable(count.playable, words.length) };
}

function ofOtherSize(
  lexicon: Lexicon,
  shape: BoardShape,
  { seed, difficulty }: GenerateOptions,
): Draft | undefined {
  const familiar = familiarWords(lexicon);
  let best: Draft | undefined;
  let leastOff = Number.POSITIVE_INFINITY;
  for (const candidate of candidates(lexicon, { seed, shape }).take(MOST_DRAFTS)) {
    const words = countFamiliar(familiar, candidate.sides);
    const found = difficultyByWords(shape, words);
    const off = difficulty === undefined ? 0 : wordsOff(shape, words, difficulty);
    if (off >= leastOff) continue;
    leastOff = off;
    best = {
      board: makeBoard(candidate.sides),
      words: candidate.words,
      difficulty: found,
      par: parByDifficulty(found, letterCount(shape), candidate.words.length),
    };
    if (off === 0) break;
  }
  return best;
}

function none(shape: BoardShape): UserError {
  return new UserError(
    'generate.words',
    `I found no everyday words for a board of ${shapeName(shape)}. Try 4 sides with 3 letters each.`,
  );
}

function shapeName({ sides, sideLength }: BoardShape): string {
  return `${sides} sides with ${counted(sideLength, 'letter')} each`;
}

function checkShape(shape: BoardShape): void {
  checkRange('sides', shape.sides, LIMITS.sides);
  checkRange('letters', shape.sideLength, LIMITS.lettersPerSide);
  const spots = letterCount(shape);
  const [least, most] = LIMITS.spots;
  if (spots >= least && spots <= most) return;
  throw new UserError(
    'generate.spots',
    `${shapeName(shape)} make ${spots} letters. A board has ${least} to ${most}. Try 4 sides with 3 letters each.`,
  );
}

function checkRange(
  what: 'sides' | 'letters',
  number: number,
  [least, most]: readonly [number, number],
): void {
  if (Number.isInteger(number) && number >= least && number <= most) return;
  const whose = what === 'sides' ? 'A board has' : 'Each side has';
  throw new UserError(
    `generate.${what}`,
    `${whose} ${least} to ${most} ${what}, as a whole number, not ${number}. Try 4 sides with 3 letters each.`,
  );
}

function checkDifficulty(difficulty: Difficulty | undefined): void {
  if (difficulty === undefined || DIFFICULTIES.includes(difficulty)) return;
  throw new UserError(
    'generate.difficulty',
    `"${clip(difficulty)}" is not a difficulty. It is one of: ${DIFFICULTIES.join(', ')}.`,
  );
}
