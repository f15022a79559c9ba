import { lowest, popcount } from './bits.ts';
import { type Field, Patterns, type WordTable } from './table.ts';

/** Up to this many bits, a table of every need for every node is small and quick to fill. */
const DENSE_BITS = 16;
/** Past this many subset entries, scanning is cheaper than filling the table. */
const DENSE_ENTRIES = 8_000_000;

/** About the share of a node's edges that hold the rarest of the needed bits. */
const RAREST = 0.03;

/** The last word of a chain: from a node, which words cover all that is still needed. */
export interface Finisher {
  /** About how many edges a look-up goes through. */
  readonly cost: number;
  /** How many edges from `node` cover `need`. */
  count(node: number, need: number): number;
  /** The first such edge, that is the lightest; −1 if there is none. */
  first(node: number, need: number): number;
  /** All such edges, in order. */
  all(node: number, need: number): readonly number[];
  /** Tables of all endings, for loops that can't afford a call; undefined on large boards. */
  readonly dense: DenseEndings | undefined;
}

/** At `(node << bits) | need`; narrow numbers, so that the tables of a 4×3 board stay in the fast caches. */
interface DenseEndings {
  readonly bits: number;
  readonly counts: Uint16Array | Uint32Array;
  /** The first edge plus one; 0 where there is none. */
  readonly firsts: Uint16Array | Uint32Array;
}

export function makeFinisher(table: WordTable): Finisher {
  return table.bits <= DENSE_BITS && subsetsOf(table) <= DENSE_ENTRIES
    ? new DenseFinisher(table)
    : new SparseFinisher(table);
}

/** How many entries the edges make in the tables. */
function subsetsOf({ bits, masks, fields }: WordTable): number {
  // This upper bound is mostly low enough.
  const most = masks.length * 2 ** bits;
  if (most <= DENSE_ENTRIES) return most;
  const own = fields.length === 0 ? 1 : 0;
  let entries = 0;
  for (let edge = 0; edge < masks.length; edge++) entries += 1 << (popcount(masks[edge]!) - own);
  return entries;
}

/** Each table is made when it is first asked for. */
class DenseFinisher implements Finisher, DenseEndings {
  readonly cost = 1;
  readonly dense = this;
  readonly bits: number;
  readonly #table: WordTable;
  #counts: Uint16Array | Uint32Array | undefined;
  #firsts: Uint16Array | Uint32Array | undefined;

  constructor(table: WordTable) {
    this.#table = table;
    this.bits = table.bits;
  }

  get counts(): Uint16Array | Uint32Array {
    this.#counts ??= countCovering(this.#table);
    return this.#counts;
  }

  get firsts(): Uint16Array | Uint32Array {
    this.#firsts ??= firstCovering(this.#table);
    return this.#firsts;
  }

  count(node: number, need: number): number {
    return this.counts[(node << this.bits) | need]!;
  }

  first(node: number, need: number): number {
    return this.firsts[(node << this.bits) | need]! - 1;
  }

  all(node: number, need: number): readonly number[] {
    const { from, masks } = this.#table;
    const found: number[] = [];
    const first = this.first(node, need);
    if (first < 0) return found;
    for (let edge = first; edge < from[node + 1]!; edge++)
      if ((masks[edge]! & need) === need) found.push(edge);
    return found;
  }
}

function countCovering({ bits, from, masks, fields }: WordTable): Uint16Array | Uint32Array {
  const nodes = Array.from({ length: from.length - 1 }, (_, node) => ({
    begin: from[node]!,
    end: from[node + 1]!,
    own: ownBit(node, fields),
  }));
  return coverCounts(
    bits,
    masks.map((mask) => ~mask),
    nodes,
  );
}

/** By place, one more than the first edge that covers the need. */
function firstCovering({ bits, from, masks, fields }: WordTable): Uint16Array | Uint32Array {
  const nodes = from.length - 1;
  const Narrow = masks.length < 2 ** 16 - 1 ? Uint16Array : Uint32Array;
  const firsts = new Narrow(nodes << bits);
  for (let node = 0; node < nodes; node++) {
    const base = node << bits;
    const own = ownBit(node, fields);
    for (let edge = from[node]!; edge < from[node + 1]!; edge++) {
      const others = masks[edge]! & ~own;
      // An edge before it covers all that it does.
      if (firsts[base | others] !== 0) continue;
      for (let need = others; ; need = (need - 1) & others) {
        const known = firsts[base | need]!;
        // Only where there is none yet; a branch could not be foreseen.
        firsts[base | need] = known | ((edge + 1) & ((known - 1) >> 31));
        if (need === 0) break;
      }
    }
  }
  return firsts;
}

