import { groupBy, lowest, sortNumbers } from './bits.ts';
import type { Lexicon } from './lexicon.ts';
import { walkBoard } from './playable.ts';
import { type Ranked, SubsetTable, type WordTable } from './table.ts';
import type { Board } from './types.ts';

export interface TwoWords {
  /** Words of the whole list that can be walked on the board. */
  readonly playable: number;
  /** Some word solves the board by itself. */
  readonly oneWord: boolean;
  /** Pairs of words that solve it. */
  readonly solutions: number;
}

/** Counts the two-word solutions of a small board of distinct letters, with every word of the list. */
export function countTwoWords(board: Board, lexicon: Lexicon): TwoWords {
  const words = walkBoard(board, lexicon);
  const bits = board.letters.length;
  const { from, items } = groupBy(words.starts, bits);
  const ends = new Uint8Array(items.length);
  const masks = new Int32Array(items.length);
  for (let edge = 0; edge < items.length; edge++) {
    ends[edge] = words.ends[items[edge]!]!;
    masks[edge] = words.masks[items[edge]!]!;
  }
  const { size } = joinTwo({ from, ends, masks, bits, full: board.full });
  return { playable: words.size, oneWord: masks.includes(board.full), solutions: size };
}

/** Words as edges: `from[n]` to `from[n + 1]` are the ones that start on node n. */
interface Edges {
  readonly from: Uint32Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  /** How many bits a mask has, and all of them. */
  readonly bits: number;
  readonly full: number;
}

/** Two-word chains that cover everything, as columns of edges. */
export interface JoinedPairs {
  /** How many there are; columns shorter than this do not hold them all. */
  readonly size: number;
  readonly firsts: Uint32Array;
  readonly seconds: Uint32Array;
}

/**
 * Every two words that solve a small board of distinct letters. For each letter that joins two words, one small table tells
 * for which words before it some word after it covers the rest; mostly for few.
 */
export function joinTwo(edges: Edges): JoinedPairs {
  const { from, ends, masks, full, bits } = edges;
  const nodes = from.length - 1;
  const { from: intoFrom, items: into } = groupBy(ends, nodes);
  const coverable = new SubsetTable(bits);
  const pairs = new Pairs(edges);
  for (let node = 0; node < nodes; node++) {
    const begin = from[node]!;
    const end = from[node + 1]!;
    if (begin === end || intoFrom[node] === intoFrom[node + 1]) continue;
    coverable.clear();
    for (let edge = begin; edge < end; edge++) coverable.add(masks[edge]!);
    coverable.close();
    pairs.standOn(node);
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const need = full & ~masks[into[at]!]!;
      if (coverable.has(need)) pairs.add(into[at]!, need);
    }
  }
  return pairs.joined();
}

const ROOM = 256;
/** Far more than boards like the newspaper's have: with common letters on the best sides they have 30,000. */
const MOST_LISTED = 2 ** 16;

/** Pairs as they are found, node by node. */
class Pairs {
  readonly #edges: Edges;
  #size = 0;
  #firsts = new Uint32Array(ROOM);
  #seconds = new Uint32Array(ROOM);
  /** The edges of the node. */
  #begin = 0;
  #end = 0;
  /**
   * For each bit of a mask, a bit for each edge of the node, set if the edge has it. Made only for nodes on which words are
   * joined.
   */
  #having: Int32Array | undefined;
  /** By need, where the seconds that cover it begin, counted from 1, if they were listed for this node. */
  readonly #listedAt: Uint32Array;
  #listedFrom = 0;

  constructor(edges: Edges) {
    this.#edges = edges;
    this.#listedAt = new Uint32Array(edges.full + 1);
  }

  standOn(node: number): void {
    const { from } = this.#edges;
    this.#begin = from[node]!;
    this.#end = from[node + 1]!;
    this.#having = undefined;
    this.#listedFrom = this.#size;
  }

