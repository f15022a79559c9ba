import { popcount } from './bits.ts';
import { groupBy } from './group.ts';
import { sumOf } from './nodes.ts';
import type { Start } from './state.ts';
import type { Stopper } from './stopper.ts';
import { SubsetTable } from './subset-table.ts';
import type { WordTable } from './table.ts';

/** Tables of more bits would take more than 8 MB. */
const MOST_BITS = 26;

/** Edges that no other edge with the same ends covers, by the node they start on and by the one they end on. */
interface Reduced {
  readonly starts: Uint8Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  readonly edges: Uint32Array;
  readonly fromNode: Uint32Array;
  readonly intoFrom: Uint32Array;
  readonly into: Uint32Array;
}

/**
 * Whether chains of a given number of words exist, proven either way: chains from the start and chains to
 * the end meet in the middle. Of all chains that stand on a node only those are kept that no other one
 * outdoes, a few thousand even on boards of 25 letters; tables of subsets tell which those are, so the work
 * grows with (words kept × chains kept of one word fewer) and never with the number of solutions.
 */
export class Levels {
  readonly #table: WordTable;
  readonly #start: Start;
  readonly #stopper: Stopper;
  readonly #tableBits: number;
  readonly #isDistinct: boolean;
  #reduced: Reduced | undefined;
  #subsets: SubsetTable | undefined;
  /** `#left[n]`: by node, what chains of n words from the start may still need, the least of it. */
  readonly #left: Int32Array[][] = [];
  /** `#right[n]`: by node, what n words from there may cover, the most of it. */
  readonly #right: Int32Array[][] = [];

  constructor(table: WordTable, start: Start, stopper: Stopper) {
    this.#table = table;
    this.#start = start;
    this.#stopper = stopper;
    this.#isDistinct = table.fields.length === 0;
    // With distinct letters, the bit of the node stood on is always set and needs no place in its table.
    this.#tableBits = table.bits - (this.#isDistinct ? 1 : 0);
  }

  /** Larger boards have tables too large. */
  get isPossible(): boolean {
    return this.#tableBits <= MOST_BITS;
  }

  /** The edges of a chain of so many words (at least 2) that covers everything; undefined if there is none. */
  find(words: number): number[] | undefined {
    const after = Math.floor(words / 2);
    const before = words - after - 1;
    const nodes = this.#table.from.length - 1;
    const { into, intoFrom, starts, masks } = this.#reduce();
    const left = this.#leftOf(before);
    for (let node = 0; node < nodes; node++) {
      if (!this.#isReachable(left, node)) continue;
      const subsets = this.#subsetsOf(after, node);
      for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
        const edge = into[at]!;
        const needs = left[starts[edge]!]!;
        const mask = masks[edge]!;
        this.#stopper.step(needs.length);
        for (let index = 0; index < needs.length; index++) {
          const need = this.#table.rest(needs[index]!, mask);
          if (!subsets.has(this.#place(need, node))) continue;
          const chain = [
            ...this.#chainTo(before, starts[edge]!, needs[index]!),
            edge,
            ...this.#chainFrom(after, node, need),
          ];
          return chain.map((found) => this.#reduce().edges[found]!);
        }
      }
    }
    return undefined;
  }

  #isReachable(left: readonly Int32Array[], node: number): boolean {
    const { into, intoFrom, starts } = this.#reduce();
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++)
      if (left[starts[into[at]!]!]!.length > 0) return true;
    return false;
  }

  /** Which needs `words` words from a node can cover. The table is the same one each time. */
  #subsetsOf(words: number, node: number): SubsetTable {
    this.#subsets ??= new SubsetTable(this.#tableBits);
    const subsets = this.#subsets;
    subsets.clear();
    const known = this.#right[words]?.[node];
    if (known !== undefined) {
      for (const mask of known) subsets.add(this.#place(mask, node));
      this.#stopper.step(2 ** Math.max(0, this.#tableBits - 8));
      subsets.close();
      return subsets;
    }
    // The kept chains of fewer words have to be there first, as they need the same table.
    for (let fewer = 1; fewer < words; fewer++) this.#rightOf(fewer);
    subsets.clear();
    const seen = this.#addChainsFrom(words, node, subsets);
    this.#right[words] ??= [];
    this.#right[words][node] = this.#maximal(seen, node);
    return subsets;
  }

  #rightOf(words: number): Int32Array[] {
    const nodes = this.#table.from.length - 1;
    for (let node = 0; node < nodes; node++)
      if (this.#right[words]?.[node] === undefined) this.#subsetsOf(words, node);
    return this.#right[words] ?? [];
  }

  /** Closes the table over what so many words from a node cover; returns the places that were added. */
  #addChainsFrom(words: number, node: number, subsets: SubsetTable): number[] {
    const { fields } = this.#table;
    const { fromNode, ends, masks } = this.#reduce();
    const seen: number[] = [];
    for (let edge = fromNode[node]!; edge < fromNode[node + 1]!; edge++) {
      const mask = masks[edge]!;
      if (words === 1) {
        const place = this.#place(mask, node);
        if (subsets.add(place)) seen.push(place);
        continue;
      }
      const onwards = this.#right[words - 1]![ends[edge]!]!;
      this.#stopper.step(onwards.length);
      if (this.#isDistinct) {
        const low = (1 << node) - 1;
        for (let index = 0; index < onwards.length; index++) {
          const covered = mask | onwards[index]!;
          const place = (covered & low) | ((covered >>> (node + 1)) << node);
          if (subsets.add(place)) seen.push(place);
        }
      } else {
        for (let index = 0; index < onwards.length; index++) {
          const place = sumOf(mask, onwards[index]!, fields);
          if (subsets.add(place)) seen.push(place);
        }
      }
    }
    this.#stopper.step(2 ** Math.max(0, this.#tableBits - 8));
    subsets.close();
    return seen;
  }

