import { popcount } from './bits.ts';
import { hasRepeats } from './board.ts';
import type { Board } from './types.ts';

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

/** What is still needed after a word: of each field, as many bits fewer as the word has. */
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

/** What two words hold together, the letter that joins them counted in one of them only. */
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
