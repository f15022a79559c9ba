import { popcount } from './bits.ts';
import type { WordTable } from './table.ts';

/** Up to this many bits, a table of every need for every spot is small and quick to fill. */
const DENSE_BITS = 14;
/** Past this many subset entries, scanning is cheaper than filling the table. */
const DENSE_ENTRIES = 600_000;

/** The last word of a chain: from a spot, which words cover all that is still needed. */
export interface Finisher {
  /** How many edges from `spot` cover `need`. */
  count(spot: number, need: number): number;
  /** The first such edge, that is the lightest, at or after `edge`; −1 if there is none. */
  next(spot: number, need: number, edge: number): number;
  /** On small boards, `count` as a table at `(spot << bits) | need`, for loops that can't afford a call. */
  readonly counts?: Int32Array;
}

export function makeFinisher(table: WordTable): Finisher {
  const { from, masks } = table;
  const next = (spot: number, need: number, edge: number): number => {
    const end = from[spot + 1]!;
    for (let at = edge; at < end; at++) if ((masks[at]! & need) === need) return at;
    return -1;
  };
  const counts = table.bits <= DENSE_BITS ? denseCounts(table) : undefined;
  if (counts !== undefined) {
    const { bits } = table;
    return {
      counts,
      count: (spot, need) => counts[(spot << bits) | need]!,
      next: (spot, need, edge) => (counts[(spot << bits) | need] === 0 ? -1 : next(spot, need, edge)),
    };
  }
  return sparseFinisher(table);
}

/** For each spot and need, the number of covering edges: each edge adds itself to all subsets of its mask. */
function denseCounts(table: WordTable): Int32Array | undefined {
  const { bits, from, masks } = table;
  let entries = 0;
  for (const mask of masks) entries += 1 << popcount(mask);
  if (entries > DENSE_ENTRIES) return undefined;
  const spots = from.length - 1;
  const counts = new Int32Array(spots << bits);
  for (let spot = 0; spot < spots; spot++) {
    const base = spot << bits;
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
      const mask = masks[edge]!;
      counts[base]!++;
      for (let need = mask; need !== 0; need = (need - 1) & mask) counts[base | need]!++;
    }
  }
  return counts;
}

/** Looks only through the edges that hold the needed bit which the fewest edges from there have. */
function sparseFinisher(table: WordTable): Finisher {
  const { bits, from, masks } = table;
  const spots = from.length - 1;
  const holding: (Uint32Array | undefined)[] = new Array(spots * bits);
  const edgesHolding = (spot: number, bit: number): Uint32Array => {
    const known = holding[spot * bits + bit];
    if (known !== undefined) return known;
    const found: number[] = [];
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++)
      if (masks[edge]! & (1 << bit)) found.push(edge);
    const list = Uint32Array.from(found);
    holding[spot * bits + bit] = list;
    return list;
  };
  const rarest = (spot: number, need: number): Uint32Array => {
    let best: Uint32Array | undefined;
    for (let rest = need; rest !== 0; rest &= rest - 1) {
      const list = edgesHolding(spot, 31 - Math.clz32(rest & -rest));
      if (best === undefined || list.length < best.length) best = list;
    }
    return best!;
  };
  return {
    count(spot, need) {
      if (need === 0) return from[spot + 1]! - from[spot]!;
      let count = 0;
      for (const edge of rarest(spot, need)) if ((masks[edge]! & need) === need) count++;
      return count;
    },
    next(spot, need, edge) {
      if (need === 0) return edge < from[spot + 1]! ? edge : -1;
      for (const at of rarest(spot, need)) if (at >= edge && (masks[at]! & need) === need) return at;
      return -1;
    },
  };
}
