import { CamelCasePlugin, type Dialect, Kysely, type LogEvent, sql } from 'kysely';
import { DAY } from '../core/clock.ts';
import { migrate } from './migrations/migrate.ts';
import type { Database, DatabaseEngine, Db } from './schema.ts';
import { StoreError } from './store-error.ts';
import { allDeliveriesTable } from './tables/deliveries.ts';
import { huntsTable } from './tables/hunts.ts';
import { paceTable } from './tables/pace.ts';
import { allPeopleTable } from './tables/people.ts';
import { fetchesTable, puzzlesTable, verdictsTable } from './tables/puzzles.ts';
import { allRemindersTable } from './tables/reminders.ts';
import { actionsTable, eventsTable } from './tables/short-lived.ts';
import { planningTable } from './tables/subscriptions.ts';
import { allTenantsTable, applicationsTable, makeTenantStore, type TenantStore } from './tables/tenants.ts';

/**
 * Everything that survives a restart, as plain data. What belongs to a server, a workspace or a person can
 * only be reached through `tenant`; the few queries over all tenants are in the parts named `all…`. Moments are
 * milliseconds since 1970 and always come from the caller; `unknown` is JSON, which its writer parses again.
 *
 * @example await store.tenant('discord:123').subscriptions.get('456')
 */
export type Store = Awaited<ReturnType<typeof assembleStore>>;

/** Called after each query, with the table that it is about. */
export type OnQuery = (table: string, outcome: 'done' | 'failed', milliseconds: number) => void;

/** What only some engines have, and what the caller wants to know. */
export interface EngineParts {
  readonly backup?: (file: string) => Promise<void>;
  /** Removes what was deleted from the engine's own logs, too. */
  readonly forget?: () => void;
  readonly health?: {
    /** Throws when the database does not hold the number that was just written to it. */
    check(written: number): void;
    closed(): void;
  };
  readonly onQuery?: OnQuery;
}

export function kyselyOf(dialect: Dialect, onQuery?: OnQuery): Db {
  return new Kysely<Database>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: onQuery && ((event) => report(event, onQuery)),
  });
}

/** The name after the first of these words: of a query of two tables, the one that it reads first or writes. */
const TABLE = /\b(?:from|join|into|update|table) "?(\w+)/;

function report({ level, query, queryDurationMillis }: LogEvent, onQuery: OnQuery): void {
  const [, table = 'none'] = TABLE.exec(query.sql) ?? [];
  onQuery(table, level === 'error' ? 'failed' : 'done', queryDurationMillis);
}

/** A store on a database of either engine, brought up to date first. Closes the database when that fails. */
export async function assembleStore(
  engine: DatabaseEngine,
  dialect: Dialect,
  { backup = noBackup, forget, health, onQuery }: EngineParts = {},
) {
  const db = kyselyOf(dialect, onQuery);
  try {
    await migrate(db, engine);
  } catch (error) {
    await db.destroy();
    health?.closed();
    throw error;
  }
  return {
    engine,
    puzzles: puzzlesTable(db),
    fetches: fetchesTable(db),
    verdicts: verdictsTable(db),
    actions: actionsTable(db),
    events: eventsTable(db),
    allTenants: allTenantsTable(db),
    planning: planningTable(db, engine),
    allDeliveries: allDeliveriesTable(db, engine),
    allPeople: allPeopleTable(db, forget),
    allReminders: allRemindersTable(db),
    hunts: huntsTable(db),
    applications: applicationsTable(db),
    pace: paceTable(db, engine),

    /** When the store was found to be a restored backup: what was due by then may have been posted. Null if it never was. */
    restoredUntil: (now: number): Promise<number | null> => restoredUntil(db, engine, now),

    /** @param tenant `door:id`, such as `discord:123`, `slack:T9` or `local:chat` */
    tenant: (tenant: string) => makeTenantStore(db, engine, tenant),

    /** Writes and reads. Rejects when either fails: for the readiness page. */
    async ping(): Promise<void> {
      const written = await writeProbe(db);
      health?.check(written);
    },

    /** Writes a whole copy to a new file while others read and write. SQLite only. */
    backup,

    async close(): Promise<void> {
      await db.destroy();
      health?.closed();
    },
  };
}

async function noBackup(): Promise<void> {
  throw new StoreError('store.unable', 'Backups of PostgreSQL are made with its own tools, such as pg_dump.');
}

/** Writes the next number of a series that grows with every check of any process. */
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

/** Milliseconds. A moment that is farther ahead was written by a wrong clock, and would count until then. */
const FARTHEST = 2 * DAY;
const KEY = 'store';

/**
 * The moment at which the store was found to be a restored backup, or null. Posts that were due by then may have been made
 * although nothing is stored of them.
 *
 * A backup shows by its witness: SQLite's backups are marked, and a row that was loaded into PostgreSQL has another table
 * and transaction than the one that wrote it.
 */
async function restoredUntil(db: Db, engine: DatabaseEngine, now: number): Promise<number | null> {
  const isPostgres = engine === 'postgres';
  const { witness, own, ...known } = await db
    .selectFrom('continuity')
    .select(['witness', 'restoredUntil'])
    .select(
      (isPostgres ? sql<string>`xmin::text || ':' || tableoid::text` : sql<string>`'original'`).as('own'),
    )
    .where('key', '=', KEY)
    .executeTakeFirstOrThrow();
  const isRestored = witness !== null && witness !== own;
  const isWrong = known.restoredUntil !== null && known.restoredUntil > now + FARTHEST;
  if (witness === own && !isWrong) return known.restoredUntil;
  const until = isRestored || isWrong ? now : known.restoredUntil;
  const writing = sql<string>`(txid_current() % 4294967296)::text || ':' || tableoid::text`;
  await db
    .updateTable('continuity')
    .set({ restoredUntil: until, witness: isPostgres ? writing : own })
    .where('key', '=', KEY)
    .execute();
  return until;
}

/** The names of queries that only read. Commands that show something get no others. */
type Reads =
  | 'between'
  | 'boards'
  | 'byDay'
  | 'counts'
  | 'get'
  | 'hasRegulars'
  | 'hiddenAmong'
  | 'holidaysOf'
  | 'isHidden'
  | 'kept'
  | 'list'
  | 'missing'
  | 'openingsAt'
  | 'openingsWaiting'
  | 'ofBoard'
  | 'ofChannel'
  | 'ofDay'
  | 'ofThread'
  | 'results'
  | 'resultsOf'
  | 'scoresIn'
  | 'scoresOf'
  | 'seen'
  | 'sums';

type Reading<Tables> = {
  readonly [Name in keyof Tables as Tables[Name] extends string | ((...given: never[]) => unknown)
    ? never
    : Name]: Pick<Tables[Name], Extract<keyof Tables[Name], Reads>>;
};

/** A store without a way to write. */
export type ReadingStore = Reading<Store> & {
  tenant(tenant: string): Reading<TenantStore>;
};
