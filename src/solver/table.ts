import type { Columns } from './columns.ts';
import { addLetter, type Field, type Nodes, restOf } from './nodes.ts';

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
  /** Edges that start on node n are those from `from[n]` to `from[n + 1]`. */
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

  /** What a chain needs that has done no more than stand on a node. */
  needOn(node: number): number {
    return this.rest(this.full, addLetter(0, node, this.nodes));
  }

  /** What a chain needs that begins with a word. */
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
