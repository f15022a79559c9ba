import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CamelCasePlugin, type Dialect, Kysely, type LogEvent } from 'kysely';
import { StoreError } from '../core/errors.ts';
import type { PostgresOptions } from './engines/postgres.ts';
import { explainSqlite, openDatabase, SqliteHealth, sqliteDialect, truncateLog } from './engines/sqlite.ts';
import { backUp, makeDatabase, makeFolder, markMade, rescue, rescueName } from './engines/sqlite-file.ts';
import { migrate } from './migrations.ts';
import { RestoreDetector } from './restore-detector.ts';
import type { Database, DatabaseEngine, Db } from './schema.ts';
import { allDeliveriesTable } from './tables/all-deliveries.ts';
import { huntsTable } from './tables/games.ts';
import { allPeopleTable } from './tables/people.ts';
import { fetchesTable, puzzlesTable, verdictsTable } from './tables/puzzles.ts';
import { allRemindersTable } from './tables/reminders.ts';
import { actionsTable, eventsTable, paceTable } from './tables/short-lived.ts';
import { planningTable } from './tables/subscriptions.ts';
import { allTenantsTable, applicationsTable, makeTenantStore, type TenantStore } from './tables/tenants.ts';

/**
 * Everything that survives a restart, as plain data. Data of a server, a workspace or a person can be reached only through
 * `tenant`; the few queries over all tenants are in the parts named `all…`. Moments are milliseconds since 1970 and always
 * come from the caller; `unknown` is JSON, which the writer's module parses again.
 *
 * @example await store.tenant('discord:123').subscriptions.get('456')
 */
export type Store = Awaited<ReturnType<typeof assembleStore>>;

export const SQLITE_FILE = 'letterboxed.db';

export type StoreOptions = ({ readonly dataDir: string } | PostgresOptions) & StoreCallbacks;

export interface StoreCallbacks extends Pick<PostgresOptions, 'onFailure'> {
  readonly onQuery?: OnQuery | undefined;
}

export type OnQuery = (table: string, outcome: 'done' | 'failed', milliseconds: number) => void;

/**
 * Opens the store, making and migrating it as needed. Throws `StoreError` with advice for the operator.
 *
 * @example const store = await openStore({ dataDir: 'data' });
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if ('dataDir' in options) return openSqlite(options.dataDir, options);
  // Loaded only if needed: the driver takes a good part of a small bot's start.
  const { postgresDialect } = await import('./engines/postgres.ts');
  return assembleStore('postgres', postgresDialect(options), options);
}

async function openSqlite(folder: string, callbacks: StoreCallbacks): Promise<Store> {
  const file = join(folder, SQLITE_FILE);
  const health = new SqliteHealth(file);
  const explainError = (error: unknown) => {
    const explained = explainSqlite(error, file);
    if (explained instanceof StoreError) callbacks.onFailure?.(explained);
    return explained;
  };
  try {
    makeFolder(resolve(folder));
    makeDatabase(file);
    const database = openDatabase(file);
    markMade(file);
    health.opened();
    return await assembleStore('sqlite', sqliteDialect(database, explainError), {
      ...callbacks,
      health,
    });
  } catch (error) {
    throw explainError(error);
  }
}

/** What only SQLite has, and the caller's callbacks. */
interface EngineParts extends StoreCallbacks {
  readonly health?: SqliteHealth;
}

export function kyselyOf(dialect: Dialect, onQuery?: OnQuery): Db {
  return new Kysely<Database>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: onQuery && ((event) => report(event, onQuery)),
  });
}

/** The name after the first of these words. For a query of two tables, that is the one it reads first or writes. */
const TABLE = /\b(?:from|join|into|update|table) "?(\w+)/;

function report({ level, query, queryDurationMillis }: LogEvent, onQuery: OnQuery): void {
  const [, table = 'none'] = TABLE.exec(query.sql) ?? [];
  onQuery(table, level === 'error' ? 'failed' : 'done', queryDurationMillis);
}

