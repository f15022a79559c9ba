import { UserError } from '../core/errors.ts';
import { Random } from '../core/random.ts';
import { clip, counted } from '../core/text.ts';
import {
  type BoardShape,
  GENERATED_LIMITS,
  LIMITS,
  letterCount,
  makeBoard,
  NEWSPAPER_LETTERS,
  type Range,
  shapeKey,
} from './board.ts';
import { arrange, type Candidate, candidates } from './candidates.ts';
import {
  countFamiliar,
  DIFFICULTIES,
  type Difficulty,
  difficultyByWords,
  difficultyOf,
  expectedBy,
  parByDifficulty,
  parOf,
  SHARES,
  type Share,
  solutionsAt,
  WELL_KNOWN_FROM,
  wordsOff,
} from './difficulty.ts';
import { joinTwo } from './edges.ts';
import type { Lexicon } from './lexicon.ts';
import { Pairs } from './pairs.ts';
import { walkBoard } from './playable.ts';
import type { Board, Solution } from './types.ts';

export { DIFFICULTIES };

export interface GenerateOptions {
  /** Any text; the same one gives the same board. */
  readonly seed: string;
  /** Left out: like the newspaper's for twelve letters, else the first that comes. */
  readonly difficulty?: Difficulty;
  readonly sides?: number;
  readonly letters?: number;
}

export interface GeneratedBoard {
  readonly board: Board;
  readonly seed: string;
  readonly difficulty: Difficulty;
  /** The difficulty that was asked for, if no such board was found. */
  readonly wanted?: Difficulty;
  /** The chain of familiar words that the board was built around. */
  readonly solution: Solution;
  readonly par: number;
}

/**
 * The most boards that `ofOtherSize` tries to find one of the difficulty. A quarter of them are easy and a quarter hard, so one
 * search in a thousand ends without; the largest boards take up to ten milliseconds each.
 */
const MAX_DRAFTS = 24;

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
  if (difficulty !== undefined && !DIFFICULTIES.includes(difficulty))
    throw new UserError(
      'generate.difficulty',
      `"${clip(String(difficulty))}" is not a difficulty. It is one of: ${DIFFICULTIES.join(', ')}.`,
    );
  const make = letterCount(shape) === NEWSPAPER_LETTERS ? ofNewspaperSize : ofOtherSize;
  // Phones begin what is typed with a capital.
  const made = make(lexicon, shape, { ...options, seed: seed.trim().toLowerCase() });
  if (made === undefined) {
    const line = `I found no everyday words for a board of ${shapeName(shape)}. Try 4 sides with 3 letters each.`;
    throw new UserError('generate.words', line);
  }
  const { board, words, difficulty: found, par } = made;
  const likelihood = words.reduce((product, word) => product * (lexicon.find(word)?.likelihood ?? 0), 1);
  return {
    board,
    seed,
    difficulty: found,
    wanted: difficulty === found ? undefined : difficulty,
    solution: { words, likelihood },
    par,
  };
}

interface Made extends Candidate {
  readonly difficulty: Difficulty;
  readonly par: number;
}

function ofNewspaperSize(
  lexicon: Lexicon,
  shape: BoardShape,
  { seed, difficulty }: GenerateOptions,
): Made | undefined {
  const wanted = { lexicon, seed, shape, share: SHARES[difficulty ?? 'medium'] };
  const made = closest(wanted) ?? ofOtherChain(wanted);
  if (made === undefined) return undefined;
  const { board, words, count } = made;
  // Medium boards are like all of the newspaper's days, which include easy and hard ones.
  const found = difficulty === 'medium' ? 'medium' : difficultyOf(count.solutions);
  return { board, words, difficulty: found, par: parOf(expectedBy(board, lexicon), words.length) };
}

function ofOtherSize(
  lexicon: Lexicon,
  shape: BoardShape,
  { seed, difficulty }: GenerateOptions,
): Made | undefined {
  const made = nearest(candidates(lexicon, { seed, shape }), MAX_DRAFTS, (board) => {
    const familiar = countFamiliar(board, lexicon);
    return { familiar, off: difficulty === undefined ? 0 : wordsOff(shape, familiar, difficulty) };
  });
  if (made === undefined) return undefined;
  const { board, words, familiar } = made;
  const found = difficultyByWords(shape, familiar)!;
  return { board, words, difficulty: found, par: parByDifficulty(found, letterCount(shape), words.length) };
}

