import { groupBy, popcount } from './bits.ts';
import type { Stopper } from './stopper.ts';
import { type PatternGroup, Patterns, type Start, SubsetTable, sumOf, type WordTable } from './table.ts';

/** Tables of more bits would take more than 8 MB. */
const MOST_BITS = 26;

/** Called where two parts of a chain meet, with the edge on which they do and the needs before and after it. */
type Take = (edge: number, need: number, rest: number) => boolean;

/**
 * Whether chains of a given number of words exist, proven either way: chains from the start and chains to
 * the end meet in the middle. Of all chains that stand on a node, a chain is kept only if no other one
 * outdoes it: a few thousand even on boards of 25 letters; tables of subsets tell which those are, so the work
 * grows with (words kept × chains kept of one word fewer) and never with the number of solutions.
 */
export class Levels {
  readonly #table: WordTable;
  readonly #stopper: Stopper;
  readonly #chains: KeptChains;
  readonly #isDistinct: boolean;

  constructor(table: WordTable, start: Start, stopper: Stopper) {
    this.#table = table;
    this.#stopper = stopper;
    this.#chains = new KeptChains(table, start, stopper);
    this.#isDistinct = table.fields.length === 0;
  }

  /** False for boards whose tables would be too large. */
  get isPossible(): boolean {
    return this.#chains.tableBits <= MOST_BITS;
  }

  /**
   * Shows chains of this many words (at least 2) that cover everything, as edges, until one is taken. Of chains that meet
   * in the same way one is shown; none at all is shown only if there is none.
   */
  find(words: number, take: (edges: readonly number[]) => boolean): void {
    const after = Math.floor(words / 2);
    const before = words - after - 1;
    // The kept chains of fewer words have to be there first, as they need the same table.
    for (let fewer = 1; fewer < after; fewer++) this.#chains.right(fewer);
    this.#chains.left(before);
    const nodes = this.#table.from.length - 1;
    const { edges, starts } = this.#chains.reduced;
    for (let node = 0; node < nodes; node++) {
      const isTaken = this.#meet(node, before, after, (edge, need, rest) => {
        const to = this.#chainTo(before, starts[edge]!, need);
        return take([...to, edge, ...this.#chainFrom(after, node, rest)].map((found) => edges[found]!));
      });
      if (isTaken) return;
    }
  }

  /** Chains of `before` words and one more that stand on the node with a need that `after` words cover, until one is taken. */
  #meet(node: number, before: number, after: number, take: Take): boolean {
    const { full } = this.#table;
    const { into, intoFrom, starts, masks, patterns } = this.#chains.reduced;
    const left = this.#chains.left(before);
    const leftCovers = this.#patternsInto(node, before);
    if (leftCovers[0] === 0) return false;
    const rightCovers = this.#patternsFrom(node, after);
    const subsets = this.#chains.fill(after, node, leftCovers);
    const all = this.#chains.patterns.room - 1;
    const low = (1 << node) - 1;
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const edge = into[at]!;
      const mask = masks[edge]!;
      for (const { pattern, masks: covered } of left[starts[edge]!]!.groups) {
        if (rightCovers[all & ~(pattern | patterns[edge]!)] === 0) continue;
        this.#stopper.step(covered.length);
        if (this.#isDistinct) {
          for (let index = 0; index < covered.length; index++) {
            const rest = full & ~(covered[index]! | mask);
            const isMet = subsets.has((rest & low) | ((rest >>> (node + 1)) << node));
            if (isMet && take(edge, full & ~covered[index]!, rest)) return true;
          }
        } else {
          for (let index = 0; index < covered.length; index++) {
            const need = full & ~covered[index]!;
            const rest = this.#table.rest(need, mask);
            if (subsets.has(rest) && take(edge, need, rest)) return true;
          }
        }
      }
    }
    return false;
  }

  /** The patterns, with all their subsets, that chains of `before` words and one more cover when they stand on the node. */
  #patternsInto(node: number, before: number): Uint8Array {
    const { into, intoFrom, starts, patterns } = this.#chains.reduced;
    const { size, room } = this.#chains.patterns;
    const left = this.#chains.left(before);
    const covers = new Uint8Array(room);
    const seen = new Set<number>();
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const edge = into[at]!;
      const key = (starts[edge]! << size) | patterns[edge]!;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const { pattern } of left[starts[edge]!]!.groups) covers[pattern | patterns[edge]!] = 1;
    }
    this.#chains.patterns.close(covers);
    return covers;
  }

  /** The patterns, with all their subsets, that this many words from the node cover. */
  #patternsFrom(node: number, words: number): Uint8Array {
    const { fromNode, ends, patterns } = this.#chains.reduced;
    const { size, room } = this.#chains.patterns;
    const covers = new Uint8Array(room);
    const seen = new Set<number>();
    for (let edge = fromNode[node]!; edge < fromNode[node + 1]!; edge++) {
      if (words === 1) covers[patterns[edge]!] = 1;
      else {
        const key = (ends[edge]! << size) | patterns[edge]!;
        if (seen.has(key)) continue;
        seen.add(key);
        for (const { pattern } of this.#chains.right(words - 1)[ends[edge]!]!.groups)
          covers[pattern | patterns[edge]!] = 1;
      }
    }
    this.#chains.patterns.close(covers);
    return covers;
  }

  /** Edges of a chain from the start that stands on a node with no more than this need. */
  #chainTo(words: number, node: number, need: number): number[] {
    if (words === 0) return [];
    const { full } = this.#table;
    const { into, intoFrom, starts, masks } = this.#chains.reduced;
    const before = this.#chains.left(words - 1);
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const edge = into[at]!;
      for (const covered of before[starts[edge]!]!.masks) {
        const earlier = full & ~covered;
        if (this.#table.rest(earlier, masks[edge]!) & ~need) continue;
        return [...this.#chainTo(words - 1, starts[edge]!, earlier), edge];
      }
    }
    throw new Error('a kept chain has lost its words');
  }

  /** Edges of a chain from a node that covers the need, which is known to exist. */
  #chainFrom(words: number, node: number, need: number): number[] {
    if (words === 0) return [];
    const { fromNode, ends, masks } = this.#chains.reduced;
    for (let edge = fromNode[node]!; edge < fromNode[node + 1]!; edge++) {
      const rest = this.#table.rest(need, masks[edge]!);
      const isDone =
        words === 1
          ? rest === 0
          : this.#chains.right(words - 1)[ends[edge]!]!.masks.some((covered) => (rest & ~covered) === 0);
      if (isDone) return [edge, ...this.#chainFrom(words - 1, ends[edge]!, rest)];
    }
    throw new Error('a kept chain has lost its words');
  }
}

