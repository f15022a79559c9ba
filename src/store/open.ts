import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { assembleStore } from './assemble.ts';
import { backupSqlite } from './backup.ts';
import { type PostgresOptions, postgresDialect } from './postgres.ts';
import { openDatabase, sqliteDialect } from './sqlite.ts';
import { explainSqlite } from './sqlite-trouble.ts';
import { StoreError } from './store-error.ts';
import type { Store } from './types.ts';

export const SQLITE_FILE = 'letterboxed.db';

export type StoreOptions = { readonly dataDir: string } | PostgresOptions;

/**
 * Opens the store, making and migrating it as needed. Throws `StoreError` with advice for the operator.
 *
 * @example const store = await openStore({ dataDir: 'data' });
 */
export function openStore(options: StoreOptions): Promise<Store> {
  if ('databaseUrl' in options) return assembleStore('postgres', postgresDialect(options), noBackup);
  return openSqlite(join(options.dataDir, SQLITE_FILE), options.dataDir);
}

async function openSqlite(file: string, folder: string): Promise<Store> {
  const explain = (error: unknown) => explainSqlite(error, file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Only its owner may read it; SQLite gives the files beside it the same rights.
    closeSync(openSync(file, 'a', 0o600));
    const database = openDatabase(file);
    return await assembleStore('sqlite', sqliteDialect(database, explain), (copy) =>
      backupSqlite(database, copy),
    );
  } catch (error) {
    throw explain(error);
  }
}

async function noBackup(): Promise<void> {
  throw new StoreError('store.unable', 'Backups of PostgreSQL are made with its own tools, such as pg_dump.');
}
