import { CamelCasePlugin, type Dialect, Kysely, sql } from 'kysely';
import { migrate } from './migrations/migrate.ts';
import type { Database, DatabaseEngine } from './schema.ts';
import { type Actions, SqlActions } from './tables/actions.ts';
import { type AllDeliveries, SqlAllDeliveries } from './tables/all-deliveries.ts';
import { type AllPeople, SqlAllPeople } from './tables/all-people.ts';
import { type AllTenants, SqlAllTenants } from './tables/all-tenants.ts';
import { type Fetches, SqlFetches } from './tables/fetches.ts';
import { type ProcessedEvents, SqlProcessedEvents } from './tables/processed-events.ts';
import { type Puzzles, SqlPuzzles } from './tables/puzzles.ts';
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
  /** `door:id`, such as `discord:123`, `slack:T9` or `local:chat`. */
  tenant(tenant: string): TenantStore;
  /** Rejects when the store can't answer: for the readiness page. */
  ping(): Promise<void>;
  /** Writes a whole copy to a new file while others read and write. SQLite only. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** A store on a database of either engine, brought up to date first. Closes the database when that fails. */
export async function assembleStore(
  engine: DatabaseEngine,
  dialect: Dialect,
  backup: Store['backup'],
): Promise<Store> {
  const db = new Kysely<Database>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  try {
    await migrate(db, engine);
  } catch (error) {
    await db.destroy();
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
    allPeople: new SqlAllPeople(db),
    tenant: (tenant) => makeTenantStore(db, engine, tenant),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    backup,
    close: () => db.destroy(),
  };
}
