import { CamelCasePlugin, type Dialect, Kysely, type LogEvent } from 'kysely';
import { migrate } from './migrations/migrate.ts';
import type { Database, DatabaseEngine, Db } from './schema.ts';
import { StoreError } from './store-error.ts';
import { allTenantsTable, applicationsTable } from './tables/all-tenants.ts';
import { allDeliveriesTable } from './tables/deliveries.ts';
import { allPeopleTable } from './tables/people.ts';
import { fetchesTable, puzzlesTable, verdictsTable } from './tables/puzzles.ts';
import { allRemindersTable } from './tables/reminders.ts';
import { restoredUntil } from './tables/restored.ts';
import { actionsTable, eventsTable } from './tables/short-lived.ts';
import { makeTenantStore } from './tables/tenant.ts';

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
const TABLE = /\b(?:from|into|update|table) "?(\w+)/;

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
    allDeliveries: allDeliveriesTable(db, engine),
    allPeople: allPeopleTable(db, forget),
    allReminders: allRemindersTable(db),
    applications: applicationsTable(db),

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

/** Writes the next of numbers that grow with every check, whichever process makes it. */
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
