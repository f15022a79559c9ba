import { CamelCasePlugin, type Dialect, Kysely, sql } from 'kysely';
import { makeActions } from './actions.ts';
import { makeSeenEvents } from './events.ts';
import { makeFetches } from './fetches.ts';
import { makeFleet } from './fleet.ts';
import { migrate } from './migrate.ts';
import { makePuzzles } from './puzzles.ts';
import type { Database } from './schema.ts';
import { makeTenantStore } from './tenant.ts';
import type { Engine, Store } from './types.ts';
import { makeVerdicts } from './verdicts.ts';

/** A store on a database of either engine, brought up to date first. Closes the database when that fails. */
export async function assembleStore(
  engine: Engine,
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
    fleet: makeFleet(db, engine),
    tenant: (tenant) => makeTenantStore(db, engine, tenant),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    backup,
    close: () => db.destroy(),
  };
}
