/**
 * The child of the crash tests: opens the store and writes numbered rows, printing each number once it
 * was acknowledged, until it is killed or has written as many as it was told to.
 *
 * node writer.ts <store options as JSON> <person> <first number> <how many>
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { BUSY_TIMEOUT_MS } from '../../src/store/engines/sqlite.ts';
import { openStore, type StoreOptions } from '../../src/store/store.ts';
// Loaded before the clock starts, so that it is the opening which is killed.
import '../../src/store/engines/postgres.ts';
import { StoreError } from '../../src/core/errors.ts';
import { writeRow } from './rows.ts';

const [options, person, first, count] = process.argv.slice(2) as [string, string, string, string];
// Written without a buffer, so that what is printed is out before anything else is written.
const say = (line: string) => writeSync(1, `${line}\n`);

/**
 * Behind a process that writes without a pause on a slow disk, SQLite may not find the lock free before its time is up:
 * then it is tried again. That it is busy without having waited is a fault.
 */
async function patiently<Result>(act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const began = performance.now();
    try {
      return await act();
    } catch (error) {
      const isBusy = error instanceof StoreError && error.code === 'store.busy';
      if (!isBusy || performance.now() - began < BUSY_TIMEOUT_MS) throw error;
    }
  }
}

// A killed process would never leave its compiled code to the next.
flushCompileCache();
try {
  say('opening');
  const store = await patiently(() => openStore(JSON.parse(options) as StoreOptions));
  for (let number = Number(first); number < Number(first) + Number(count); number++) {
    await patiently(() => writeRow(store, person, number));
    say(`${number}`);
  }
  await store.close();
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  say(`trouble ${error.code} ${error.message}`);
  process.exitCode = 3;
}
