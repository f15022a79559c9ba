import type { Ranked } from './batch.ts';
import { groupBy } from './group.ts';
import type { JoinedPairs } from './join-two.ts';
import { sortNumbers } from './sort-numbers.ts';
import type { WordTable } from './table.ts';

/** Bits of a pair's place in alphabetical order; there are no more pairs in a list. */
const PLACE_BITS = 18;
const PLACES = 2 ** PLACE_BITS;
/** Bits of the weight of two words. */
const WEIGHT_BITS = 35;

interface KeysByNode {
  readonly from: Uint32Array;
  readonly keys: Float64Array;
}

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
  /** The same keys by the node that the first word begins on, for those who ask about each letter. */
  #byStart: KeysByNode | undefined;

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
    this.#byStart ??= this.#groupByStart();
    const { from, keys } = this.#byStart;
    const own = keys.subarray(from[node]!, from[node + 1]!);
    return { [Symbol.iterator]: () => this.#inOrder(own) };
  }

  #groupByStart(): KeysByNode {
    const { from: fromNode, words } = this.#table;
    const { size, starts } = words;
    const nodes = new Uint8Array(this.#keys.length);
    for (let at = 0; at < nodes.length; at++)
      nodes[at] = starts[Math.floor(this.#spelled[this.#keys[at]! % PLACES]! / size)]!;
    const { from, items } = groupBy(nodes, fromNode.length - 1);
    const keys = new Float64Array(items.length);
    for (let at = 0; at < keys.length; at++) keys[at] = this.#keys[items[at]!]!;
    return { from, keys };
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