  /** A first word with each second one that covers its need. */
  add(first: number, need: number): void {
    const known = this.#listedAt[need]!;
    if (known > this.#listedFrom) this.#addAgain(first, known - 1);
    else this.#addFound(first, need);
  }

  joined(): JoinedPairs {
    const size = this.#size;
    const listed = Math.min(size, this.#firsts.length);
    return { size, firsts: this.#firsts.subarray(0, listed), seconds: this.#seconds.subarray(0, listed) };
  }

  #addFound(first: number, need: number): void {
    this.#having ??= this.#edgesHaving();
    const having = this.#having;
    const { bits } = this.#edges;
    const words = wordsFor(this.#end - this.#begin);
    // The row after the bits' rows has all edges; the next one is room for the edges that cover the need.
    const all = bits * words;
    const covering = all + words;
    for (let word = 0; word < words; word++) having[covering + word] = having[all + word]!;
    for (let rest = need; rest !== 0; rest &= rest - 1) {
      const row = lowest(rest) * words;
      for (let word = 0; word < words; word++) having[covering + word]! &= having[row + word]!;
    }
    const begin = this.#size;
    for (let word = 0; word < words; word++) {
      for (let edges = having[covering + word]!; edges !== 0; edges &= edges - 1)
        this.#push(first, this.#begin + 32 * word + lowest(edges));
    }
    if (this.#size <= this.#firsts.length) this.#listedAt[need] = begin + 1;
  }

  /** Adds the seconds of another first word with the same need. */
  #addAgain(first: number, at: number): void {
    const other = this.#firsts[at]!;
    for (let pair = at; this.#firsts[pair] === other; pair++) this.#push(first, this.#seconds[pair]!);
  }

  #push(first: number, second: number): void {
    if (this.#size === this.#firsts.length && this.#size < MOST_LISTED) {
      this.#firsts = grown(this.#firsts, new Uint32Array(4 * this.#size));
      this.#seconds = grown(this.#seconds, new Uint32Array(4 * this.#size));
    }
    this.#firsts[this.#size] = first;
    this.#seconds[this.#size++] = second;
  }

  #edgesHaving(): Int32Array {
    const { bits, masks } = this.#edges;
    const edges = this.#end - this.#begin;
    const words = wordsFor(edges);
    const having = new Int32Array((bits + 2) * words);
    for (let edge = 0; edge < edges; edge++) {
      having[bits * words + (edge >>> 5)]! |= 1 << (edge & 31);
      for (let rest = masks[this.#begin + edge]!; rest !== 0; rest &= rest - 1)
        having[lowest(rest) * words + (edge >>> 5)]! |= 1 << (edge & 31);
    }
    return having;
  }
}

/** The number of 32-bit words that hold these bits. */
function wordsFor(bits: number): number {
  return (bits + 31) >>> 5;
}

/** Bits of a pair's place in alphabetical order; there are no more pairs in a list. */
const PLACE_BITS = 18;
const PLACES = 2 ** PLACE_BITS;
/** Bits of the weight of two words. */
const WEIGHT_BITS = 35;

/** Joined pairs, lightest first, pairs of equal weight in alphabetical order. Only plain numbers are sorted. */
export function sortedPairs(
  { firsts, seconds }: JoinedPairs,
  { words: { size, weights }, wordOf }: WordTable,
): Iterable<Ranked> {
  // The words of each pair: word numbers are in alphabetical order, and both make one number.
  const unsorted = new Float64Array(firsts.length);
  for (let pair = 0; pair < unsorted.length; pair++)
    unsorted[pair] = wordOf[firsts[pair]!]! * size + wordOf[seconds[pair]!]!;
  const spelled = sortNumbers(unsorted, 0, Math.ceil(2 * Math.log2(size + 1)));
  const weighed = new Float64Array(firsts.length);
  for (let place = 0; place < weighed.length; place++) {
    const pair = spelled[place]!;
    const first = Math.floor(pair / size);
    weighed[place] = (weights[first]! + weights[pair - first * size]!) * PLACES + place;
  }
  const keys = sortNumbers(weighed, PLACE_BITS, PLACE_BITS + WEIGHT_BITS);
  return {
    // Not a generator, which takes several times as long for lists of ten thousands.
    [Symbol.iterator]() {
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
    },
  };
}

/** A full column in a larger, empty one. */
function grown<Column extends { set(from: Column): void }>(full: Column, larger: Column): Column {
  larger.set(full);
  return larger;
}
