import { lowest, popcount } from './bits.ts';
import { coverCounts } from './cover-counts.ts';
import type { Field } from './nodes.ts';
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
function subsetsOf({ bits, masks, fields }: WordTable): number {
  // Mostly there can't be too many.
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
  readonly isDense = true;
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

/** By place, the first edge that covers the need plus one. */
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

/** With distinct letters a chain has covered the spot it stands on, so no need holds that one: half of all needs. */
function ownBit(node: number, fields: readonly Field[]): number {
  return fields.length === 0 ? 1 << node : 0;
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
