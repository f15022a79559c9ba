import { CamelCasePlugin, type Dialect, Kysely, sql } from 'kysely';
import { migrate } from './migrations/migrate.ts';
import type { Database } from './schema.ts';
import { makeActions } from './tables/actions.ts';
import { makeAllTenants } from './tables/all-tenants.ts';
import { makeFetches } from './tables/fetches.ts';
import { makePuzzles } from './tables/puzzles.ts';
import { makeSeenEvents } from './tables/seen-events.ts';
import { makeTenantStore } from './tables/tenant.ts';
import { makeVerdicts } from './tables/verdicts.ts';
import type { DatabaseEngine, Store } from './types.ts';

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
    events: makeSeenEvents(db),
    allTenants: makeAllTenants(db, engine),
    tenant: (tenant) => makeTenantStore(db, engine, tenant),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    backup,
    close: () => db.destroy(),
  };
}
