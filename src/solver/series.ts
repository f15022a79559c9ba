/** Days in a row that never share a board: a little over eleven years. */
export const SERIES = 4096;
/** The letters of a board have one class in 16, its arrangement one in 256. */
const LETTER_TURNS = 16;
const SIDE_TURNS = SERIES / LETTER_TURNS;
const DAY = 86_400_000;

/**
 * The classes of the boards of a date. Letters that are in another class are not arranged at all, so few boards are
 * arranged in vain.
 */
export interface Turn {
  readonly letters: number;
  readonly sides: number;
}

/**
 * A seed that ends in a date takes its turn in a series: it gets only boards of its two classes, so two dates less
 * than `SERIES` days apart can't have the same board. Undefined for other seeds.
 *
 * @example turnOfSeed('house:2026-11-20') // { letters: 9, sides: 18 }
 */
export function turnOfSeed(seed: string): Turn | undefined {
  const date = /(?<!\d)\d{4}-\d\d-\d\d$/.exec(seed)?.[0];
  const day = date === undefined ? Number.NaN : Date.parse(`${date}T00:00:00Z`) / DAY;
  if (Number.isNaN(day)) return undefined;
  const place = ((day % SERIES) + SERIES) % SERIES;
  return { letters: place % LETTER_TURNS, sides: Math.floor(place / LETTER_TURNS) };
}

/** The class of a set of letters, given as a bit for each. */
export function lettersTurn(letters: number): number {
  return mix(letters) & (LETTER_TURNS - 1);
}

/** The class of an arrangement, given as the set of letters of each side, in whatever order. */
export function sidesTurn(sides: readonly number[]): number {
  let sum = 0;
  for (const side of sides) sum = (sum + mix(side)) | 0;
  return mix(sum) & (SIDE_TURNS - 1);
}

/** Spreads every bit over all others (the finish of MurmurHash3). */
function mix(value: number): number {
  const half = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const most = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return most ^ (most >>> 16);
}
