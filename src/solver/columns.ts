import { popcount } from './bits.ts';
import { hasRepeats } from './board.ts';
import type { Board, PlayableWord } from './types.ts';

/** A letter that stands on several spots: its bits in a mask, the lowest of them, and how many they are. */
export interface Field {
  readonly mask: number;
  readonly low: number;
  readonly shift: number;
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
    fieldOf.push(spots > 1 ? { mask: (2 ** spots - 1) << shift, low: 1 << shift, shift } : undefined);
    shift += spots;
  }
  const fields = fieldOf.filter((field) => field !== undefined);
  return { letters, nodeOf, bits: shift, lows, fields, fieldOf };
}

/** What is still needed after a word: each field has as many bits fewer as the word holds of it. */
export function restOf(need: number, mask: number, fields: readonly Field[]): number {
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

/**
 * A word's weight adds up along a chain, and lighter chains come first: likelihood above all (as −ln,
 * in whole steps, so that sums are exact), then the number of words, then the number of letters.
 */
export function weightOf(likelihood: number, length: number): number {
  const cost = Math.round(Math.min(WORST, -Math.log(likelihood)) * COST_STEPS);
  return (cost * WORD_ROOM + 1) * LETTER_ROOM + length;
}
const WORST = 15;
const COST_STEPS = 2 ** 16;
const LETTER_ROOM = 2 ** 10;
const WORD_ROOM = 2 ** 4;

/**
 * The words of a search as columns of numbers, in alphabetical order. A word
 * becomes an object only when someone asks for it: of thousands on a board a few are ever shown.
 */
export interface Columns {
  readonly size: number;
  readonly weights: Float64Array;
  /** Word numbers, lightest first. */
  readonly order: Uint32Array;
  /** The nodes that each word begins and ends on. */
  readonly starts: Uint8Array;
  readonly ends: Uint8Array;
  /** What each word covers beyond the spot it begins on; with distinct letters, that one too. */
  readonly masks: Int32Array;
  word(number: number): PlayableWord;
}

/** Weight (34 bits) and word number (19 bits) sort as one double. */
const NUMBER_ROOM = 2 ** 19;

/** Columns of words that are objects already. */
export function packWords(unsorted: readonly PlayableWord[], nodes: Nodes): Columns {
  const words = unsorted.toSorted((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
  const size = words.length;
  const weights = new Float64Array(size);
  const starts = new Uint8Array(size);
  const ends = new Uint8Array(size);
  const masks = new Int32Array(size);
  const isDistinct = nodes.fields.length === 0;
  for (let number = 0; number < size; number++) {
    const word = words[number]!;
    weights[number] = weightOf(word.likelihood, word.length);
    if (isDistinct) {
      const [walk] = word.walks;
      starts[number] = walk!.start;
      ends[number] = walk!.end;
      masks[number] = walk!.mask;
    } else {
      const { word: text } = word;
      starts[number] = nodes.nodeOf[text.charCodeAt(0) - 97]!;
      ends[number] = nodes.nodeOf[text.charCodeAt(text.length - 1) - 97]!;
      let mask = 0;
      for (let at = 1; at < text.length; at++)
        mask = addLetter(mask, nodes.nodeOf[text.charCodeAt(at) - 97]!, nodes);
      masks[number] = mask;
    }
  }
  return {
    size,
    weights,
    order: orderByWeight(weights),
    starts,
    ends,
    masks,
    word: (number) => words[number]!,
  };
}

/** Numbers in order of their weight; equal ones stay in order of number. */
function orderByWeight(weights: Float64Array): Uint32Array {
  const keys = weights.map((weight, number) => weight * NUMBER_ROOM + number).sort();
  return Uint32Array.from(keys, (key) => key % NUMBER_ROOM);
}

/**
 * Numbers from 0 to `keys.length` − 1 in order of the low bits of their keys; equal ones stay in order of number. Sorting
 * by the low half of these bits and then by the high one is quicker than comparing.
 *
 * @param bits how many low bits; if this is odd, the next one is 0 in all keys
 */
export function orderOf(keys: Uint16Array | Int32Array, bits: number): Uint32Array {
  const size = keys.length;
  const half = Math.ceil(bits / 2);
  const digits = 1 << half;
  const low = new Uint32Array(digits + 1);
  const high = new Uint32Array(digits + 1);
  for (let number = 0; number < size; number++) {
    const key = keys[number]!;
    low[(key & (digits - 1)) + 1]!++;
    high[((key >>> half) & (digits - 1)) + 1]!++;
  }
  for (let digit = 1; digit < digits; digit++) {
    low[digit]! += low[digit - 1]!;
    high[digit]! += high[digit - 1]!;
  }
  const byLow = new Uint32Array(size);
  for (let number = 0; number < size; number++) byLow[low[keys[number]! & (digits - 1)]!++] = number;
  const order = new Uint32Array(size);
  for (let at = 0; at < size; at++) order[high[(keys[byLow[at]!]! >>> half) & (digits - 1)]!++] = byLow[at]!;
  return order;
}

/** A full column in a larger, empty one. */
export function grown<Column extends { set(from: Column): void }>(full: Column, larger: Column): Column {
  larger.set(full);
  return larger;
}
