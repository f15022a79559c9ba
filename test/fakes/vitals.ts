import type { Vitals } from '../../src/operations/observability/health.ts';

/** The vitals of a process without doors in which nothing is wrong. */
export function makeVitals(change: Partial<Vitals> = {}): Vitals {
  return {
    ping: async () => {},
    storeTrouble: () => undefined,
    doors: () => [],
    postTrouble: () => undefined,
    unclaimed: async () => [],
    now: () => 0,
    lastTick: () => undefined,
    isStopping: () => false,
    elapsed: () => 0,
    scrub: (text) => text,
    ...change,
  };
}
