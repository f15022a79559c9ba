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
