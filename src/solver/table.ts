import { groupBy, lowest, popcount } from './bits.ts';
import { hasRepeats } from './board.ts';
import type { Board, Columns } from './types.ts';

/** A letter that stands on several spots: its bits in a mask, and the lowest of them. */
export interface Field {
  readonly mask: number;
  readonly low: number;
}

/**
 * What chains are made of: a node for each letter of the board, and a field of bits for each node, one for
 * each spot of its letter. Of a word, a field has its lowest k bits set if the word holds the letter k
 * times; of a chain, if k spots of the letter are still needed. With distinct letters a node is a spot, and
 * a field its bit.
 *
 * With repeated letters this forgets which of the letter's spots are touched. A chain that covers every
 * need is then only a candidate, for `Walks` to confirm: but a word stays one edge and a chain one state,
 * however many ways there are to walk them.
 */
export interface Nodes {
  /** The letter of each node. */
  readonly letters: string;
  /** By letter, 0 for a, its node; 255 for none. */
  readonly nodeOf: Uint8Array;
  /** Bits in all: as many as the board has spots. */
  readonly bits: number;
  /** The lowest bit of each node's field. */
  readonly lows: Int32Array;
  /** Letters that stand on several spots; empty on boards of distinct letters. */
  readonly fields: readonly Field[];
  /** By node, the field of a repeated letter; undefined for a letter with one spot. */
  readonly fieldOf: readonly (Field | undefined)[];
}

export function nodesOf(board: Board): Nodes {
  const letters = hasRepeats(board) ? [...new Set(board.letters)].join('') : board.letters;
  const nodeOf = new Uint8Array(26).fill(255);
  const spotsOf = new Uint8Array(26);
  for (let spot = 0; spot < board.letters.length; spot++) spotsOf[board.letters.charCodeAt(spot) - 97]!++;
  const lows = new Int32Array(letters.length);
  const fieldOf: (Field | undefined)[] = [];
  let shift = 0;
  for (let node = 0; node < letters.length; node++) {
    const letter = letters.charCodeAt(node) - 97;
    const spots = spotsOf[letter]!;
    nodeOf[letter] = node;
    lows[node] = 1 << shift;
    fieldOf.push(spots > 1 ? { mask: (2 ** spots - 1) << shift, low: 1 << shift } : undefined);
    shift += spots;
  }
  const fields = fieldOf.filter((field) => field !== undefined);
  return { letters, nodeOf, bits: shift, lows, fields, fieldOf };
}

/** What is still needed after a word: each field has as many bits fewer as the word holds of it. */
function restOf(need: number, mask: number, fields: readonly Field[]): number {
  let rest = need & ~mask;
  for (let at = 0; at < fields.length; at++) {
    const { mask: field } = fields[at]!;
    const held = mask & field;
    if (held === 0) continue;
    rest = (rest & ~field) | (((need & field) >>> popcount(held)) & field);
  }
  return rest;
}

/** What two words hold together, with the letter that joins them counted once. */
export function sumOf(a: number, b: number, fields: readonly Field[]): number {
  let sum = a | b;
  for (let at = 0; at < fields.length; at++) {
    const { mask: field } = fields[at]!;
    const held = b & field;
    if (held === 0) continue;
    sum |= ((a & field) << popcount(held)) & field;
  }
  return sum;
}

/** One more of a letter: its field with one more bit set, unless all are. */
export function addLetter(mask: number, node: number, { lows, fieldOf }: Nodes): number {
  const field = fieldOf[node];
  return field === undefined
    ? mask | lows[node]!
    : mask | (((mask & field.mask) << 1) & field.mask) | field.low;
}

/** Where a chain stands: on a node, with what is still needed. */
export interface State {
  readonly node: number;
  readonly need: number;
}

/** Where chains begin: on any node with everything needed, or after the words already played. */
export type Start = readonly State[] | 'anywhere';

/** A whole chain, by word numbers, and what it weighs. */
export interface Ranked {
  readonly weight: number;
  readonly words: readonly number[];
  /** Set where lighter ones may exist that were not found. */
  readonly bestFound?: boolean;
}

/** Alphabetical order of chains: word numbers are in alphabetical order. */
export function compareWords(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return 0;
}

/**
 * The words of a search as edges in typed arrays, grouped by the node they start on and lightest first
 * within a group. A required word covers one more bit of its own, so "must contain" needs no other rule.
 */