/** What the chains on one node cover, without chains that another one outdoes. */
interface Kept {
  readonly masks: Int32Array;
  readonly groups: readonly PatternGroup[];
}

/**
 * Chains from the start and chains to the end, by the node they stand on, except chains that another one outdoes.
 */
class KeptChains {
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
   * The table of what this many words from a node can cover; it is the same table each time.
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

  /** By node, what this many words from there may cover. Fewer words have to be asked for first: they need the same table. */
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

  /** By node, what chains of this many words from the start may have covered. */
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

  /** Once the table is closed: the places added that no other one outdoes, as masks. */
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

/** Edges that no other edge with the same ends covers, by the node they start on and by the one they end on. */
interface Reduced {
  readonly starts: Uint8Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  readonly patterns: Uint16Array;
  /** The edge in the table of words. */
  readonly edges: Uint32Array;
  readonly fromNode: Uint32Array;
  readonly intoFrom: Uint32Array;
  readonly into: Uint32Array;
}

/** The edges of a table, without the ones that another edge makes useless. */
function reduceEdges({ from, ends, masks }: WordTable, patterns: Patterns, stopper: Stopper): Reduced {
  const nodes = from.length - 1;
  const kept: number[] = [];
  const fromNode = new Uint32Array(nodes + 1);
  for (let node = 0; node < nodes; node++) {
    const byEnd = groupBy(ends.subarray(from[node]!, from[node + 1]!), nodes);
    for (let end = 0; end < nodes; end++) {
      // Edges are lightest first: of equal masks the first is kept.
      const byMask = new Map<number, number>();
      for (let at = byEnd.from[end + 1]! - 1; at >= byEnd.from[end]!; at--) {
        const edge = byEnd.items[at]! + from[node]!;
        byMask.set(masks[edge]!, edge);
      }
      for (const mask of undominated([...byMask.keys()], stopper)) kept.push(byMask.get(mask)!);
    }
    fromNode[node + 1] = kept.length;
  }
  const edges = Uint32Array.from(kept);
  const starts = new Uint8Array(edges.length);
  for (let node = 0; node < nodes; node++) starts.fill(node, fromNode[node]!, fromNode[node + 1]!);
  const endOf = Uint8Array.from(edges, (edge) => ends[edge]!);
  const { from: intoFrom, items: into } = groupBy(endOf, nodes);
  const maskOf = Int32Array.from(edges, (edge) => masks[edge]!);
  const patternOf = Uint16Array.from(maskOf, (mask) => patterns.of(mask));
  return { starts, ends: endOf, masks: maskOf, patterns: patternOf, edges, fromNode, intoFrom, into };
}

/** The masks that no other mask covers; each once, and larger ones first. */
function undominated(masks: ArrayLike<number>, stopper: Stopper): number[] {
  // What covers another is larger, so it comes before it.
  const sorted = [...new Set(Array.from(masks))].sort((a, b) => popcount(b) - popcount(a));
  const kept: number[] = [];
  for (const mask of sorted) {
    let isCovered = false;
    for (let at = 0; at < kept.length && !isCovered; at++) isCovered = (mask & ~kept[at]!) === 0;
    if (!isCovered) kept.push(mask);
  }
  stopper.step(sorted.length + kept.length ** 2 / 8);
  return kept;
}
