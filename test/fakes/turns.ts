import { setImmediate } from 'node:timers/promises';

/** More than what waits for no other process, no timer and no network needs until it is done. */
const ENOUGH = 100;

/** Lets what has begun in this process go on, as far as it can. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < ENOUGH; turn++) await setImmediate();
}