export class WordTable {
  readonly words: Columns;
  readonly nodes: Nodes;
  readonly fields: readonly Field[];
  /** Spots of the board and required words together. */
  readonly bits: number;
  readonly full: number;
  readonly lightest: number;
  /** Edges from `from[n]` to `from[n + 1]` start on node n. */
  readonly from: Uint32Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  readonly wordOf: Uint32Array;
  /** Weight of each edge's word. */
  readonly weights: Float64Array;
  readonly #required: readonly string[];

  constructor(words: Columns, nodes: Nodes, required: readonly string[]) {
    this.words = words;
    this.nodes = nodes;
    this.fields = nodes.fields;
    this.#required = required;
    this.bits = nodes.bits + required.length;
    this.full = 2 ** this.bits - 1;
    const { size, order, starts } = words;
    this.lightest = size === 0 ? 0 : words.weights[order[0]!]!;

    const next = new Uint32Array(nodes.letters.length + 1);
    for (let word = 0; word < size; word++) next[starts[word]! + 1]!++;
    for (let node = 0; node < nodes.letters.length; node++) next[node + 1]! += next[node]!;
    this.from = next.slice();
    const ends = new Uint8Array(size);
    const masks = new Int32Array(size);
    const wordOf = new Uint32Array(size);
    const weights = new Float64Array(size);
    const { ends: endOf, masks: maskOf, weights: weightOf } = words;
    for (let place = 0; place < size; place++) {
      const number = order[place]!;
      const edge = next[starts[number]!]!++;
      ends[edge] = endOf[number]!;
      masks[edge] = maskOf[number]!;
      wordOf[edge] = number;
      weights[edge] = weightOf[number]!;
    }
    if (required.length > 0)
      for (let edge = 0; edge < size; edge++) masks[edge]! |= this.extraOf(wordOf[edge]!);
    this.ends = ends;
    this.masks = masks;
    this.wordOf = wordOf;
    this.weights = weights;
  }

  /** What is still needed of a need after a word. */
  rest(need: number, mask: number): number {
    return this.fields.length === 0 ? need & ~mask : restOf(need, mask, this.fields);
  }

  /** What a chain still needs when it only stands on a node. */
  needOn(node: number): number {
    return this.rest(this.full, addLetter(0, node, this.nodes));
  }

  /** What a chain still needs after its first word. */
  needAfter(number: number): number {
    const mask = this.words.masks[number]! | this.extraOf(number);
    return this.fields.length === 0
      ? this.full & ~mask
      : this.rest(this.needOn(this.words.starts[number]!), mask);
  }

  /** What a word covers beyond its spots: its own bit, when it is a required one. */
  extraOf(number: number): number {
    if (this.#required.length === 0) return 0;
    const index = this.#required.indexOf(this.words.word(number).word);
    return index < 0 ? 0 : 1 << (this.nodes.bits + index);
  }
}

/** 32-bit words that fit the first cache of a core with room to spare. */
const BLOCK = 2 ** 12;

/**
 * A bit for each of 2^bits masks: whether it is a subset of a mask that was added. Filling it takes
 * bits × 2^bits / 32 steps however many masks there are, and a look-up one.
 */
export class SubsetTable {
  readonly #bits: number;
  readonly #table: Int32Array;

  constructor(bits: number) {
    this.#bits = bits;
    this.#table = new Int32Array(bits <= 5 ? 1 : 2 ** (bits - 5));
  }

  clear(): void {
    this.#table.fill(0);
  }

  /** False if it was there already. */
  add(mask: number): boolean {
    const table = this.#table;
    const bit = 1 << (mask & 31);
    const place = mask >>> 5;
    if (table[place]! & bit) return false;
    table[place]! |= bit;
    return true;
  }

