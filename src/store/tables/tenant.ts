import { doorOf } from '../../core/channel-ref.ts';
import { type DatabaseEngine, type Db, TENANT_TABLES } from '../schema.ts';
import { type Deliveries, makeDeliveries } from './deliveries.ts';
import { type Games, makeGames } from './games.ts';
import { type HandBoards, makeHandBoards } from './hand-boards.ts';
import { type Hints, makeHints } from './hints.ts';
import { type Installation, makeInstallation, markRemoved } from './installation.ts';
import { makePeople, type People } from './people.ts';
import { makeResults, type Results } from './results.ts';
import { makeSubscriptions, type Subscriptions } from './subscriptions.ts';

/** One tenant's share of the store. Nothing in here can see or touch another tenant's rows. */
export interface TenantStore {
  readonly tenant: string;
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly boards: HandBoards;
  readonly hints: Hints;
  readonly results: Results;
  readonly people: People;
  readonly games: Games;
  readonly installation: Installation;
  /** The bot was removed: its channels leave `allTenants.subscriptions` at once, and `allTenants.eraseRemoved` comes later. */
  markRemoved(at: number): Promise<void>;
  /** It is back, and its subscriptions with it. */
  markPresent(): Promise<void>;
  /** Deletes every row of this tenant. */
  erase(): Promise<void>;
}

export function makeTenantStore(db: Db, engine: DatabaseEngine, tenant: string): TenantStore {
  doorOf(tenant);
  return {
    tenant,
    subscriptions: makeSubscriptions(db, tenant),
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
