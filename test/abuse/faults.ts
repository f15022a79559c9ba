import { afterEach, beforeEach, expect } from 'vitest';

/**
 * Each test fails that leaves an error which nobody catches. Called first in a file, it looks after everything else is
 * closed. Returns what the current test has left so far.
 */
export function expectNoFaults(): readonly unknown[] {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  beforeEach(() => {
    faults.length = 0;
    process.on('unhandledRejection', onFault);
    process.on('uncaughtException', onFault);
  });
  afterEach(() => {
    process.off('unhandledRejection', onFault);
    process.off('uncaughtException', onFault);
    expect(faults).toEqual([]);
  });
  return faults;
}
