import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { StoreError } from '../store-error.ts';
import { openDatabase } from './sqlite.ts';

/** What SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm'] as const;

/**
 * Makes a database where there is none. What is left of one is never taken for a fresh start: the file gets its
 * name only when it has its first page, so a file of 0 bytes has lost what was in it.
 *
 * @throws StoreError that asks the operator to decide
 */
export function makeDatabase(file: string): void {
  if (existsSync(file)) {
    if (statSync(file).size > 0 || !statSync(file).isFile()) return;
    throw lost(`${file} is empty (0 bytes), so whatever it held is lost.`, file);
  }
  const leftOver = COMPANIONS.map((end) => file + end).filter((name) => existsSync(name));
  // Another process may have made the database since.
  if (leftOver.length > 0 && !existsSync(file))
    throw lost(`${file} is missing, but ${leftOver.join(' and ')} of it are still there.`, file);
  const fresh = `${file}.new-${process.pid}`;
  try {
    // Only its owner may read it; SQLite gives the files beside it the same rights.
    closeSync(openSync(fresh, 'w', 0o600));
    openDatabase(fresh).close();
    give(fresh, file);
  } finally {
    for (const end of ['', ...COMPANIONS]) rmSync(fresh + end, { force: true });
  }
}

/** A link takes nobody else's place: of two processes that start at once, both use the first one's file. */
function give(fresh: string, file: string): void {
  try {
    linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // A file system without links.
    if (!existsSync(file)) renameSync(fresh, file);
  }
}

function lost(what: string, file: string): StoreError {
  return new StoreError(
    'store.lost',
    `${what} Restore a backup (docs/hosting.md says how), or, to begin with an empty database, delete ${file} ` +
      'and the files beside it that begin with its name, and start again.',
  );
}
