import { doorOf } from '../../core/channel-ref.ts';
import { type DatabaseEngine, type Db, TENANT_TABLES } from '../schema.ts';
import { type ChannelResults, SqlChannelResults } from './channel-results.ts';
import { type Deliveries, SqlDeliveries } from './deliveries.ts';
import { type Games, SqlGames } from './games.ts';
import { type HandBoards, SqlHandBoards } from './hand-boards.ts';
import { type Hints, SqlHints } from './hints.ts';
import { type Holidays, SqlHolidays } from './holidays.ts';
import { type Installation, markRemoved, SqlInstallation } from './installation.ts';
import { type MadeBoards, SqlMadeBoards } from './made-boards.ts';
import { type People, SqlPeople } from './people.ts';
import { type Reminders, SqlReminders } from './reminders.ts';
import { type Results, SqlResults } from './results.ts';
import { type SoloGames, SqlSoloGames } from './solo-games.ts';
import { SqlSubscriptions, type Subscriptions } from './subscriptions.ts';

/** One tenant's share of the store. Nothing in here can see or touch another tenant's rows. */
export interface TenantStore {
  readonly tenant: string;
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly boards: HandBoards;
  readonly hints: Hints;
  readonly results: Results;
  readonly channelResults: ChannelResults;
  readonly people: People;
  readonly games: Games;
  readonly soloGames: SoloGames;
  readonly madeBoards: MadeBoards;
  readonly reminders: Reminders;
  readonly holidays: Holidays;
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
    subscriptions: new SqlSubscriptions(db, tenant),
    deliveries: new SqlDeliveries(db, engine, tenant),
    boards: new SqlHandBoards(db, tenant),
    hints: new SqlHints(db, tenant),
    results: new SqlResults(db, tenant),
    channelResults: new SqlChannelResults(db, tenant),
    people: new SqlPeople(db, tenant),
    games: new SqlGames(db, tenant),
    soloGames: new SqlSoloGames(db, engine, tenant),
    madeBoards: new SqlMadeBoards(db, tenant),
    reminders: new SqlReminders(db, tenant),
    holidays: new SqlHolidays(db, tenant),
    installation: new SqlInstallation(db, tenant),

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
