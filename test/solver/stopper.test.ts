import { describe, expect, it } from 'vitest';
import { MAX_GRACE_STEPS, Stopped, Stopper } from '../../src/solver/edges.ts';

/** Takes steps until it is stopped, or until there are a hundred times as many as work after the time is up may take. */
function stepsUntilStopped(stopper: Stopper, run: (work: () => void) => void): number {
  const before = stopper.steps;
  expect(() =>
    run(() => {
      while (stopper.steps < 100 * MAX_GRACE_STEPS) stopper.step(1000);
    }),
  ).toThrow(Stopped);
  return stopper.steps - before;
}

describe('stopping a search', () => {
  it('asks at the first step once it was stopped', () => {
    const stopper = new Stopper(() => true);
    expect(stepsUntilStopped(stopper, (work) => work())).toBeLessThan(10_000);
    expect(stepsUntilStopped(stopper, (work) => work())).toBe(1000);
  });

  it('lets what comes first go on after the time is up, but only for a limited number of steps', () => {
    const stopper = new Stopper(() => true);
    const steps = stepsUntilStopped(stopper, (work) => stopper.unstopped(work));
    expect(steps).toBeGreaterThanOrEqual(MAX_GRACE_STEPS);
    expect(steps).toBeLessThan(MAX_GRACE_STEPS + 10_000);
  });

  it('gives nested work no more steps than the outermost has', () => {
    const stopper = new Stopper(() => true);
    const nested = (work: () => void) =>
      stopper.unstopped(() => {
        stopper.step(MAX_GRACE_STEPS / 2);
        stopper.unstopped(work);
      });
    expect(stepsUntilStopped(stopper, nested)).toBeLessThan(MAX_GRACE_STEPS + 10_000);
  });

  it('never stops without being told to', () => {
    const stopper = new Stopper(undefined);
    expect(() => stopper.step(100 * MAX_GRACE_STEPS)).not.toThrow();
  });
});
