export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Durations are in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The newspaper's date, YYYY-MM-DD: it changes at 03:00 America/New_York, whatever the host's clock says. */
export type PuzzleDate = `${number}-${number}-${number}`;

/** How long to wait between attempts at something that failed. */
export interface Backoff {
  /** Milliseconds after the first failure in a row, the second, and so on. The last pause repeats. */
  readonly pauses: readonly number[];
  /** Each pause is lengthened at random by up to this share, so that callers that failed together do not retry together. */
  readonly jitter: number;
}

/**
 * Pauses that double each time up to the longest.
 *
 * @example doubling(5_000, 60_000) // [5000, 10000, 20000, 40000, 60000]
 */
export function doubling(first: number, longest: number): number[] {
  const pauses: number[] = [];
  for (let pause = first; pause < longest; pause *= 2) pauses.push(pause);
  return [...pauses, longest];
}

interface Failure {
  /** Failures in a row so far; 1 after the first. */
  readonly failures: number;
  /** Returns a number between 0 and 1, such as `Math.random`. */
  readonly random: () => number;
  /** The least pause that the other side asked for, in milliseconds. */
  readonly retryAfter?: number;
}

/**
 * Whole milliseconds to wait before the next attempt: never less than the other side asked for.
 *
 * @example pauseAfter({ failures: 1, random: Math.random }, { pauses: doubling(5_000, 60_000), jitter: 0.3 }) // 5000 to 6500
 */
export function pauseAfter(
  { failures, random, retryAfter = 0 }: Failure,
  { pauses, jitter }: Backoff,
): number {
  const index = Math.min(Math.max(failures, 1), pauses.length) - 1;
  const pause = Math.max(pauses[index] ?? 0, retryAfter);
  // Rounded: 900,000 × 1.1 is a little more than 990,000 in binary.
  return Math.max(Math.ceil(pause), Math.round(pause * (1 + jitter * random())));
}
