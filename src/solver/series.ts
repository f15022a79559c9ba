import { lettersIn } from './bits.ts';

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
  return placeOf(sides.map(lettersIn));
}

function placeOf(sides: readonly number[]): number {
  let sum = 0;
  for (const side of sides) sum = (sum + mix(side)) | 0;
  return mix(sum) & (SERIES - 1);
}

/**
 * The second generator's way to the same: the boards of a date have letters of one class in 16, which is known before
 * they are arranged, and an arrangement of one class in 256. So it arranges few boards in vain.
 */
export interface Turn {
  readonly letters: number;
  readonly sides: number;
}

const LETTER_TURNS = 16;
const SIDE_TURNS = SERIES / LETTER_TURNS;

export function turnOfSeed(seed: string): Turn | undefined {
  const place = placeOfSeed(seed);
  if (place === undefined) return undefined;
  return { letters: place % LETTER_TURNS, sides: Math.floor(place / LETTER_TURNS) };
}

/** The class of a set of letters, given as a bit for each. */
export function lettersTurn(letters: number): number {
  return mix(letters) & (LETTER_TURNS - 1);
}

/** The class of an arrangement, given as the set of letters of each side, in whatever order. */
export function sidesTurn(sides: readonly number[]): number {
  return placeOf(sides) & (SIDE_TURNS - 1);
}

/** Spreads every bit over all others (the finish of MurmurHash3). */
function mix(value: number): number {
  const half = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return most ^ (most >>> 16);
}
