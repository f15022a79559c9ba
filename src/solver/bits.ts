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
