import type { Ranked } from './batch.ts';
import type { JoinedPairs } from './join-two.ts';
import { sortNumbers } from './sort-numbers.ts';
import type { WordTable } from './table.ts';

/** Bits of a pair's place in alphabetical order; there are no more pairs in a list. */
const PLACE_BITS = 18;
const PLACES = 2 ** PLACE_BITS;
/** Bits of the weight of two words. */
const WEIGHT_BITS = 35;

/**
 * All two-word chains of a small board, lightest first and those of equal weight in alphabetical order. Sorted are
 * plain numbers.
 */
export class SortedPairs {
  readonly #table: WordTable;
  /** The words of each pair, in alphabetical order: word numbers are in that order, and both make one number. */
  readonly #spelled: Float64Array;
  /** The weight and the place of each pair, lightest first. */
  readonly #keys: Float64Array;

  constructor({ firsts, seconds }: JoinedPairs, table: WordTable) {
    const { words, wordOf } = table;
    const { size, weights } = words;
    const spelled = new Float64Array(firsts.length);
    for (let pair = 0; pair < spelled.length; pair++)
      spelled[pair] = wordOf[firsts[pair]!]! * size + wordOf[seconds[pair]!]!;
    this.#table = table;
    this.#spelled = sortNumbers(spelled, 0, Math.ceil(2 * Math.log2(size + 1)));
    const keys = new Float64Array(firsts.length);
    for (let place = 0; place < keys.length; place++) {
      const pair = this.#spelled[place]!;
      const first = Math.floor(pair / size);
      keys[place] = (weights[first]! + weights[pair - first * size]!) * PLACES + place;
    }
    this.#keys = sortNumbers(keys, PLACE_BITS, PLACE_BITS + WEIGHT_BITS);
  }

  [Symbol.iterator](): Iterator<Ranked> {
    return this.#inOrder(this.#keys);
  }

  /** Those whose first word begins on a node: one letter's may be a few of very many. */
  beginningOn(node: number): Iterable<Ranked> {
    const { size, starts } = this.#table.words;
    const keys = this.#keys.filter((key) => starts[Math.floor(this.#spelled[key % PLACES]! / size)] === node);
    return { [Symbol.iterator]: () => this.#inOrder(keys) };
  }

  /** Not a generator, which takes several times as long for lists of ten thousands. */
  #inOrder(keys: Float64Array): Iterator<Ranked> {
    const spelled = this.#spelled;
    const { size } = this.#table.words;
    let at = 0;
    return {
      next() {
        if (at === keys.length) return { done: true, value: undefined };
        const key = keys[at++]!;
        const weight = Math.floor(key / PLACES);
        const pair = spelled[key - weight * PLACES]!;
        const first = Math.floor(pair / size);
        return { done: false, value: { weight, words: [first, pair - first * size] } };
      },
    };
  }
}
