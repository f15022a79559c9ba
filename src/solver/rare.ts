import { lowest, popcount } from './bits.ts';
import { groupBy } from './group.ts';
import type { WordTable } from './table.ts';

/** How many of the bits that the fewest words cover make up a word's pattern. */
const RARE = 10;

/**
 * The last two words of a chain on a large board. Few words cover more than three of the ten rarest letters,
 * so which of these two words cover together rules out nearly all pairs before they are looked at.
 */
export class LastTwo {
  readonly #table: WordTable;
  readonly #rare: readonly number[];
  readonly #size: number;
  /** By node and pattern (`node << rare | pattern`): whether a word from there covers these rare bits. */
  readonly #coverable: Uint8Array;
  /** By node, the most bits that a word from there covers. */
  readonly #most: Uint8Array;
  /** By node: its edges by pattern, and the patterns that occur. */
  readonly #from: { readonly pattern: number; readonly edges: Uint32Array }[][] = [];

  constructor(table: WordTable) {
    this.#table = table;
    const { bits, from, masks } = table;
    const nodes = from.length - 1;
    const holding = new Uint32Array(bits);
    for (const mask of masks) for (let rest = mask; rest !== 0; rest &= rest - 1) holding[lowest(rest)]!++;
    this.#rare = Array.from({ length: bits }, (_, bit) => bit)
      .sort((a, b) => holding[a]! - holding[b]!)
      .slice(0, RARE);
    this.#size = this.#rare.length;
    const room = 1 << this.#size;
    this.#coverable = new Uint8Array(nodes * room);
    this.#most = new Uint8Array(nodes);
    for (let node = 0; node < nodes; node++) {
      const first = from[node]!;
      const own = masks.subarray(first, from[node + 1]!);
      const patterns = Uint16Array.from(own, (mask) => this.#pattern(mask));
      const groups = groupBy(patterns, room);
      const byPattern: { pattern: number; edges: Uint32Array }[] = [];
      for (let pattern = 0; pattern < room; pattern++) {
        const edges = groups.items.subarray(groups.from[pattern]!, groups.from[pattern + 1]!);
        if (edges.length === 0) continue;
        byPattern.push({ pattern, edges: edges.map((edge) => edge + first) });
        this.#coverable[node * room + pattern] = 1;
      }
      this.#from.push(byPattern);
      for (const mask of own) this.#most[node] = Math.max(this.#most[node]!, popcount(mask));
      for (let bit = 1; bit < room; bit *= 2)
        for (let pattern = 0; pattern < room; pattern++)
          if (pattern & bit)
            this.#coverable[node * room + (pattern ^ bit)]! |= this.#coverable[node * room + pattern]!;
    }
  }

  /**
   * Calls `found` with each edge from the node after which one more word may cover the rest; returns how many
   * edges were looked at.
   */
  each(node: number, need: number, found: (edge: number, rest: number) => void): number {
    const { ends, masks, bits } = this.#table;
    const coverable = this.#coverable;
    const size = this.#size;
    const needed = this.#pattern(need);
    let looked = 0;
    for (const { pattern, edges } of this.#from[node]!) {
      const left = this.#restOfPattern(needed, pattern);
      if (!this.#isAnyCoverable(left)) continue;
      looked += edges.length;
      for (let at = 0; at < edges.length; at++) {
        const edge = edges[at]!;
        const end = ends[edge]!;
        if (coverable[(end << size) | left] === 0) continue;
        const rest = this.#table.rest(need, masks[edge]!);
        if (popcount(rest) <= this.#most[end]!) found(edge, rest);
      }
    }
    return looked + bits;
  }

  /** Whether one word from the node may cover the need, as far as the rare bits tell. */
  mayCover(node: number, need: number): boolean {
    return (
      popcount(need) <= this.#most[node]! && this.#coverable[(node << this.#size) | this.#pattern(need)] !== 0
    );
  }

  #any: Uint8Array | undefined;

  #isAnyCoverable(pattern: number): boolean {
    if (this.#any === undefined) {
      const room = 1 << this.#size;
      this.#any = new Uint8Array(room);
      for (let place = 0; place < this.#coverable.length; place++)
        this.#any[place & (room - 1)]! |= this.#coverable[place]!;
    }
    return this.#any[pattern] !== 0;
  }

  /** Repeated letters count for less than they may be: their bits are only left out where none can be left. */
  #restOfPattern(needed: number, pattern: number): number {
    return this.#table.fields.length === 0 ? needed & ~pattern : needed & ~pattern & this.#lowBits;
  }

  get #lowBits(): number {
    this.#low ??= this.#rare.reduce(
      (bits, bit, at) =>
        this.#table.fields.some(({ mask }) => (mask >>> bit) & 1) ? bits : bits | (1 << at),
      0,
    );
    return this.#low;
  }
  #low: number | undefined;

  #pattern(mask: number): number {
    let pattern = 0;
    for (let at = 0; at < this.#size; at++) pattern |= ((mask >>> this.#rare[at]!) & 1) << at;
    return pattern;
  }
}