/** With distinct letters a chain has covered the spot it stands on, so no need holds it, which spares half of all needs. */
function ownBit(node: number, fields: readonly Field[]): number {
  return fields.length === 0 ? 1 << node : 0;
}

/** Edges of a node that hold a bit, and their masks. */
interface Holding {
  readonly edges: Uint32Array;
  readonly masks: Int32Array;
}

/** Looks only through the edges that hold the rarest of the needed bits. */
class SparseFinisher implements Finisher {
  readonly dense = undefined;
  readonly cost: number;
  readonly #table: WordTable;
  /** By node, then by bit. */
  readonly #holding: (readonly Holding[])[] = [];

  constructor(table: WordTable) {
    this.#table = table;
    const nodes = table.from.length - 1;
    this.cost = Math.ceil((RAREST * table.masks.length) / nodes);
  }

  count(node: number, need: number): number {
    const { from } = this.#table;
    if (need === 0) return from[node + 1]! - from[node]!;
    const { masks } = this.#rarest(node, need);
    let count = 0;
    for (let at = 0; at < masks.length; at++) if ((masks[at]! & need) === need) count++;
    return count;
  }

  first(node: number, need: number): number {
    const { from } = this.#table;
    if (need === 0) return from[node]! < from[node + 1]! ? from[node]! : -1;
    const { masks, edges } = this.#rarest(node, need);
    for (let at = 0; at < masks.length; at++) if ((masks[at]! & need) === need) return edges[at]!;
    return -1;
  }

  all(node: number, need: number): readonly number[] {
    const found: number[] = [];
    if (need === 0) {
      const { from } = this.#table;
      for (let edge = from[node]!; edge < from[node + 1]!; edge++) found.push(edge);
      return found;
    }
    const { masks, edges } = this.#rarest(node, need);
    for (let at = 0; at < masks.length; at++) if ((masks[at]! & need) === need) found.push(edges[at]!);
    return found;
  }

  #rarest(node: number, need: number): Holding {
    const holding = this.#holdingOf(node);
    let best: Holding | undefined;
    for (let rest = need; rest !== 0; rest &= rest - 1) {
      const own = holding[lowest(rest)]!;
      if (best === undefined || own.masks.length < best.masks.length) best = own;
    }
    return best!;
  }

  /** By bit, the edges of a node that hold it. */
  #holdingOf(node: number): readonly Holding[] {
    const known = this.#holding[node];
    if (known !== undefined) return known;
    const { bits, from, masks } = this.#table;
    const sizes = new Uint32Array(bits);
    for (let edge = from[node]!; edge < from[node + 1]!; edge++)
      for (let rest = masks[edge]!; rest !== 0; rest &= rest - 1) sizes[lowest(rest)]!++;
    const holding = Array.from(sizes, (size) => ({
      edges: new Uint32Array(size),
      masks: new Int32Array(size),
    }));
    sizes.fill(0);
    for (let edge = from[node]!; edge < from[node + 1]!; edge++) {
      for (let rest = masks[edge]!; rest !== 0; rest &= rest - 1) {
        const bit = lowest(rest);
        const at = sizes[bit]!++;
        holding[bit]!.edges[at] = edge;
        holding[bit]!.masks[at] = masks[edge]!;
      }
    }
    this.#holding[node] = holding;
    return holding;
  }
}

/** The words of a node, as a range of all words. */
interface WordsOfNode {
  readonly begin: number;
  readonly end: number;
  /** Bits that are never needed on this node: needs with them are not counted for. */
  readonly own: number;
}

/**
 * At `(node << bits) | need`, how many words of a node cover a need: each counts for all subsets of what it covers.
 * The numbers are narrow, so that the tables of a 4×3 board stay in the fast caches.
 *
 * @param rests the bits that each word does not cover; bits above `bits` do not matter
 */
export function coverCounts(
  bits: number,
  rests: Int32Array,
  nodes: readonly WordsOfNode[],
): Uint16Array | Uint32Array {
  const Narrow = rests.length < 2 ** 16 ? Uint16Array : Uint32Array;
  const counts = new Narrow(nodes.length << bits);
  // Words of a node that cover the same go in together.
  const times = new Narrow(1 << bits);
  for (let node = 0; node < nodes.length; node++) {
    const { begin, end, own } = nodes[node]!;
    const base = node << bits;
    const others = (2 ** bits - 1) & ~own;
    for (let word = begin; word < end; word++) times[~rests[word]! & others]!++;
    for (let word = begin; word < end; word++) {
      const covered = ~rests[word]! & others;
      const count = times[covered]!;
      if (count === 0) continue;
      times[covered] = 0;
      for (let need = covered; ; need = (need - 1) & covered) {
        counts[base | need]! += count;
        if (need === 0) break;
      }
    }
  }
  return counts;
}

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
