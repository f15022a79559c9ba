import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { PostgresOptions } from './engines/postgres.ts';
import { openDatabase, sqliteDialect, truncateLog } from './engines/sqlite.ts';
import { backupSqlite, makeDatabase } from './engines/sqlite-file.ts';
import { SqliteHealth } from './engines/sqlite-health.ts';
import { assembleStore, type OnQuery, type Store } from './store.ts';

export const SQLITE_FILE = 'letterboxed.db';

export type StoreOptions = ({ readonly dataDir: string } | PostgresOptions) & { readonly onQuery?: OnQuery };

/**
 * Opens the store, making and migrating it as needed. Throws `StoreError` with advice for the operator.
 *
 * @example const store = await openStore({ dataDir: 'data' });
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if ('dataDir' in options) return openSqlite(options.dataDir, options.onQuery);
  // Loaded when it is wanted: the driver is a good part of a small bot's start.
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

/** Node's own recursive way never comes back where a parent is there but takes no folders, such as /proc. */
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