  has(mask: number): boolean {
    return (this.#table[mask >>> 5]! & (1 << (mask & 31))) !== 0;
  }

  /** Adds all subsets of the masks added so far. */
  close(): void {
    const table = this.#table;
    // Block by block first, so that most of it happens within a fast cache. Many blocks stay empty.
    const block = Math.min(table.length, BLOCK);
    const isUsed = new Uint8Array(table.length / block);
    for (let index = 0; index < isUsed.length; index++) {
      if (!closeBits(table, index * block, (index + 1) * block)) continue;
      isUsed[index] = 1;
      closeWords(table, index * block, block);
    }
    for (let half = 1; half < isUsed.length; half *= 2) {
      for (let lower = 0; lower < isUsed.length; lower++) {
        if (lower & half || isUsed[lower + half] === 0) continue;
        isUsed[lower] = 1;
        const begin = lower * block;
        const upper = begin + half * block;
        for (let at = 0; at < block; at++) table[begin + at]! |= table[upper + at]!;
      }
    }
  }

  /** Once closed: whether no larger mask than this one was added. */
  isMaximal(mask: number): boolean {
    for (let bit = 2 ** (this.#bits - 1); bit >= 1; bit /= 2)
      if (!(mask & bit) && this.has(mask | bit)) return false;
    return true;
  }
}

/** Within each 32-bit word; false if all are empty. */
function closeBits(table: Int32Array, begin: number, end: number): boolean {
  let isAny = false;
  for (let at = begin; at < end; at++) {
    let word = table[at]!;
    if (word === 0) continue;
    isAny = true;
    word |= (word >>> 1) & 0x55555555;
    word |= (word >>> 2) & 0x33333333;
    word |= (word >>> 4) & 0x0f0f0f0f;
    word |= (word >>> 8) & 0x00ff00ff;
    table[at] = word | (word >>> 16);
  }
  return isAny;
}

/** Two bits of the place at a time, as long as there are two: half as much is read and written. */
function closeWords(table: Int32Array, begin: number, size: number): void {
  const end = begin + size;
  let half = 1;
  for (; 2 * half < size; half *= 4) {
    for (let base = begin; base < end; base += 4 * half) {
      for (let at = base; at < base + half; at++) {
        const both = table[at + 3 * half]!;
        const upper = table[at + 2 * half]! | both;
        const lower = table[at + half]! | both;
        table[at + 2 * half] = upper;
        table[at + half] = lower;
        table[at]! |= upper | lower;
      }
    }
  }
  for (; half < size; half *= 2) {
    for (let base = begin; base < end; base += 2 * half) {
      for (let at = base; at < base + half; at++) table[at]! |= table[at + half]!;
    }
  }
}

/** How many bits make up a pattern: a table of all patterns is small then, and most pairs of words are ruled out. */
const RARE = 10;

/**
 * The bits that the fewest words cover, as a mask of their own. Few words cover more than three of the ten
 * rarest letters, so what two words leave of these tells mostly that they are no use together. Letters that
 * stand on several spots are not among them, as their bits are not covered one by one.
 */
export class Patterns {
  /** How many bits a pattern has. */
  readonly size: number;
  readonly room: number;
  readonly #rare: readonly number[];

  constructor({ bits, masks, fields }: WordTable) {
    const holding = new Uint32Array(bits);
    for (const mask of masks) for (let rest = mask; rest !== 0; rest &= rest - 1) holding[lowest(rest)]!++;
    const repeated = fields.reduce((all, { mask }) => all | mask, 0);
    this.#rare = Array.from({ length: bits }, (_, bit) => bit)
      .filter((bit) => !(repeated & (1 << bit)))
      .sort((a, b) => holding[a]! - holding[b]!)
      .slice(0, RARE);
    this.size = this.#rare.length;
    this.room = 1 << this.size;
  }

  of(mask: number): number {
    let pattern = 0;
    for (let at = 0; at < this.#rare.length; at++) pattern |= ((mask >>> this.#rare[at]!) & 1) << at;
    return pattern;
  }

  /** Masks by their pattern, without patterns that no mask has; `items` says where in the list each mask was. */
  group(masks: ArrayLike<number>): PatternGroup[] {
    const { from, items } = groupBy(
      Uint16Array.from(masks, (mask) => this.of(mask)),
      this.room,
    );
    const groups: PatternGroup[] = [];
    for (let pattern = 0; pattern < this.room; pattern++) {
      if (from[pattern] === from[pattern + 1]) continue;
      const own = items.subarray(from[pattern]!, from[pattern + 1]!);
      groups.push({ pattern, items: own, masks: Int32Array.from(own, (at) => masks[at]!) });
    }
    return groups;
  }

  /** Adds the subsets of each covered pattern to a table that has a 1 for it. */
  close(covered: Uint8Array): void {
    for (let bit = 1; bit < this.room; bit *= 2) {
      for (let pattern = 0; pattern < this.room; pattern++)
        if (pattern & bit) covered[pattern ^ bit]! |= covered[pattern]!;
    }
  }
}

export interface PatternGroup {
  readonly pattern: number;
  readonly items: Uint32Array;
  readonly masks: Int32Array;
}
