import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import { migrate } from './migrations/migrate.ts';
import type { Database, DatabaseEngine, Db } from './schema.ts';
import { type Actions, SqlActions } from './tables/actions.ts';
import { type AllDeliveries, SqlAllDeliveries } from './tables/all-deliveries.ts';
import { type AllPeople, SqlAllPeople } from './tables/all-people.ts';
import { type AllTenants, SqlAllTenants } from './tables/all-tenants.ts';
import { type Applications, SqlApplications } from './tables/applications.ts';
import { type Fetches, SqlFetches } from './tables/fetches.ts';
import { type ProcessedEvents, SqlProcessedEvents } from './tables/processed-events.ts';
import { type Puzzles, SqlPuzzles } from './tables/puzzles.ts';
import { type AllReminders, SqlAllReminders } from './tables/reminders.ts';
import { restoredUntil } from './tables/restored.ts';
import { makeTenantStore, type TenantStore } from './tables/tenant.ts';
import { SqlVerdicts, type Verdicts } from './tables/verdicts.ts';

/**
 * Everything that survives a restart, as plain data. What belongs to a server, a workspace or a person can
 * only be reached through `tenant`; the few queries over all tenants are in the parts named `all…`. Moments are
 * milliseconds since 1970 and always come from the caller; `unknown` is JSON, which its writer parses again.
 *
 * @example await store.tenant('discord:123').subscriptions.get('456')
 */
export interface Store {
  readonly engine: DatabaseEngine;
  readonly puzzles: Puzzles;
  readonly fetches: Fetches;
  readonly verdicts: Verdicts;
  readonly actions: Actions;
  readonly events: ProcessedEvents;
  readonly allTenants: AllTenants;
  readonly allDeliveries: AllDeliveries;
  readonly allPeople: AllPeople;
  readonly allReminders: AllReminders;
  readonly applications: Applications;
  /** When the store was found to be a restored backup: what was due by then may have been posted. Null if it never was. */
  restoredUntil(now: number): Promise<number | null>;
  /** `door:id`, such as `discord:123`, `slack:T9` or `local:chat`. */
  tenant(tenant: string): TenantStore;
  /** Writes and reads. Rejects when either fails: for the readiness page. */
  ping(): Promise<void>;
  /** Writes a whole copy to a new file while others read and write. SQLite only. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** What only some engines have. */
export interface EngineParts {
  /** Removes what was deleted from the engine's own logs, too. */
  readonly forget?: () => void;
  readonly health?: {
    /** Throws when the database does not hold the number that was just written to it. */
    check(written: number): void;
    closed(): void;
  };
}

/** A store on a database of either engine, brought up to date first. Closes the database when that fails. */
export async function assembleStore(
  engine: DatabaseEngine,
  dialect: Dialect,
  backup: Store['backup'],
  { health, forget }: EngineParts = {},
): Promise<Store> {
  const db = new Kysely<Database>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  try {
    await migrate(db, engine);
  } catch (error) {
    await db.destroy();
    health?.closed();
    throw error;
  }
  return {
    engine,
    puzzles: new SqlPuzzles(db),
    fetches: new SqlFetches(db),
    verdicts: new SqlVerdicts(db),
    actions: new SqlActions(db),
    events: new SqlProcessedEvents(db),
    allTenants: new SqlAllTenants(db),
    allDeliveries: new SqlAllDeliveries(db, engine),
    allPeople: new SqlAllPeople(db, forget),
    allReminders: new SqlAllReminders(db),
    tenant: (tenant) => makeTenantStore(db, engine, tenant),
    applications: new SqlApplications(db),
    restoredUntil: (now) => restoredUntil(db, engine, now),
    async ping() {
      const written = await writeProbe(db);
      health?.check(written);
    },
    backup,
    async close() {
      await db.destroy();
      health?.closed();
    },
  };
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
