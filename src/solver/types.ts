/**
 * The vocabulary of the solver. Everything in this room is pure: no clock, no randomness, no file,
 * no network, no platform.
 */

export const TIERS = ['everyday', 'wide'] as const;
/** How common a word is: `everyday` words most people know; `wide` is the whole list. */
export type Tier = (typeof TIERS)[number];

/**
 * A checked board. Only `parseBoard` and `makeBoard` produce one. Spots are numbered side by side:
 * of `ozu nri lfa mbt`, spot 0 is the o, spot 3 the n, spot 11 the t.
 */
export interface Board {
  /** Lower-case letters of each side. */
  readonly sides: readonly string[];
  /** Letter of each spot; `letters.length` is the number of spots. */
  readonly letters: string;
  readonly sideOf: readonly number[];
  /** A bit for each spot. */
  readonly full: number;
}

export interface Walk {
  readonly start: number;
  readonly end: number;
  /** A bit for each spot the word touches. */
  readonly mask: number;
}

export interface PlayableWord {
  readonly word: string;
  /** Letters of the word. */
  readonly length: number;
  /** How probable it is that the game takes the word, above 0 and at most 1. */
  readonly likelihood: number;
  readonly tier: Tier;
  /** The ways to walk it: one, unless letters repeat. One that touches no more than another with the same ends is left out. */
  readonly walks: readonly Walk[];
}

/**
 * The words of a board as edges of a graph. The likelier a word, the lighter it is (`weights`). Words are numbered from the
 * lightest on, edges by the spot they start on and, from each spot, from the lightest on. A word becomes an object only when
 * someone asks for it: of thousands on a board a few are ever shown.
 */
export interface BoardWords {
  /** How many words there are. With repeated letters a word may be several edges. */
  readonly size: number;
  /** Edges from `from[s]` to `from[s + 1]` start on spot s. */
  readonly from: Uint32Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  /** What an edge adds to the weight of a chain: less for likelier words. */
  readonly weights: Float64Array;
  readonly wordOf: Uint32Array;
  /** All edges, the lightest first. */
  readonly order: Uint32Array;
  /** By word, a number that is smaller the earlier it stands in the alphabet. */
  readonly spelling: ArrayLike<number>;
  readonly word: (number: number) => PlayableWord;
}

/** A chain of words that touches every spot. */
export interface Solution {
  readonly words: readonly string[];
  /** Product of the words' likelihoods: how probable it is that the game takes the whole chain. */
  readonly likelihood: number;
  /** Set where better ones of as many words may exist: it was not feasible to look through them all. */
  readonly betterMayExist?: boolean;
}

/**
 * `shortest`: fewest words, then most likely. `safest`: most likely as a whole, even if it takes one word
 * more than the fewest. Ties in both: fewer words, then fewer letters, then alphabetical, so that an
 * order is total.
 */
export const ORDERS = ['shortest', 'safest'] as const;
export type Order = (typeof ORDERS)[number];

/** How hard a board of twelve letters is: the grades of the house's boards from Monday to Sunday. */
export const GRADES = ['gentle', 'easy', 'fair', 'medium', 'tricky', 'hard', 'fiendish'] as const;
export type Grade = (typeof GRADES)[number];
