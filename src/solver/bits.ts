export function popcount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Index of the lowest set bit; the argument is not 0. */
export function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** The places of the set bits, the lowest first. Faster loops do the same: `rest &= rest - 1` clears the lowest. */
export function placesIn(bits: number): number[] {
  const places: number[] = [];
  for (let rest = bits; rest !== 0; rest &= rest - 1) places.push(lowest(rest));
  return places;
}

/** A mask without one of its bits: those above it move down. */
export function withoutBit(mask: number, bit: number): number {
  const low = (1 << bit) - 1;
  return (mask & low) | ((mask >>> 1) & ~low);
}

/** The opposite: the bits from this one on move up, and this one is set. */
export function withBit(mask: number, bit: number): number {
  const low = (1 << bit) - 1;
  return (mask & low) | ((mask & ~low) << 1) | (1 << bit);
}

/** A bit for each letter a to z of a text: bit 0 for an a. */
export function lettersIn(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at++) mask |= 1 << (text.charCodeAt(at) - 97);
  return mask;
}

export const VOWELS = lettersIn('aeiou');

/** Items sorted by their group; within a group they keep their order. */
export interface Groups {
  /** The items of group g are `items[from[g]]` to `items[from[g + 1]]`, the last not included. */
  readonly from: Uint32Array;
  readonly items: Uint32Array;
}

/** @example groupBy([1, 0, 1], 2) // from 0, 1, 3; items 1, 0, 2 */
export function groupBy(groupOf: ArrayLike<number>, groups: number): Groups {
  const next = new Uint32Array(groups + 1);
  for (let item = 0; item < groupOf.length; item++) next[groupOf[item]! + 1]!++;
  for (let group = 0; group < groups; group++) next[group + 1]! += next[group]!;
  const from = next.slice();
  const items = new Uint32Array(groupOf.length);
  for (let item = 0; item < groupOf.length; item++) items[next[groupOf[item]!]!++] = item;
  return { from, items };
}

/**
 * A set of masks, as a bit for each of 2^bits masks. After `addSubsets`, it also holds every subset of the masks that were
 * added. That takes about bits × 2^bits / 32 operations, however many masks there are, and a look-up takes one.
 */
export class SubsetTable {
  readonly #bits: number;
  readonly #table: Int32Array;

  constructor(bits: number) {
    this.#bits = bits;
    this.#table = new Int32Array(bits <= 5 ? 1 : 2 ** (bits - 5));
  }

  clear(): void {
    this.#table.fill(0);
  }

  /** False if it was there already. */
  add(mask: number): boolean {
    const table = this.#table;
    const bit = 1 << (mask & 31);
    const place = mask >>> 5;
    if (table[place]! & bit) return false;
    table[place]! |= bit;
    return true;
  }

  has(mask: number): boolean {
    return (this.#table[mask >>> 5]! & (1 << (mask & 31))) !== 0;
  }

  /** What `addSubsets` costs, in steps of a search. As measured, it handles about 16 numbers of the table in one step's time. */
  get cost(): number {
    return Math.max(1, this.#table.length >> 4);
  }

  /** Adds all subsets of the masks added so far. */
  addSubsets(): void {
    const table = this.#table;
    for (let at = 0; at < table.length; at++) {
      let word = table[at]!;
      if (word === 0) continue;
      word |= (word >>> 1) & 0x55555555;
      word |= (word >>> 2) & 0x33333333;
      word |= (word >>> 4) & 0x0f0f0f0f;
      word |= (word >>> 8) & 0x00ff00ff;
      table[at] = word | (word >>> 16);
    }
    for (let half = 1; half < table.length; half *= 2)
      for (let base = 0; base < table.length; base += 2 * half)
        for (let at = base; at < base + half; at++) table[at]! |= table[at + half]!;
  }

  /** Asked after `addSubsets`: whether this mask is no proper subset of a mask that was added. */
  isMaximal(mask: number): boolean {
    for (let bit = 2 ** (this.#bits - 1); bit >= 1; bit /= 2)
      if (!(mask & bit) && this.has(mask | bit)) return false;
    return true;
  }
}
