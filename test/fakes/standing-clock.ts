/**
 * Now, standing still. Answers to a platform are due within seconds by its clock, and a busy machine may take longer for
 * its own reasons.
 */
export function standingClock(): { now(): number } {
  const now = Date.now();
  return { now: () => now };
}
