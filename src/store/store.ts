import { CamelCasePlugin, type Dialect, Kysely, sql } from 'kysely';
import { migrate } from './migrations/migrate.ts';
import type { Database, DatabaseEngine } from './schema.ts';
import { type Actions, makeActions } from './tables/actions.ts';
import { type AllTenants, makeAllTenants } from './tables/all-tenants.ts';
import { type Fetches, makeFetches } from './tables/fetches.ts';
import { makeProcessedEvents, type ProcessedEvents } from './tables/processed-events.ts';
import { makePuzzles, type Puzzles } from './tables/puzzles.ts';
import { makeTenantStore, type TenantStore } from './tables/tenant.ts';
import { makeVerdicts, type Verdicts } from './tables/verdicts.ts';

/**
 * Everything that survives a restart, as plain data. What belongs to a server, a workspace or a person can
 * only be reached through `tenant`; the few queries over all tenants are in `allTenants`. Moments are
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
    puzzles: makePuzzles(db),
    fetches: makeFetches(db),
    verdicts: makeVerdicts(db),
    actions: makeActions(db),
    events: makeProcessedEvents(db),
    allTenants: makeAllTenants(db, engine),
    tenant: (tenant) => makeTenantStore(db, engine, tenant),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    backup,
    close: () => db.destroy(),
  };
}
