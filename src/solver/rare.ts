import { popcount } from './bits.ts';
import { Patterns } from './patterns.ts';
import type { WordTable } from './table.ts';

/** The last two words of a chain on a large board, where the patterns of rare letters rule out nearly all pairs. */
export class LastTwo {
  readonly #table: WordTable;
  readonly #patterns: Patterns;
  /** By node and pattern: whether a word from there covers it. */
  readonly #coverable: Uint8Array[] = [];
  /** By pattern: whether a word from anywhere covers it. */
  readonly #anywhere: Uint8Array;
  /** By node, the most bits that a word from there covers. */
  readonly #most: Uint8Array;
  readonly #from: { readonly pattern: number; readonly edges: Uint32Array; readonly masks: Int32Array }[][] =
    [];

  constructor(table: WordTable) {
    this.#table = table;
    const { from, masks } = table;
    const nodes = from.length - 1;
    this.#patterns = new Patterns(table);
    this.#anywhere = new Uint8Array(this.#patterns.room);
    this.#most = new Uint8Array(nodes);
    for (let node = 0; node < nodes; node++) {
      const first = from[node]!;
      const own = masks.subarray(first, from[node + 1]!);
      const groups = this.#patterns.group(own);
      this.#from.push(
        groups.map(({ pattern, items, masks: held }) => ({
          pattern,
          edges: items.map((at) => at + first),
          masks: held,
        })),
      );
      const coverable = new Uint8Array(this.#patterns.room);
      for (const { pattern } of groups) coverable[pattern] = 1;
      this.#patterns.close(coverable);
      this.#coverable.push(coverable);
      for (let pattern = 0; pattern < coverable.length; pattern++)
        this.#anywhere[pattern]! |= coverable[pattern]!;
      for (const mask of own) this.#most[node] = Math.max(this.#most[node]!, popcount(mask));
    }
  }

  /**
   * Calls `found` with each edge from the node after which one more word may cover the rest; returns how many
   * edges were looked at.
   */
  each(node: number, need: number, found: (edge: number, rest: number) => void): number {
    const { ends, fields } = this.#table;
    const isDistinct = fields.length === 0;
    const needed = this.#patterns.of(need);
    let looked = 0;
    for (const { pattern, edges, masks } of this.#from[node]!) {
      const left = needed & ~pattern;
      looked++;
      if (this.#anywhere[left] === 0) continue;
      looked += edges.length;
      for (let at = 0; at < edges.length; at++) {
        const end = ends[edges[at]!]!;
        if (this.#coverable[end]![left] === 0) continue;
        const rest = isDistinct ? need & ~masks[at]! : this.#table.rest(need, masks[at]!);
        if (popcount(rest) <= this.#most[end]!) found(edges[at]!, rest);
      }
    }
    return looked;
  }

  /** Whether one word from the node may cover the need, as far as patterns tell. */
  mayCover(node: number, need: number): boolean {
    return popcount(need) <= this.#most[node]! && this.#coverable[node]![this.#patterns.of(need)] !== 0;
  }
}
