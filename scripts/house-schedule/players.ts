import type { Random } from '../../src/core/random.ts';
import { popcount } from '../../src/solver/bits.ts';
import type { Board, BoardWords } from '../../src/solver/types.ts';

/** A board's everyday words, as the simulated players see them. */
export interface Known {
  readonly board: Board;
  readonly words: BoardWords;
  /** By edge, how likely somebody is to think of the word when it would fit, from 0 to 1. */
  readonly recall: Float64Array;
}

/** Words after which a simulated player gives up: it counts as one more. */
const MOST_WORDS = 12;

/** How a player chooses among the words that come to mind: the highest value. */
type Taste = (edge: number, left: number, known: Known) => number;

/**
 * Takes, of the words that come to mind, one that has the most new letters.
 *
 * @returns words until every letter is touched
 */
export function greedyPlayer(known: Known, random: Random): number {
  return play(known, random, (edge, left, { words }) => popcount(words.masks[edge]! & left));
}

/**
 * Another kind of player: of only a few words that come to mind, one that has the letters which stand in few words, and from
 * whose end many words go on.
 */
export function carefulPlayer(known: Known, random: Random): number {
  const { words, board } = known;
  const worth = Float64Array.from(board.letters, (_, spot) => {
    let through = 0;
    for (const mask of words.masks) through += (mask >>> spot) & 1;
    return 1 + 3 / Math.sqrt(1 + through);
  });
  return play(
    known,
    random,
    (edge, left) => {
      let value = 0;
      const fresh = words.masks[edge]! & left;
      for (let spot = 0; spot < worth.length; spot++) if ((fresh >>> spot) & 1) value += worth[spot]!;
      const end = words.ends[edge]!;
      return value + 0.25 * Math.log1p(words.from[end + 1]! - words.from[end]!);
    },
    FEW,
  );
}

/** Words that come to the careful player's mind at a time. */
const FEW = 8;

/** What each word played adds to how long a player looks for the next one. */
const EFFORT = 0.5;

function play(known: Known, random: Random, taste: Taste, most = Number.POSITIVE_INFINITY): number {
  const { board, words, recall } = known;
  let left = board.full;
  let spot = -1;
  for (let played = 1; played <= MOST_WORDS; played++) {
    const from = spot < 0 ? 0 : words.from[spot]!;
    const to = spot < 0 ? words.masks.length : words.from[spot + 1]!;
    let best = -1;
    let value = Number.NEGATIVE_INFINITY;
    let seen = 0;
    // The longer a game takes, the longer they look for a word.
    const effort = 1 + (played - 1) * EFFORT;
    const offset = random.below(Math.max(1, to - from));
    for (let index = 0; index < to - from && seen < most; index++) {
      const edge = from + ((index + offset) % (to - from));
      if (random.next() / 2 ** 32 < (1 - recall[edge]!) ** effort) continue;
      seen++;
      const worth = taste(edge, left, known);
      if (worth <= value) continue;
      best = edge;
      value = worth;
    }
    // Nothing comes to mind: the turn is lost, as by a filler word.
    if (best < 0) continue;
    left &= ~words.masks[best]!;
    spot = words.ends[best]!;
    if (left === 0) return played;
  }
  return MOST_WORDS + 1;
}
