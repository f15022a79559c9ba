import { syncBuiltinESMExports } from 'node:module';
import timers, { setImmediate } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { afterFile } from './after-file.ts';

/** Ends every pause of the program at once, for the rest of the file. Returns the milliseconds of each, as they are asked for. */
export function skipPauses(): number[] {
  const pauses: number[] = [];
  const skip: typeof timers.setTimeout = (milliseconds, value) => {
    pauses.push(milliseconds ?? 0);
    return Promise.resolve(value) as never;
  };
  replacePauses(skip, afterFile);
  return pauses;
}

/** Changes how long the pauses of the program are, until the end of a test. The spy knows the pauses that were asked for. */
export function changePauses(change: (milliseconds?: number) => number | undefined) {
  const pause = timers.setTimeout;
  return replacePauses((milliseconds, ...more) => pause(change(milliseconds), ...more), onTestFinished);
}

function replacePauses(pause: typeof timers.setTimeout, atEnd: (restore: () => void) => void) {
  const replaced = vi.spyOn(timers, 'setTimeout').mockImplementation(pause);
  syncBuiltinESMExports();
  atEnd(() => {
    replaced.mockRestore();
    syncBuiltinESMExports();
  });
  return replaced;
}

/** More than what waits for no other process, no timer and no network needs until it is done. */
const ENOUGH = 100;

/** Lets what has begun in this process go on, as far as it can. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < ENOUGH; turn++) await setImmediate();
}
