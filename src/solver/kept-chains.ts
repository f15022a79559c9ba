import { type Reduced, reduceEdges, undominated } from './dominance.ts';
import { sumOf } from './nodes.ts';
import { type PatternGroup, Patterns } from './patterns.ts';
import type { Start } from './state.ts';
import type { Stopper } from './stopper.ts';
import { SubsetTable } from './subset-table.ts';
import type { WordTable } from './table.ts';

/** Of the chains that stand on one node, what those cover that no other one outdoes. */
export interface Kept {
  readonly masks: Int32Array;
  readonly groups: readonly PatternGroup[];
}

/**
 * Chains from the start and chains to the end, by the node they stand on, without those that another one outdoes.
 */
export class KeptChains {
  readonly patterns: Patterns;
  /** Bits of the tables of subsets. */
  readonly tableBits: number;
  readonly #table: WordTable;
  readonly #start: Start;
  readonly #stopper: Stopper;
  readonly #isDistinct: boolean;
  #reduced: Reduced | undefined;
  #subsets: SubsetTable | undefined;
  readonly #left: Kept[][] = [];
  readonly #right: Kept[][] = [];

  constructor(table: WordTable, start: Start, stopper: Stopper) {
    this.#table = table;
    this.#start = start;
    this.#stopper = stopper;
    this.#isDistinct = table.fields.length === 0;
    this.patterns = new Patterns(table);
    // With distinct letters, the bit of the node stood on is always set and needs no place in its table.
    this.tableBits = table.bits - (this.#isDistinct ? 1 : 0);
  }

  get reduced(): Reduced {
    this.#reduced ??= reduceEdges(this.#table, this.patterns, this.#stopper);
    return this.#reduced;
  }

  /**
   * The table of what so many words from a node can cover; it is the same table each time.
   *
   * @param useful by pattern, whether the rest of a chain can cover it: what is of no use is left out
   * @param seen gets the places that were added
   */
  fill(words: number, node: number, useful?: Uint8Array, seen?: number[]): SubsetTable {
    this.#subsets ??= new SubsetTable(this.tableBits);
    const subsets = this.#subsets;
    const { fields } = this.#table;
    const { fromNode, ends, masks, patterns } = this.reduced;
    const all = this.patterns.room - 1;
    const low = (1 << node) - 1;
    subsets.clear();
    const add = (place: number) => {
      if (subsets.add(place)) seen?.push(place);
    };
    for (let edge = fromNode[node]!; edge < fromNode[node + 1]!; edge++) {
      const mask = masks[edge]!;
      if (words === 1) {
        add(this.#place(mask, node));
        continue;
      }
      for (const { pattern, masks: onwards } of this.#right[words - 1]![ends[edge]!]!.groups) {
        if (useful?.[all & ~(pattern | patterns[edge]!)] === 0) continue;
        this.#stopper.step(onwards.length);
        if (!this.#isDistinct)
          for (let index = 0; index < onwards.length; index++) add(sumOf(mask, onwards[index]!, fields));
        else if (seen === undefined) {
          for (let index = 0; index < onwards.length; index++) {
            const covered = mask | onwards[index]!;
            subsets.add((covered & low) | ((covered >>> (node + 1)) << node));
          }
        } else
          for (let index = 0; index < onwards.length; index++) add(this.#place(mask | onwards[index]!, node));
      }
    }
    this.#close();
    return subsets;
  }

  #close(): void {
    this.#stopper.step(2 ** Math.max(0, this.tableBits - 8));
    this.#subsets!.close();
  }

  /** By node, what so many words from there may cover. Those of fewer words have to be there first: they need the same table. */
  right(words: number): readonly Kept[] {
    const nodes = this.#table.from.length - 1;
    this.#right[words] ??= [];
    const kept = this.#right[words];
    const { fromNode, masks } = this.reduced;
    for (let node = kept.length; node < nodes; node++) {
      if (words === 1) {
        kept.push(
          this.#kept(undominated(masks.subarray(fromNode[node]!, fromNode[node + 1]!), this.#stopper)),
        );
        continue;
      }
      const seen: number[] = [];
      this.fill(words, node, undefined, seen);
      kept.push(this.#keep(seen, node));
    }
    return kept;
  }

  /** By node, what chains of so many words from the start may have covered. */
  left(words: number): readonly Kept[] {
    this.#left[words] ??= [];
    const kept = this.#left[words];
    const nodes = this.#table.from.length - 1;
    const { full } = this.#table;
    for (let node = kept.length; node < nodes; node++) {
      if (words === 0) {
        kept.push(this.#kept(this.#startsOn(node).map((need) => full & ~need)));
        continue;
      }
      const before = this.left(words - 1);
      const { into, intoFrom, starts, masks } = this.reduced;
      if (words === 1) {
        const covered: number[] = [];
        for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++)
          for (const earlier of before[starts[into[at]!]!]!.masks)
            covered.push(full & ~this.#table.rest(full & ~earlier, masks[into[at]!]!));
        kept.push(this.#kept(undominated(covered, this.#stopper)));
        continue;
      }
      this.#subsets ??= new SubsetTable(this.tableBits);
      this.#subsets.clear();
      const seen: number[] = [];
      for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
        const edge = into[at]!;
        const list = before[starts[edge]!]!.masks;
        this.#stopper.step(list.length);
        for (let index = 0; index < list.length; index++) {
          const rest = this.#table.rest(full & ~list[index]!, masks[edge]!);
          const place = this.#place(full & ~rest, node);
          if (this.#subsets.add(place)) seen.push(place);
        }
      }
      this.#close();
      kept.push(this.#keep(seen, node));
    }
    return kept;
  }

  #startsOn(node: number): number[] {
    if (this.#start === 'anywhere') return [this.#table.needOn(node)];
    return this.#start.filter((state) => state.node === node).map(({ need }) => need);
  }

  /** Once the table is closed: of the places added, those that no other one outdoes, as masks. */
  #keep(seen: readonly number[], node: number): Kept {
    const subsets = this.#subsets!;
    const own = 1 << node;
    const kept: number[] = [];
    for (const place of seen) {
      if (!subsets.isMaximal(place)) continue;
      kept.push(this.#isDistinct ? (place & (own - 1)) | ((place >>> node) << (node + 1)) | own : place);
    }
    return this.#kept(kept);
  }

  #kept(masks: readonly number[]): Kept {
    return { masks: Int32Array.from(masks), groups: this.patterns.group(masks) };
  }

  /** The index of a mask in the table of a node. */
  #place(mask: number, node: number): number {
    return this.#isDistinct ? (mask & ((1 << node) - 1)) | ((mask >>> (node + 1)) << node) : mask;
  }
}
