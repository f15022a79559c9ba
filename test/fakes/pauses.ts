import { syncBuiltinESMExports } from 'node:module';
import timers, { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import { afterFile } from './after-file.ts';

/** Ends every pause of the program at once, for the rest of the file. Returns the milliseconds of each, as they are asked for. */
export function skipPauses(): number[] {
  const pauses: number[] = [];
  const skipping = vi.spyOn(timers, 'setTimeout').mockImplementation((milliseconds, value) => {
    pauses.push(milliseconds ?? 0);
    return Promise.resolve(value) as never;
  });
  syncBuiltinESMExports();
  afterFile(() => {
    skipping.mockRestore();
    syncBuiltinESMExports();
  });
  return pauses;
}

/** More than what waits for no other process, no timer and no network needs until it is done. */
const ENOUGH = 100;

/** Lets what has begun in this process go on, as far as it can. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < ENOUGH; turn++) await setImmediate();
}
