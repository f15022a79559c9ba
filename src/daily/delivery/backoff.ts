const SECOND = 1_000;
const FIRST = 5 * SECOND;
const LONGEST = 10 * 60 * SECOND;
/** Pauses are drawn out by up to this share, so that those who failed together don't come back together. */
const JITTER = 0.3;

/**
 * The earliest moment for another attempt: after 5 s, then twice as long each time up to ten minutes, and
 * never sooner than the platform asked for.
 *
 * @example nextAttempt({ attempts: 1, now, retryAfter: undefined, random: Math.random }) // 5 to 6.5 seconds from now
 */
export function nextAttempt(failure: {
  readonly attempts: number;
  readonly now: number;
  readonly retryAfter: number | undefined;
  readonly random: () => number;
}): number {
  const { attempts, now, retryAfter = 0, random } = failure;
  const pause = Math.min(LONGEST, FIRST * 2 ** Math.min(Math.max(attempts - 1, 0), 10));
  return Math.ceil(now + Math.max(pause, retryAfter) * (1 + JITTER * random()));
}