  /** Once the table is closed: of the places added, those that no other one outdoes, as masks. */
  #maximal(seen: readonly number[], node: number): Int32Array {
    const subsets = this.#subsets!;
    const own = 1 << node;
    const kept: number[] = [];
    for (const place of seen) {
      if (!subsets.isMaximal(place)) continue;
      kept.push(this.#isDistinct ? (place & (own - 1)) | ((place >>> node) << (node + 1)) | own : place);
    }
    return Int32Array.from(kept);
  }

  #leftOf(words: number): Int32Array[] {
    const known = this.#left[words];
    if (known !== undefined) return known;
    const { full, from } = this.#table;
    const nodes = from.length - 1;
    const needs: Int32Array[] = [];
    if (words === 0) {
      for (let node = 0; node < nodes; node++) {
        if (this.#start === 'anywhere') needs.push(Int32Array.of(this.#table.needOn(node)));
        else
          needs.push(
            Int32Array.from(
              this.#start.filter((state) => state.node === node),
              ({ need }) => need,
            ),
          );
      }
    } else {
      const before = this.#leftOf(words - 1);
      const { into, intoFrom, starts, masks } = this.#reduce();
      this.#subsets ??= new SubsetTable(this.#tableBits);
      for (let node = 0; node < nodes; node++) {
        this.#subsets.clear();
        const seen: number[] = [];
        for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
          const edge = into[at]!;
          const list = before[starts[edge]!]!;
          this.#stopper.step(list.length);
          for (let index = 0; index < list.length; index++) {
            const place = this.#place(full & ~this.#table.rest(list[index]!, masks[edge]!), node);
            if (this.#subsets.add(place)) seen.push(place);
          }
        }
        this.#stopper.step(2 ** Math.max(0, this.#tableBits - 8));
        this.#subsets.close();
        needs.push(this.#maximal(seen, node).map((covered) => full & ~covered));
      }
    }
    this.#left[words] = needs;
    return needs;
  }

  /** Where a mask stands in the table of a node. */
  #place(mask: number, node: number): number {
    return this.#isDistinct ? (mask & ((1 << node) - 1)) | ((mask >>> (node + 1)) << node) : mask;
  }

  /** Edges of a chain from the start that stands on a node with no more than this need. */
  #chainTo(words: number, node: number, need: number): number[] {
    if (words === 0) return [];
    const { into, intoFrom, starts, masks } = this.#reduce();
    const before = this.#leftOf(words - 1);
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const edge = into[at]!;
      for (const earlier of before[starts[edge]!]!) {
        if (this.#table.rest(earlier, masks[edge]!) & ~need) continue;
        return [...this.#chainTo(words - 1, starts[edge]!, earlier), edge];
      }
    }
    throw new Error('a kept chain has lost its words');
  }

  /** Edges of a chain from a node that covers the need, which is known to exist. */
  #chainFrom(words: number, node: number, need: number): number[] {
    if (words === 0) return [];
    const { fromNode, ends, masks } = this.#reduce();
    for (let edge = fromNode[node]!; edge < fromNode[node + 1]!; edge++) {
      const rest = this.#table.rest(need, masks[edge]!);
      const isDone =
        words === 1
          ? rest === 0
          : this.#right[words - 1]![ends[edge]!]!.some((covered) => (rest & ~covered) === 0);
      if (isDone) return [edge, ...this.#chainFrom(words - 1, ends[edge]!, rest)];
    }
    throw new Error('a kept chain has lost its words');
  }

  #reduce(): Reduced {
    if (this.#reduced !== undefined) return this.#reduced;
    const { from, ends, masks } = this.#table;
    const nodes = from.length - 1;
    const kept: number[] = [];
    const fromNode = new Uint32Array(nodes + 1);
    for (let node = 0; node < nodes; node++) {
      const byEnd = groupBy(ends.subarray(from[node]!, from[node + 1]!), nodes);
      for (let end = 0; end < nodes; end++) {
        const group = byEnd.items
          .subarray(byEnd.from[end]!, byEnd.from[end + 1]!)
          .map((edge) => edge + from[node]!);
        for (const edge of undominated(group, masks, this.#stopper)) kept.push(edge);
      }
      fromNode[node + 1] = kept.length;
    }
    const edges = Uint32Array.from(kept);
    const starts = new Uint8Array(edges.length);
    for (let node = 0; node < nodes; node++) starts.fill(node, fromNode[node]!, fromNode[node + 1]!);
    const endOf = Uint8Array.from(edges, (edge) => ends[edge]!);
    const { from: intoFrom, items: into } = groupBy(endOf, nodes);
    const maskOf = Int32Array.from(edges, (edge) => masks[edge]!);
    this.#reduced = { starts, ends: endOf, masks: maskOf, edges, fromNode, intoFrom, into };
    return this.#reduced;
  }
}

/** Of edges with the same ends, those that no other one covers; of equal ones the first. */
function undominated(group: Uint32Array, masks: Int32Array, stopper: Stopper): number[] {
  const byMask = new Map<number, number>();
  for (const edge of group) if (!byMask.has(masks[edge]!)) byMask.set(masks[edge]!, edge);
  // What covers another is larger, so it comes before it.
  const sorted = [...byMask.keys()].sort((a, b) => popcount(b) - popcount(a));
  const kept: number[] = [];
  for (const mask of sorted) {
    let isCovered = false;
    for (let at = 0; at < kept.length && !isCovered; at++) isCovered = (mask & ~kept[at]!) === 0;
    if (!isCovered) kept.push(mask);
  }
  stopper.step(sorted.length);
  return kept.map((mask) => byMask.get(mask)!);
}
