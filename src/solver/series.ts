/** Days in a row that never share a board: a little over eleven years. */
export const SERIES = 4096;
/**
 * Smaller boards are too few to give each day some of its own; larger ones hardly come twice (of 40,000
 * with 20 letters no two were alike).
 */
export const SERIES_LETTERS = { least: 12, most: 18 } as const;

const DAY = 86_400_000;

/**
 * A seed that ends in a date takes its turn in a series: every board has one place, worked out from which
 * letters share a side, and belongs only to the days of that place. So two dates less than `SERIES` days
 * apart can't have the same board, whatever else is drawn. Undefined for other seeds.
 *
 * @example placeOfSeed('house:2026-11-20') // 297
 */
export function placeOfSeed(seed: string): number | undefined {
  const date = /(?<!\d)\d{4}-\d\d-\d\d$/.exec(seed)?.[0];
  const day = date === undefined ? Number.NaN : Date.parse(`${date}T00:00:00Z`) / DAY;
  return Number.isNaN(day) ? undefined : ((day % SERIES) + SERIES) % SERIES;
}

/** From 0 to `SERIES` − 1, the same in whatever order sides and letters are written. */
export function placeOfBoard(sides: readonly string[]): number {
  let sum = 0;
  for (const side of sides) {
    let mask = 0;
    for (let at = 0; at < side.length; at++) mask |= 1 << (side.charCodeAt(at) - 97);
    sum = (sum + mix(mask)) | 0;
  }
  return mix(sum) & (SERIES - 1);
}

/** Spreads every bit over all others (the finish of MurmurHash3). */
function mix(value: number): number {
  const half = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return most ^ (most >>> 16);
}
