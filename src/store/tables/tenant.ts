import { type Db, TENANT_TABLES } from '../schema.ts';
import type { DatabaseEngine, TenantStore } from '../types.ts';
import { makePlaces } from './channels.ts';
import { makeDeliveries } from './deliveries.ts';
import { makeGames } from './games.ts';
import { makeHandBoards } from './hand-boards.ts';
import { makeHints } from './hints.ts';
import { makeInstallation } from './installation.ts';
import { makePeople } from './people.ts';
import { markRemoved } from './removed.ts';
import { makeResults } from './results.ts';

export function makeTenantStore(db: Db, engine: DatabaseEngine, tenant: string): TenantStore {
  doorOf(tenant);
  return {
    tenant,
    subscriptions: makePlaces(db, tenant),
    deliveries: makeDeliveries(db, engine, tenant),
    boards: makeHandBoards(db, tenant),
    hints: makeHints(db, tenant),
    results: makeResults(db, tenant),
    people: makePeople(db, tenant),
    games: makeGames(db, tenant),
    installation: makeInstallation(db, tenant),

    markRemoved: (at) => markRemoved(db, tenant, at),
    async markPresent() {
      await db.deleteFrom('removedTenant').where('tenant', '=', tenant).execute();
    },
    erase: () => db.transaction().execute((transaction) => eraseTenant(transaction, tenant)),
  };
}

export async function eraseTenant(db: Db, tenant: string): Promise<void> {
  for (const table of TENANT_TABLES) await db.deleteFrom(table).where('tenant', '=', tenant).execute();
}

/** @example doorOf('discord:123') // 'discord' */
export function doorOf(tenant: string): string {
  const [, door] = /^([a-z]+):./s.exec(tenant) ?? [];
  if (door === undefined) throw new Error(`a tenant is written door:id, not "${tenant}"`);
  return door;
}
