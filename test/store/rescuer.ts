/** A process whose database is deleted, and which is killed while it writes the rescue copy. See rescue.test.ts. */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { openStore, SQLITE_FILE } from '../../src/store/store.ts';
import { writeRow } from './rows.ts';

/** More than SQLite keeps in memory before it writes, so that the copy grows for a while. */
const BALLAST = 48 * 2 ** 20;

const [folder = '', deleted = '', killedAt = ''] = process.argv.slice(2);
const store = await openStore({ dataDir: folder });
for (let row = 1; row <= 3; row++) await writeRow(store, 'p', row);
const database = new DatabaseSync(join(folder, SQLITE_FILE));
database.exec(`create table ballast as select zeroblob(${BALLAST}) as bytes`);
database.close();
fs.rmSync(deleted, { recursive: true });

function killAt(name: 'closeSync' | 'fsyncSync' | 'renameSync', call: number): void {
  const real = fs[name] as (...given: unknown[]) => unknown;
  let calls = 0;
  Object.assign(fs, {
    [name](...given: unknown[]) {
      if (++calls === call) process.kill(process.pid, 'SIGKILL');
      return real(...given);
    },
  });
  syncBuiltinESMExports();
}

/** SQLite copies within one turn, so another thread has to look. */
async function killWhileCopying(): Promise<void> {
  const script = `
    const { existsSync, readdirSync, statSync } = require('node:fs');
    for (;;)
      for (const name of existsSync(${JSON.stringify(folder)}) ? readdirSync(${JSON.stringify(folder)}) : [])
        if (name.endsWith('.part') && statSync(${JSON.stringify(folder)} + '/' + name).size > 2 ** 20)
          process.kill(process.pid, 'SIGKILL');`;
  const watcher = new Worker(script, { eval: true });
  await new Promise((resolve) => watcher.once('online', resolve));
}

switch (killedAt) {
  case 'empty':
    // The first one is the mark's.
    killAt('closeSync', 2);
    break;
  case 'half':
    await killWhileCopying();
    break;
  case 'unsynced':
    killAt('fsyncSync', 1);
    break;
  case 'unnamed':
    killAt('renameSync', 1);
    break;
  case 'named':
    killAt('fsyncSync', 2);
    break;
}
await store.ping().catch(() => undefined);
process.stdout.write('not killed');
process.exit();