function tablesOf(db: Db, engine: DatabaseEngine) {
  /** Removes what was deleted from the engine's own log, too. */
  const forget = async () => {
    if (engine === 'sqlite') await truncateLog(db);
  };
  return {
    engine,
    puzzles: puzzlesTable(db),
    fetches: fetchesTable(db),
    verdicts: verdictsTable(db),
    actions: actionsTable(db),
    events: eventsTable(db),
    allTenants: allTenantsTable(db, forget),
    planning: planningTable(db, engine),
    allDeliveries: allDeliveriesTable(db, engine),
    allPeople: allPeopleTable(db, forget),
    allReminders: allRemindersTable(db),
    hunts: huntsTable(db),
    applications: applicationsTable(db),
    pace: paceTable(db, engine),

    /** @param tenant `door:id`, such as `discord:123`, `slack:T9` or `local:chat` */
    tenant: (tenant: string) => makeTenantStore(db, engine, tenant),
  };
}

/** A store on a database of either engine, migrated first. Closes the database if that fails. */
export async function assembleStore(
  engine: DatabaseEngine,
  dialect: Dialect,
  { health, onQuery, onFailure }: EngineParts = {},
) {
  const db = kyselyOf(dialect, onQuery);
  try {
    await migrate(db, engine);
  } catch (error) {
    await db.destroy();
    health?.closed();
    throw error;
  }
  let rescued: Promise<StoreError> | undefined;
  /** Only a copy that failed is made again. */
  const rescueOnce = (file: string) => {
    rescued ??= rescue(db, file).catch((error) => {
      rescued = undefined;
      throw error;
    });
    return rescued;
  };
  const restores = new RestoreDetector(db, engine);
  const tables = tablesOf(db, engine);
  return {
    ...tables,

    restoredUntil: (now: number) => restores.restoredUntil(now),

    /** Writes and reads, for readiness. Rejects when either fails. */
    async ping(): Promise<void> {
      const written = await writeProbe(db);
      try {
        if (health?.isReplaced()) throw await rescueOnce(health.file);
        health?.check(written);
      } catch (error) {
        if (error instanceof StoreError) onFailure?.(error);
        throw error;
      }
    },

    /** Writes a whole copy to a new file while others read and write. SQLite only. */
    backup: (file: string): Promise<void> => (health === undefined ? noBackup() : backUp(db, file)),

    /** The copy made because the database's own file was replaced or deleted, if there is one. */
    rescueCopy: () => (health && existsSync(rescueName(health.file)) ? rescueName(health.file) : undefined),

    /** If the database's file is gone, closing would lose everything stored so far: then it is copied first. */
    async close(): Promise<void> {
      try {
        // A copy under way and the next one write the same file.
        await rescued?.catch(() => {});
        if (health?.isReplaced()) await rescue(db, health.file);
      } finally {
        await db.destroy();
        health?.closed();
      }
    },
  };
}

async function noBackup(): Promise<void> {
  throw new StoreError('store.unable', 'Backups of PostgreSQL are made with its own tools, such as pg_dump.');
}

/** Writes the next number of a series that grows with every check by any process. */
async function writeProbe(db: Db): Promise<number> {
  const { written } = await db
    .insertInto('probe')
    .values({ key: 'probe', written: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((row) => ({ written: row('probe.written', '+', 1) })),
    )
    .returning('written')
    .executeTakeFirstOrThrow();
  return written;
}

/**
 * The names of methods that only read. A command that only shows something gets the methods of these names, of any table: a method
 * that writes must have another name.
 */
type Reads =
  | 'byDay'
  | 'calmSolvers'
  | 'datesIn'
  | 'day'
  | 'days'
  | 'factsSeen'
  | 'get'
  | 'hiddenAmong'
  | 'isCalm'
  | 'isHidden'
  | 'isRanked'
  | 'kept'
  | 'lastOpened'
  | 'markedUntil'
  | 'nextThreadAt'
  | 'ofBoard'
  | 'ofChannel'
  | 'ofDay'
  | 'ofThread'
  | 'playing'
  | 'resultOf'
  | 'results'
  | 'resultsOf'
  | 'scoresOf'
  | 'soloGameBoards'
  | 'span'
  | 'sums'
  | 'typedDays';

/** The reading methods of each table. Other parts, such as `engine` and `tenant`, are left out. */
type Reading<Parts> = {
  readonly [Name in keyof Parts as Parts[Name] extends string | ((...given: never[]) => unknown)
    ? never
    : Name]: Pick<Parts[Name], Extract<keyof Parts[Name], Reads>>;
};

/** A store without a way to write. */
export type ReadingStore = Reading<Store> & {
  tenant(tenant: string): Reading<TenantStore>;
};
