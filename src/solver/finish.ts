import { popcount } from './bits.ts';
import type { WordTable } from './table.ts';

/** Up to this many bits, a table of every need for every spot is small and quick to fill. */
const DENSE_BITS = 16;
/** Past this many subset entries, scanning is cheaper than filling the table. */
const DENSE_ENTRIES = 8_000_000;

/** Of the edges of a spot, the share that hold the needed letter which is rarest among them. */
const RAREST = 0.1;

/** The last word of a chain: from a spot that is covered, which words cover all that is still needed. */
export interface Finisher {
  /** About how many edges a look-up goes through. */
  readonly cost: number;
  /** How many edges from `spot` cover `need`. */
  count(spot: number, need: number): number;
  /** The first such edge, that is the lightest; −1 if there is none. */
  first(spot: number, need: number): number;
  /** On small boards, both as tables, for loops that can't afford a call. */
  readonly dense?: DenseEndings;
}

/** At `(spot << bits) | need`; narrow numbers, so that the tables of a 4×3 board stay in the fast caches. */
export interface DenseEndings {
  readonly counts: Uint16Array | Uint32Array;
  /** The first edge plus one; 0 where there is none. */
  readonly firsts: Uint16Array | Uint32Array;
}

export function makeFinisher(table: WordTable): Finisher {
  const dense = table.bits <= DENSE_BITS ? denseEndings(table) : undefined;
  if (dense === undefined) return sparseFinisher(table);
  const { bits } = table;
  const { counts, firsts } = dense;
  return {
    cost: 1,
    dense,
    count: (spot, need) => counts[(spot << bits) | need]!,
    first: (spot, need) => firsts[(spot << bits) | need]! - 1,
  };
}

/**
 * Each edge adds itself to all subsets of its mask. A chain has covered the spot it stands on, so no need holds that one: half the subsets.
 */
function denseEndings(table: WordTable): DenseEndings | undefined {
  const { bits, from, masks } = table;
  let entries = 0;
  for (let edge = 0; edge < masks.length; edge++) entries += 1 << (popcount(masks[edge]!) - 1);
  if (entries > DENSE_ENTRIES) return undefined;
  const spots = from.length - 1;
  const Narrow = masks.length < 2 ** 16 - 1 ? Uint16Array : Uint32Array;
  const counts = new Narrow(spots << bits);
  const firsts = new Narrow(spots << bits);
  // Edges of a spot with the same mask go in together: by mask, the place of the first of them plus one.
  const placeOf = new Narrow(1 << bits);
  const different = new Narrow(masks.length);
  const times = new Narrow(masks.length);
  for (let spot = 0; spot < spots; spot++) {
    let found = 0;
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
      const place = placeOf[masks[edge]!]!;
      if (place === 0) {
        different[found] = edge;
        times[found] = 1;
        placeOf[masks[edge]!] = ++found;
      } else times[place - 1]!++;
    }
    const base = spot << bits;
    // The lightest come last, and write over the others.
    for (let place = found - 1; place >= 0; place--) {
      const edge = different[place]!;
      const mask = masks[edge]!;
      placeOf[mask] = 0;
      const others = mask & ~(1 << spot);
      const count = times[place]!;
      for (let need = others; ; need = (need - 1) & others) {
        counts[base | need]! += count;
        firsts[base | need] = edge + 1;
        if (need === 0) break;
      }
    }
  }
  return { counts, firsts };
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
    cost: Math.ceil((RAREST * masks.length) / spots),
    count(spot, need) {
      if (need === 0) return from[spot + 1]! - from[spot]!;
      let count = 0;
      for (const edge of rarest(spot, need)) if ((masks[edge]! & need) === need) count++;
      return count;
    },
    first(spot, need) {
      if (need === 0) return from[spot]! < from[spot + 1]! ? from[spot]! : -1;
      for (const at of rarest(spot, need)) if ((masks[at]! & need) === need) return at;
      return -1;
    },
  };
}
