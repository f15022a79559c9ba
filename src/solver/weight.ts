/**
 * A word's weight adds up along a chain, and lighter chains come first: likelihood above all (as −ln,
 * in whole steps, so that sums are exact), then the number of words, then the number of letters.
 */
export function weightOf(likelihood: number, length: number): number {
  const cost = Math.round(Math.min(WORST, -Math.log(likelihood)) * COST_STEPS);
  return (cost * WORD_ROOM + 1) * LETTER_ROOM + length;
}
const WORST = 15;
const COST_STEPS = 2 ** 16;
const LETTER_ROOM = 2 ** 10;
const WORD_ROOM = 2 ** 4;
