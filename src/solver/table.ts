import type { Columns } from './columns.ts';

/**
 * The words of a search as edges in typed arrays, grouped by the spot they start on and lightest first
 * within a group. A required word covers one more bit of its own, so "must contain" needs no other rule.
 */
export class WordTable {
  readonly words: Columns;
  /** Spots of the board and required words together. */
  readonly bits: number;
  readonly full: number;
  readonly lightest: number;
  /** Edges that start on spot s are those from `from[s]` to `from[s + 1]`. */
  readonly from: Uint32Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  readonly wordOf: Uint32Array;
  /** Weight of each edge's word. */
  readonly weights: Float64Array;
  readonly #spots: number;
  readonly #required: readonly string[];

  constructor(words: Columns, spots: number, required: readonly string[]) {
    this.words = words;
    this.#spots = spots;
    this.#required = required;
    this.bits = spots + required.length;
    this.full = 2 ** this.bits - 1;
    const { order, starts } = words;
    this.lightest = order.length === 0 ? 0 : words.weights[order[0]!]!;

    const edges = words.from[words.size]!;
    const next = new Uint32Array(spots + 1);
    for (let walk = 0; walk < edges; walk++) next[starts[walk]! + 1]!++;
    for (let spot = 0; spot < spots; spot++) next[spot + 1]! += next[spot]!;
    this.from = next.slice();
    const ends = new Uint8Array(edges);
    const masks = new Int32Array(edges);
    const wordOf = new Uint32Array(edges);
    const weights = new Float64Array(edges);
    const { from, ends: endOf, masks: maskOf, weights: weightOf } = words;
    for (let place = 0; place < order.length; place++) {
      const number = order[place]!;
      const extra = required.length === 0 ? 0 : this.extraOf(number);
      const weight = weightOf[number]!;
      const end = from[number + 1]!;
      for (let walk = from[number]!; walk < end; walk++) {
        const edge = next[starts[walk]!]!++;
        ends[edge] = endOf[walk]!;
        masks[edge] = maskOf[walk]! | extra;
        wordOf[edge] = number;
        weights[edge] = weight;
      }
    }
    this.ends = ends;
    this.masks = masks;
    this.wordOf = wordOf;
    this.weights = weights;
  }

  /** What a word covers beyond its spots: its own bit, when it is a required one. */
  extraOf(number: number): number {
    if (this.#required.length === 0) return 0;
    const index = this.#required.indexOf(this.words.word(number).word);
    return index < 0 ? 0 : 1 << (this.#spots + index);
  }
}
