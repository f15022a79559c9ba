import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode } from '../core/errors.ts';
import type { PostgresOptions } from './engines/postgres.ts';
import { openDatabase, sqliteDialect, truncateLog } from './engines/sqlite.ts';
import { explainSqlite, SqliteHealth } from './engines/sqlite-health.ts';
import { assembleStore, type OnQuery, type Store } from './store.ts';
import { StoreError } from './store-error.ts';

export const SQLITE_FILE = 'letterboxed.db';

export type StoreOptions = ({ readonly dataDir: string } | PostgresOptions) & { readonly onQuery?: OnQuery };

/**
 * Opens the store, making and migrating it as needed. Throws `StoreError` with advice for the operator.
 *
 * @example const store = await openStore({ dataDir: 'data' });
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if ('dataDir' in options) return openSqlite(options.dataDir, options.onQuery);
  // Loaded only where it is wanted: the driver takes a good part of a small bot's start.
  const { postgresDialect } = await import('./engines/postgres.ts');
  return assembleStore('postgres', postgresDialect(options), { onQuery: options.onQuery });
}

async function openSqlite(folder: string, onQuery: OnQuery | undefined): Promise<Store> {
  const file = join(folder, SQLITE_FILE);
  const health = new SqliteHealth(file);
  const explain = (error: unknown) => health.explain(error);
  try {
    makeFolder(resolve(folder));
    makeDatabase(file);
    const database = openDatabase(file);
    health.opened();
    return await assembleStore('sqlite', sqliteDialect(database, explain), {
      health,
      onQuery,
      backup: (copy) => backupSqlite(database, copy),
      forget: () => truncateLog(database),
    });
  } catch (error) {
    throw explain(error);
  }
}

/** Node's own `recursive` never returns where a parent exists but takes no folders, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same moment may have been faster.
    if (!existsSync(path)) throw error;
  }
}

/** What SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm'] as const;

/**
 * Makes a database where there is none. The remains of one are never taken for a fresh start: the file gets its name only
 * when it has its first page, so a file of 0 bytes has lost what was in it.
 *
 * @throws StoreError that asks the operator to decide
 */
function makeDatabase(file: string): void {
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

/** A link never replaces a file: two processes that start at once both use the first one's. */
function give(fresh: string, file: string): void {
  try {
    linkSync(fresh, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
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

/**
 * Writes a whole copy of a moment while others go on writing. It has its name only once it is complete
 * and on the disk, so a copy that was cut short is never taken for a backup.
 */
async function backupSqlite(database: DatabaseSync, file: string): Promise<void> {
  if (existsSync(file)) {
    throw new StoreError('store.unable', `${file} is there already. Choose a new name for the backup.`);
  }
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true });
    closeSync(openSync(part, 'a', 0o600));
    database.prepare('vacuum into ?').run(part);
    markAsCopy(part);
    sync(part);
    renameSync(part, file);
    sync(dirname(file));
  } catch (error) {
    rmSync(part, { force: true });
    throw explainSqlite(error, file);
  }
}

/** Tells a bot that later runs on the copy that not everything posted is in it. */
function markAsCopy(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    copy.exec(`pragma journal_mode = delete; update continuity set witness = 'copy'`);
  } finally {
    copy.close();
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
