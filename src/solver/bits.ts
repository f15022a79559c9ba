/** Number of set bits. */
export function popcount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Index of the lowest set bit; the argument is not 0. */
export function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** A bit for each letter a to z of a text: bit 0 for an a. */
export function lettersIn(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at++) mask |= 1 << (text.charCodeAt(at) - 97);
  return mask;
}

/** Items sorted by their group; within a group they keep their order. */
interface Groups {
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

/** Bits that one pass looks at. */
const DIGIT = 11;
/** For fewer numbers, the built-in sort takes less time than a pass's table. */
const FEW = 1_000;

/**
 * Sorts whole numbers below 2^53, whose bits below `from` are in order already. Many numbers are dealt out by some bits
 * at a time, which takes a fraction of the time of comparing them.
 *
 * @param to all numbers are below 2^to
 */
export function sortNumbers(numbers: Float64Array<ArrayBuffer>, from: number, to: number): Float64Array {
  if (numbers.length < FEW) return numbers.sort();
  let [sorted, other] = [numbers, new Float64Array(numbers.length)];
  const mask = 2 ** DIGIT - 1;
  for (let shift = from; shift < to; shift += DIGIT) {
    const scale = 2 ** -shift;
    const next = new Uint32Array(mask + 2);
    for (let at = 0; at < sorted.length; at++) next[(((sorted[at]! * scale) >>> 0) & mask) + 1]!++;
    for (let digit = 0; digit < mask; digit++) next[digit + 1]! += next[digit]!;
    for (let at = 0; at < sorted.length; at++) {
      const number = sorted[at]!;
      other[next[((number * scale) >>> 0) & mask]!++] = number;
    }
    [sorted, other] = [other, sorted];
  }
  return sorted;
}
