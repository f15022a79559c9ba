import { type Kysely, sql, type Transaction } from 'kysely';
import type { DatabaseEngine, Db, Migration } from '../schema.ts';
import { StoreError } from '../store-error.ts';
import { makeTables } from './0001-tables.ts';

/** In the order they run. The version of a database is the number of migrations that were applied to it. */
export const MIGRATIONS: readonly Migration[] = [makeTables];

/** The key of PostgreSQL's advisory lock: an arbitrary number that no other program may use in the same database. */
const LOCK = 7_303_014_001;

/**
 * Migrates the database to this program's version, in one transaction under a lock: of two processes that start at
 * the same time, one migrates, and the other waits and finds nothing left to do.
 */
export async function migrate(db: Db, engine: DatabaseEngine, migrations = MIGRATIONS): Promise<void> {
  // Without the plugin that translates names to snake_case: migrations use the names in the database.
  await (db.withoutPlugins() as Kysely<unknown>).transaction().execute(async (transaction) => {
    // SQLite is locked already: its transactions begin with BEGIN IMMEDIATE.
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    const version = await readVersion(transaction);
    if (version > migrations.length) {
      throw new StoreError(
        'store.newer',
        `The database is at version ${version}, and this program knows only up to ${migrations.length}: ` +
          'a later version of the bot has used it. Start that version, or restore a backup made before the upgrade.',
      );
    }
    if (version === migrations.length) return;
    for (const migration of migrations.slice(version)) await migration(transaction, engine);
    await sql`update schema_version set version = ${migrations.length}`.execute(transaction);
  });
}

async function readVersion(transaction: Transaction<unknown>): Promise<number> {
  await sql`create table if not exists schema_version (version integer not null)`.execute(transaction);
  await sql`insert into schema_version (version) select 0 where not exists (select 1 from schema_version)`.execute(
    transaction,
  );
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(transaction);
  return rows[0]!.version;
}

/** The version of a database, without a change to it; 0 for one that is new. */
export async function versionOf(db: Db): Promise<number> {
  const plain = db.withoutPlugins() as Kysely<unknown>;
  const tables = await plain.introspection.getTables();
  if (!tables.some(({ name }) => name === 'schema_version')) return 0;
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(plain);
  return rows[0]?.version ?? 0;
}
