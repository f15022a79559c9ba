import { statSync } from 'node:fs';
import type { Dialect } from 'kysely';
import { StoreError } from '../core/errors.ts';
import { integrityProblems, openDatabase, SqliteHealth, sqliteDialect } from './engines/sqlite.ts';
import { MIGRATIONS, versionOf } from './migrations.ts';
import { kyselyOf } from './store.ts';

/** Something wrong with a database. Sentences are made where it is shown. */
type Problem =
  | { readonly code: 'file'; readonly details: readonly string[] }
  /** Made by a version from before the first release. */
  | { readonly code: 'earlier' }
  | { readonly code: 'newer'; readonly version: number; readonly known: number };

export interface StoreCheck {
  readonly problem?: Problem;
  /** The schema's version, and the one that the bot's next start migrates it to. */
  readonly version?: number;
  readonly known: number;
}

/** The schema's version in this program. */
const CURRENT_VERSION = MIGRATIONS.length;
/** The check reports errors in SQLite's own words. */
const unexplained = (error: unknown) => error;

/** Checks whether a database is intact, and of a version that this program knows. It changes nothing. The bot may be running. */
export async function checkStore(
  place: { readonly file: string } | { readonly dialect: Dialect },
): Promise<StoreCheck> {
  return 'file' in place ? checkFile(place.file) : checkVersion(place.dialect);
}

async function checkFile(file: string): Promise<StoreCheck> {
  const damaged = (...details: string[]): StoreCheck => ({
    problem: { code: 'file', details },
    known: CURRENT_VERSION,
  });
  if (statSync(file).size === 0) return damaged('it is empty (0 bytes)');
  try {
    const database = openDatabase(file);
    const problems = integrityProblems(database);
    // A damaged file may still answer queries, which proves nothing.
    if (problems.length === 0) return await checkVersion(sqliteDialect(database, unexplained));
    database.close();
    return damaged(...problems);
  } catch (error) {
    const explained = new SqliteHealth(file).explain(error);
    if (explained instanceof StoreError && explained.code === 'store.damaged')
      return damaged((error as Error).message);
    throw explained;
  }
}

async function checkVersion(dialect: Dialect): Promise<StoreCheck> {
  const db = kyselyOf(dialect);
  const known = CURRENT_VERSION;
  try {
    const { version, isEarlier } = await versionOf(db);
    if (isEarlier) return { problem: { code: 'earlier' }, known };
    if (version > known) return { problem: { code: 'newer', version, known }, version, known };
    return { version, known };
  } finally {
    await db.destroy();
  }
}