/** Of the first `most` candidates, the one that is the least `off`. Stops at one that is not off at all. */
function nearest<Judged extends { readonly off: number }>(
  candidates: Iterable<Candidate>,
  most: number,
  judge: (board: Board) => Judged,
): (Candidate & Judged) | undefined {
  let best: (Candidate & Judged) | undefined;
  let looked = 0;
  // Node 20, for which the package is made, has no `take`.
  for (const candidate of candidates) {
    const judged = { ...candidate, ...judge(candidate.board) };
    if (best === undefined || judged.off < best.off) best = judged;
    if (best.off === 0 || ++looked === most) break;
  }
  return best;
}

function shapeName({ sides, sideLength }: BoardShape): string {
  return `${sides} sides with ${counted(sideLength, 'letter')} each`;
}

function checkShape(shape: BoardShape): void {
  checkRange('sides', shape.sides, GENERATED_LIMITS.sides);
  checkRange('letters', shape.sideLength, GENERATED_LIMITS.lettersPerSide);
  const spots = letterCount(shape);
  const { least, most } = LIMITS.spots;
  if (spots >= least && spots <= most) return;
  throw new UserError(
    'generate.spots',
    `${shapeName(shape)} make ${spots} letters. A board has ${least} to ${most}. Try 4 sides with 3 letters each.`,
  );
}

function checkRange(what: 'sides' | 'letters', number: number, { least, most }: Range): void {
  if (Number.isInteger(number) && number >= least && number <= most) return;
  const whose = what === 'sides' ? 'A board has' : 'Each side has';
  throw new UserError(
    `generate.${what}`,
    `${whose} ${least} to ${most} ${what}, as a whole number, not ${number}. Try 4 sides with 3 letters each.`,
  );
}

export interface TwoWords {
  readonly oneWord: boolean;
  readonly solutions: number;
}

/** Counts the two-word solutions of a small board of distinct letters, with every word of the list. */
export function countTwoWords(board: Board, lexicon: Lexicon): TwoWords {
  const words = walkBoard(board, lexicon);
  const { size } = joinTwo({ ...words, bits: board.letters.length, full: board.full });
  return { oneWord: words.masks.includes(board.full), solutions: size };
}

interface Counted extends Candidate {
  readonly count: TwoWords;
}

interface Wanted {
  readonly lexicon: Lexicon;
  readonly seed: string;
  readonly shape: BoardShape;
  readonly share: Share;
}

/** A board is close enough when the logarithm of its number of solutions is this near to the wanted one. */
const CLOSE_ENOUGH = 0.12;
/** Boards counted before the closest of them is taken: about a millisecond each. */
const MAX_COUNTED = 60;
/** Pairs of words drawn: a tenth of a microsecond each. One in ten has the right number of letters. */
const MAX_DRAWS = 400_000;
/** Estimates made: a few microseconds each. */
const MAX_ESTIMATED = 4_000;
/** Draws with one letter that joins the two words. */
const MAX_DRAWS_PER_JOINT = 50_000;
/** Arrangements of one pair's letters that are counted. After one that is farther off than `TOO_FAR`, no more are tried. */
const MAX_ARRANGEMENTS = 4;
const TOO_FAR = 1.2;
/** A board outside the wanted part of the newspaper's days is farther off than any other is likely to be. */
const OUTSIDE_PENALTY = 2;
/** The most boards that `ofOtherChain` counts. */
const MAX_OTHER_CHAINS = 8;

/**
 * An estimate, which saves counting boards that can't come close: on 1,200 boards of random pairs, ln(two-word solutions) was
 * 3.6 ln(familiar words within the letters) − 20, with a standard deviation of 1.2 and a correlation of 0.81.
 */
const SLOPE = 3.6;
const INTERCEPT = -20;
/** Letters are used if their estimate is at most `WINDOW` off. The window widens with each estimate that is farther off. */
const WINDOW = 1;
const WIDENING = 0.05;

/**
 * A board of twelve distinct letters with as many two-word solutions as one of the newspaper's days has, built
 * around a pair like the newspaper's. Its work is bounded by numbers of steps, so it is the same on every machine.
 */
