import { groupBy, lowest, SubsetTable, sortNumbers, TableMemory } from './bits.ts';
import type { BoardWords } from './types.ts';

/** Thrown inside the search when `stop` says so; caught by a `Guard`, which says where it was cut. */
export class Stopped extends Error {}

const STEPS_BETWEEN_LOOKS = 4096;
/**
 * Steps that what comes first may take after the time is up: some tenths of a second. Of 146 boards with many repeated
 * letters, the counts of one and two words took at most 2.3 million.
 */
export const GRACE = 4_000_000;

/** Counts the steps of a search, and asks `stop` now and then: asking at each step would cost more than the step. */
export class Stopper {
  readonly #stop: (() => boolean) | undefined;
  #left = STEPS_BETWEEN_LOOKS;
  /** Until this many steps were taken, `stop` is not asked. */
  #heldUntil = 0;
  /** Steps taken in all: a measure of work that is the same on every machine. */
  steps = 0;

  constructor(stop: (() => boolean) | undefined) {
    this.#stop = stop;
  }

  /** Call with the number of steps about to be taken. */
  step(steps = 1): void {
    this.steps += steps;
    this.#left -= steps;
    if (this.#left > 0 || this.steps < this.#heldUntil) return;
    this.#left = STEPS_BETWEEN_LOOKS;
    if (!this.#stop?.()) return;
    // The next question, if one comes, asks at its first step.
    this.#left = 0;
    throw new Stopped();
  }

  /**
   * For answers that come first: they are not cut even if the time was up before, unless they take more than
   * `GRACE` steps. Nested ones have no more steps than the outermost.
   */
  unstopped<Answer>(work: () => Answer): Answer {
    const before = this.#heldUntil;
    if (this.steps >= before) this.#heldUntil = this.steps + GRACE;
    try {
      return work();
    } finally {
      this.#heldUntil = before;
    }
  }
}

/** The edges of a search: a required word covers one more bit of its own, so "must contain" needs no other rule. */
export interface Edges extends Pick<BoardWords, 'from' | 'ends' | 'masks' | 'weights' | 'wordOf' | 'order'> {
  /** Spots of the board and required words together. */
  readonly bits: number;
  /** A mask of all bits. */
  readonly full: number;
}

/** The spot that a chain ends on, and a mask of what it does not cover yet. */
export interface State {
  readonly spot: number;
  readonly need: number;
}

/** A whole chain, by word numbers, and what it weighs. */
export interface Ranked {
  readonly weight: number;
  readonly words: readonly number[];
  /** Set where lighter ones may exist that were not found. */
  readonly bestFound?: boolean;
}

/** Orders chains by weight, and chains of equal weight alphabetically. */
export function compareRanked(a: Ranked, b: Ranked, spelling: ArrayLike<number>): number {
  return a.weight - b.weight || compareSpelling(a.words, b.words, spelling);
}

function compareSpelling(a: readonly number[], b: readonly number[], spelling: ArrayLike<number>): number {
  for (let index = 0; index < a.length; index++)
    if (a[index] !== b[index]) return spelling[a[index]!]! - spelling[b[index]!]!;
  return 0;
}

/** Words as edges, of which the joining of two needs no more. */
type JoinedEdges = Pick<Edges, 'from' | 'ends' | 'masks' | 'bits' | 'full'>;

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
export function joinTwo(edges: JoinedEdges, stopper?: Stopper): JoinedPairs {
  const { from, ends, masks, full, bits } = edges;
  const spots = from.length - 1;
  const { from: intoFrom, items: into } = groupBy(ends, spots);
  const coverable = new SubsetTable(bits);
  const pairs = new Pairs(edges);
  for (let spot = 0; spot < spots; spot++) {
    const begin = from[spot]!;
    const end = from[spot + 1]!;
    if (begin === end || intoFrom[spot] === intoFrom[spot + 1]) continue;
    stopper?.step(end - begin + intoFrom[spot + 1]! - intoFrom[spot]!);
    coverable.clear();
    for (let edge = begin; edge < end; edge++) coverable.add(masks[edge]!);
    coverable.close();
    pairs.joinOn(spot);
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const need = full & ~masks[into[at]!]!;
      if (coverable.has(need)) pairs.add(into[at]!, need);
    }
  }
  return pairs.joined();
}

const ROOM = 256;
/** Far more than boards like the newspaper's have: with common letters on the best sides they have 30,000. */
const MOST_LISTED = 2 ** 16;

const listedMemory = new TableMemory();

/** Pairs as they are found, spot by spot. */
class Pairs {
  readonly #edges: JoinedEdges;
  #size = 0;
  #firsts = new Uint32Array(ROOM);
  #seconds = new Uint32Array(ROOM);
  /** The edges of the spot. */
  #begin = 0;
  #end = 0;
  /**
   * For each bit of a mask, a bit for each edge of the spot, set if the edge has it. Made only for spots on which words are
   * joined.
   */
  #having: Int32Array | undefined;
  /** By need, where the seconds that cover it begin, counted from 1, if they were listed for this spot. */
  readonly #listedAt: Uint16Array | Uint32Array;
  #listedFrom = 0;

  constructor(edges: JoinedEdges) {
    this.#edges = edges;
    this.#listedAt = listedMemory.clear(edges.full + 1, MOST_LISTED);
  }

  joinOn(spot: number): void {
    const { from } = this.#edges;
    this.#begin = from[spot]!;
    this.#end = from[spot + 1]!;
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

/** Joined pairs, lightest first, pairs of equal weight in alphabetical order. Numbers are sorted, and no objects. */
export function sortedPairs(
  { firsts, seconds }: JoinedPairs,
  { weights, wordOf }: Edges,
  spelling: ArrayLike<number>,
): Iterable<Ranked> {
  const unsorted = new Float64Array(firsts.length);
  for (let pair = 0; pair < unsorted.length; pair++)
    unsorted[pair] = (weights[firsts[pair]!]! + weights[seconds[pair]!]!) * PLACES + pair;
  const keys = sortNumbers(unsorted, PLACE_BITS, PLACE_BITS + WEIGHT_BITS);
  const weightOf = (at: number) => Math.floor(keys[at]! / PLACES);
  const wordsOf = (key: number) => [wordOf[firsts[key % PLACES]!]!, wordOf[seconds[key % PLACES]!]!];
  for (let at = 0, end = 1; at < keys.length; at = end++) {
    while (end < keys.length && weightOf(end) === weightOf(at)) end++;
    if (end - at > 1)
      keys.subarray(at, end).sort((a, b) => compareSpelling(wordsOf(a), wordsOf(b), spelling));
  }
  return {
    // Not a generator, which takes several times as long for lists of ten thousands.
    [Symbol.iterator]() {
      let at = 0;
      return {
        next() {
          if (at === keys.length) return { done: true, value: undefined };
          const weight = weightOf(at);
          return { done: false, value: { weight, words: wordsOf(keys[at++]!) } };
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
