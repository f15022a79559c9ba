import type { Ranked } from './batch.ts';
import type { JoinedPairs } from './join-two.ts';
import type { WordTable } from './table.ts';

/** A weight of two words (35 bits) and the number of a pair (18 bits) sort as one double. */
const PAIR_ROOM = 2 ** 18;

/**
 * All two-word chains of a small board, lightest first and those of equal weight in alphabetical order. Sorted are
 * plain numbers, by weight at once and alphabetically only as far as somebody reads.
 */
export class SortedPairs {
  readonly #pairs: JoinedPairs;
  readonly #table: WordTable;
  readonly #keys: Float64Array;

  constructor(pairs: JoinedPairs, table: WordTable) {
    const { firsts, seconds } = pairs;
    const { weights } = table;
    this.#pairs = pairs;
    this.#table = table;
    const keys = new Float64Array(firsts.length);
    for (let pair = 0; pair < keys.length; pair++)
      keys[pair] = (weights[firsts[pair]!]! + weights[seconds[pair]!]!) * PAIR_ROOM + pair;
    this.#keys = keys.sort();
  }

  [Symbol.iterator](): Generator<Ranked> {
    return this.#inOrder(this.#keys);
  }

  /** Those whose first word begins on a node: one letter's may be a few of very many. */
  beginningOn(node: number): Iterable<Ranked> {
    const { firsts } = this.#pairs;
    const { from } = this.#table;
    const [begin, end] = [from[node]!, from[node + 1]!];
    return this.#inOrder(
      this.#keys.filter((key) => {
        const first = firsts[key % PAIR_ROOM]!;
        return first >= begin && first < end;
      }),
    );
  }

  *#inOrder(keys: Float64Array): Generator<Ranked> {
    const { size } = this.#table.words;
    for (let begin = 0; begin < keys.length; ) {
      const weight = Math.floor(keys[begin]! / PAIR_ROOM);
      let end = begin + 1;
      while (end < keys.length && keys[end]! < (weight + 1) * PAIR_ROOM) end++;
      for (const words of this.#spelled(keys.subarray(begin, end)))
        yield { weight, words: [Math.floor(words / size), words % size] };
      begin = end;
    }
  }

  /** Chains of one weight as the numbers of both words in one, which is alphabetical order. */
  #spelled(keys: Float64Array): Float64Array {
    const { firsts, seconds } = this.#pairs;
    const { wordOf, words } = this.#table;
    const spelled = new Float64Array(keys.length);
    for (let at = 0; at < keys.length; at++) {
      const pair = keys[at]! % PAIR_ROOM;
      spelled[at] = wordOf[firsts[pair]!]! * words.size + wordOf[seconds[pair]!]!;
    }
    return spelled.length === 1 ? spelled : spelled.sort();
  }
}