function closest({ lexicon, seed, shape, share }: Wanted): Counted | undefined {
  // Another stream than that of `candidates` for the same seed.
  const random = new Random(`2 ${shapeKey(shape)} ${seed}`);
  const [from, to] = share;
  const place = from + (to - from) * (random.next() / 2 ** 32);
  const wellKnown = place >= WELL_KNOWN_FROM;
  const pairs = Pairs.of(lexicon);
  const counts = new ClosestCount(lexicon, solutionsAt(place), [solutionsAt(from), solutionsAt(to)]);
  let joint = pairs.drawJoint(random);
  for (let draws = 1; draws <= MAX_DRAWS && !counts.isOver; draws++) {
    if (draws % MAX_DRAWS_PER_JOINT === 0) joint = pairs.drawJoint(random);
    const pair = pairs.draw(letterCount(shape), joint, wellKnown, random);
    if (pair === undefined || !counts.mayBeClose(pairs.within(pair.letters))) continue;
    // Each further arrangement counts as a draw.
    for (let again = 1; ; again++, draws++) {
      const sides = arrange(pair.words, { shape, random });
      if (sides === undefined || counts.add(makeBoard(sides), pair.words) > TOO_FAR) break;
      if (again === MAX_ARRANGEMENTS || counts.isOver) break;
    }
  }
  return counts.best;
}

/** Finds the board whose number of two-word solutions is closest to the wanted one. Distances are between logarithms. */
class ClosestCount {
  best: Counted | undefined;
  readonly #lexicon: Lexicon;
  readonly #target: number;
  readonly #bounds: readonly [fewest: number, most: number];
  #leastOff = Number.POSITIVE_INFINITY;
  #counted = 0;
  #estimated = 0;
  /** The latest estimate, compared with the count in `add`. */
  #estimate = 0;
  /**
   * The mean error of the estimates so far, which depends on word list and shape. It begins as the mean of four estimates without
   * error, so that the first ones don't weigh too much.
   */
  #correction = 0;
  #window = WINDOW;

  constructor(lexicon: Lexicon, solutions: number, bounds: readonly [fewest: number, most: number]) {
    this.#lexicon = lexicon;
    this.#target = Math.log(solutions);
    this.#bounds = bounds;
  }

  get isOver(): boolean {
    return this.#leastOff <= CLOSE_ENOUGH || this.#estimated >= MAX_ESTIMATED || this.#counted >= MAX_COUNTED;
  }

  /** Estimates whether boards of letters that make so many familiar words are worth counting. */
  mayBeClose(familiar: number): boolean {
    this.#estimated++;
    this.#estimate = SLOPE * Math.log(familiar) + INTERCEPT;
    if (Math.abs(this.#estimate + this.#correction - this.#target) <= this.#window) return true;
    this.#window += WIDENING;
    return false;
  }

  /** Counts a board of the letters of the latest `mayBeClose`, and returns how far its number of solutions is off. */
  add(board: Board, words: readonly string[]): number {
    const count = countTwoWords(board, this.#lexicon);
    const actual = Math.log(Math.max(1, count.solutions));
    this.#counted++;
    this.#window = WINDOW;
    this.#correction += (actual - this.#estimate - this.#correction) / (this.#counted + 4);
    const [fewest, most] = this.#bounds;
    const isWithin = count.solutions >= fewest && count.solutions <= most;
    const distance = Math.abs(actual - this.#target);
    const off = distance + (isWithin ? 0 : OUTSIDE_PENALTY);
    // A board that one word solves is no puzzle.
    if (!count.oneWord && off < this.#leastOff) {
      this.best = { board, words, count };
      this.#leastOff = off;
    }
    return distance;
  }
}

/** A board around a chain of any length, for word lists without a suitable pair. */
function ofOtherChain({ lexicon, seed, shape, share: [least, most] }: Wanted): Counted | undefined {
  const target = solutionsAt((least + most) / 2);
  return nearest(candidates(lexicon, { seed, shape }), MAX_OTHER_CHAINS, (board) => {
    const count = countTwoWords(board, lexicon);
    // No solution at all counts as half of one, to be farther off than one.
    return { count, off: Math.abs(Math.log(Math.max(0.5, count.solutions) / target)) };
  });
}
