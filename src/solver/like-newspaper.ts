import { type Arrangement, arrange, rearrange } from './arrange.ts';
import { makeBoard } from './board.ts';
import { candidates } from './candidates.ts';
import { type Share, solutionsAt, WELL_KNOWN_FROM } from './difficulty.ts';
import type { Lexicon } from './lexicon.ts';
import { type Pair, Pairs } from './pairs.ts';
import { Random } from './random.ts';
import { lettersTurn, sidesTurn, type Turn, turnOfSeed } from './series.ts';
import { type BoardShape, letterCount, shapeKey } from './shape.ts';
import { countTwoWords, type TwoWords } from './two-words.ts';
import type { Board } from './types.ts';

export interface Made {
  readonly board: Board;
  readonly words: readonly string[];
  readonly count: TwoWords;
}

interface Wish {
  readonly lexicon: Lexicon;
  readonly seed: string;
  /** Of twelve letters. */
  readonly shape: BoardShape;
  /** Part of the newspaper's days to be like, those with the fewest two-word solutions at 0. */
  readonly share: Share;
}

/** A board is close enough when the logarithm of its number of solutions is this near to the wanted one. */
const CLOSE = 0.12;
/** Boards counted before the closest of them is taken: about a millisecond each. */
const MOST_COUNTED = 60;
/** Pairs of words tried: a tenth of a microsecond each. One in ten has the right number of letters. */
const MOST_DRAWS = 400_000;
/** Estimates made: a few microseconds each. */
const MOST_ESTIMATED = 4_000;
/** Draws before the words may be joined by another letter. */
const DRAWS_OF_JOINT = 50_000;
/** Arrangements of one pair's letters that are counted, one after the other, unless one is far off. */
const ARRANGEMENTS = 4;
const FAR = 1.2;
/** A board outside the wanted part of the newspaper's days is farther off than any other is likely to be. */
const OUTSIDE = 2;
/** Chains of other lengths, tried when a word list has no such pair. */
const OTHER_CHAINS = 8;

/**
 * On 1,200 boards of random pairs, ln(two-word solutions) was 3.6 ln(familiar words within the letters) − 20, with a
 * standard deviation of 1.2 and a correlation of 0.81. It saves counting boards that can't come close.
 */
const SLOPE = 3.6;
const INTERCEPT = -20;
/** How far off an estimate may be for a board to be counted, and how much more after each that was farther off. */
const WINDOW = 1;
const WIDENING = 0.05;

/**
 * A board of twelve distinct letters with as many two-word solutions as one of the newspaper's days has, built
 * around a pair like the newspaper's. Its work is bounded by numbers of steps, so it is the same on every machine.
 */
export function likeNewspaper(wish: Wish): Made | undefined {
  const turn = turnOfSeed(wish.seed);
  // A small word list may have no board for the date's turn: a board that may come again is better than none.
  return closest(wish, turn) ?? (turn && closest(wish, undefined)) ?? ofOtherChain(wish);
}

function closest(wish: Wish, turn: Turn | undefined): Made | undefined {
  const { lexicon, shape } = wish;
  // Another stream than that of `candidates` for the same seed.
  const random = new Random(`2 ${shapeKey(shape)} ${wish.seed}`);
  const [from, to] = wish.share;
  const share = from + (to - from) * (random.next() / 2 ** 32);
  const target = Math.log(solutionsAt(share));
  const [fewest, most] = [solutionsAt(from), solutionsAt(to)];
  const pairs = Pairs.of(lexicon);
  let joint = pairs.drawJoint(random);
  let pair: Pair | undefined;
  let best: Made | undefined;
  let leastOff = Number.POSITIVE_INFINITY;
  let counted = 0;
  let estimated = 0;
  let again = 0;
  let window = WINDOW;
  let estimate = 0;
  // What estimates were off by so far, on average: other word lists and shapes have their own.
  let correction = 0;
  for (let draws = 1; draws <= MOST_DRAWS && estimated < MOST_ESTIMATED && counted < MOST_COUNTED; draws++) {
    if (again === 0) {
      if (draws % DRAWS_OF_JOINT === 0) joint = pairs.drawJoint(random);
      pair = pairs.draw(letterCount(shape), joint, share >= WELL_KNOWN_FROM, random);
      if (pair === undefined || (turn !== undefined && lettersTurn(pair.letters) !== turn.letters)) continue;
      estimated++;
      estimate = SLOPE * Math.log(pairs.within(pair.letters)) + INTERCEPT;
      if (Math.abs(estimate + correction - target) > window) {
        window += WIDENING;
        continue;
      }
      again = ARRANGEMENTS;
    }
    again--;
    const board = arrangeInTurn(pair!, turn, { shape, random });
    if (board === undefined) {
      again = 0;
      continue;
    }
    const count = countTwoWords(board, lexicon);
    counted++;
    window = WINDOW;
    const actual = Math.log(Math.max(1, count.solutions));
    correction += (actual - estimate - correction) / (counted + 4);
    const isWithin = count.solutions >= fewest && count.solutions <= most;
    const off = Math.abs(actual - target) + (isWithin ? 0 : OUTSIDE);
    if (Math.abs(actual - target) > FAR) again = 0;
    if (count.oneWord || off >= leastOff) continue;
    best = { board, words: pair!.words, count };
    leastOff = off;
    if (off <= CLOSE) break;
  }
  return best;
}

function arrangeInTurn({ words }: Pair, turn: Turn | undefined, arrangement: Arrangement): Board | undefined {
  const { random } = arrangement;
  const sides = arrange(words, arrangement);
  const inTurn =
    sides && turn ? rearrange(words, sides, random, (masks) => sidesTurn(masks) === turn.sides) : sides;
  return inTurn && makeBoard(inTurn);
}

function ofOtherChain({ lexicon, seed, shape, share: [least, most] }: Wish): Made | undefined {
  const target = solutionsAt((least + most) / 2);
  const off = ({ count }: Made) => Math.abs(Math.log(Math.max(0.5, count.solutions) / target));
  return candidates(lexicon, { seed, shape })
    .take(OTHER_CHAINS)
    .map(({ sides, words }): Made => {
      const board = makeBoard(sides);
      return { board, words, count: countTwoWords(board, lexicon) };
    })
    .reduce<Made | undefined>((best, made) => (best && off(best) <= off(made) ? best : made), undefined);
}
