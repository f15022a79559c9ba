import { addLetter, type Nodes } from './nodes.ts';
import type { PlayableWord } from './types.ts';
import { weightOf } from './weight.ts';

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
export function orderByWeight(weights: Float64Array): Uint32Array {
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
