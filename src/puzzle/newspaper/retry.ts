import type { NewspaperError } from './errors.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Pauses after the first failures in a row; then every quarter of an hour until the next puzzle. */
const BACKOFF = [30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE] as const;
const STEADY = 15 * MINUTE;
/** Pauses are drawn out by up to this share, so that installations don't all come back in one second. */
const JITTER = 0.2;

/**
 * The earliest moment for the next round of asking, after the nth failure in a row: never sooner than the
 * newspaper asked for with Retry-After.
 *
 * @example nextAttempt(1, error, now, Math.random) // 30 to 36 seconds from now
 */
export function nextAttempt(
  failures: number,
  error: NewspaperError,
  now: number,
  random: () => number,
): number {
  const pause = BACKOFF[failures - 1] ?? STEADY;
  return Math.ceil(now + Math.max(pause, error.wait ?? 0) * (1 + JITTER * random()));
}
