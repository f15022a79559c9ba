import { lowest, popcount } from './bits.ts';
import type { WordTable } from './table.ts';

/** Up to this many bits, a table of every need for every node is small and quick to fill. */
const DENSE_BITS = 16;
/** Past this many subset entries, scanning is cheaper than filling the table. */
const DENSE_ENTRIES = 8_000_000;

/** Of the edges of a node, about the share that hold the needed bit which is rarest among them. */
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
  /** Whether the board is so small that all endings are in tables. */
  readonly isDense: boolean;
  /** These tables, for loops that can't afford a call; undefined on large boards. */
  readonly dense: DenseEndings | undefined;
}

/** At `(node << bits) | need`; narrow numbers, so that the tables of a 4×3 board stay in the fast caches. */
export interface DenseEndings {
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
function subsetsOf({ masks, fields }: WordTable): number {
  const own = fields.length === 0 ? 1 : 0;
  let entries = 0;
  for (let edge = 0; edge < masks.length; edge++) entries += 1 << (popcount(masks[edge]!) - own);
  return entries;
}

/** Its tables are made when they are first asked for: two words are found without them. */
class DenseFinisher implements Finisher {
  readonly cost = 1;
  readonly isDense = true;
  readonly #table: WordTable;
  #dense: DenseEndings | undefined;

  constructor(table: WordTable) {
    this.#table = table;
  }

  get dense(): DenseEndings {
    this.#dense ??= denseEndings(this.#table);
    return this.#dense;
  }

  count(node: number, need: number): number {
    const { counts, bits } = this.dense;
    return counts[(node << bits) | need]!;
  }

  first(node: number, need: number): number {
    const { firsts, bits } = this.dense;
    return firsts[(node << bits) | need]! - 1;
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

/**
 * Each edge adds itself to all subsets of its mask. With distinct letters a chain has covered the spot it
 * stands on, so no need holds that one: half the subsets.
 */
function denseEndings(table: WordTable): DenseEndings {
  const { bits, from, masks, fields } = table;
  const isDistinct = fields.length === 0;
  const nodes = from.length - 1;
  const Narrow = masks.length < 2 ** 16 - 1 ? Uint16Array : Uint32Array;
  const counts = new Narrow(nodes << bits);
  const firsts = new Narrow(nodes << bits);
  // Edges of a node with the same mask go in together: by mask, the place of the first of them plus one.
  const placeOf = new Narrow(1 << bits);
  const different = new Narrow(masks.length);
  const times = new Narrow(masks.length);
  for (let node = 0; node < nodes; node++) {
    let found = 0;
    for (let edge = from[node]!; edge < from[node + 1]!; edge++) {
      const place = placeOf[masks[edge]!]!;
      if (place === 0) {
        different[found] = edge;
        times[found] = 1;
        placeOf[masks[edge]!] = ++found;
      } else times[place - 1]!++;
    }
    const base = node << bits;
    const own = isDistinct ? 1 << node : 0;
    // The lightest come last, and write over the others.
    for (let place = found - 1; place >= 0; place--) {
      const edge = different[place]!;
      const mask = masks[edge]!;
      placeOf[mask] = 0;
      const others = mask & ~own;
      const count = times[place]!;
      for (let need = others; ; need = (need - 1) & others) {
        counts[base | need]! += count;
        firsts[base | need] = edge + 1;
        if (need === 0) break;
      }
    }
  }
  return { bits, counts, firsts };
}

/** Edges of a node that hold a bit, and their masks. */
interface Holding {
  readonly edges: Uint32Array;
  readonly masks: Int32Array;
}

/** Looks only through the edges that hold the needed bit which the fewest edges from there have. */
class SparseFinisher implements Finisher {
  readonly isDense = false;
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
