import { doorOf } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { type DatabaseEngine, type Db, TENANT_TABLES } from '../schema.ts';
import { deliveriesTable } from './deliveries.ts';
import { gamesTable, soloGamesTable } from './games.ts';
import { handBoardsTable } from './hand-boards.ts';
import { hintsTable } from './hints.ts';
import { madeBoardsTable } from './made-boards.ts';
import { peopleTable } from './people.ts';
import { remindersTable } from './reminders.ts';
import { channelResultsTable, resultsTable } from './results.ts';
import { TenantRows } from './rows.ts';
import { subscriptionsTable } from './subscriptions.ts';

/** One tenant's share of the store. Nothing in here can see or touch another tenant's rows. */
export type TenantStore = ReturnType<typeof makeTenantStore>;

export function makeTenantStore(db: Db, engine: DatabaseEngine, tenant: string) {
  doorOf(tenant);
  const rows = new TenantRows(db, tenant);
  return {
    tenant,
    subscriptions: subscriptionsTable(rows),
    deliveries: deliveriesTable(rows, engine),
    boards: handBoardsTable(rows),
    hints: hintsTable(rows),
    results: resultsTable(rows),
    channelResults: channelResultsTable(rows),
    people: peopleTable(rows),
    games: gamesTable(rows),
    soloGames: soloGamesTable(rows, engine),
    madeBoards: madeBoardsTable(rows),
    reminders: remindersTable(rows),
    holidays: holidaysTable(rows),
    installation: installationTable(rows),

    /** The bot was removed: its channels leave `allTenants.subscriptions` at once, and `allTenants.eraseRemoved` comes later. */
    markRemoved: (at: number): Promise<void> => markRemoved(rows, at),

    /** It is back, and its subscriptions with it. */
    async markPresent(): Promise<void> {
      await rows.delete('removedTenant', {}).execute();
    },

    /** Deletes every row of this tenant. */
    erase: (): Promise<void> => rows.transaction(eraseTenant),
  };
}

export async function eraseTenant(rows: TenantRows): Promise<void> {
  for (const table of TENANT_TABLES) await rows.delete(table, {}).execute();
}

/** The first removal counts: a platform may report one removal several times. */
async function markRemoved(rows: TenantRows, removedAt: number): Promise<void> {
  await rows
    .insert('removedTenant', { removedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The tokens a platform gave us when the bot was installed, encrypted by the door before they come here. */
function installationTable(rows: TenantRows) {
  return {
    async get(): Promise<string | undefined> {
      const row = await rows.select('installation').select('encrypted').executeTakeFirst();
      return row?.encrypted;
    },

    async put(encrypted: string, at: number): Promise<void> {
      await rows
        .insert('installation', { encrypted, at })
        .onConflict((conflict) => conflict.column('tenant').doUpdateSet({ encrypted, at }))
        .execute();
    },

    /**
     * The platform revoked it: deletes it and marks the tenant as removed, both or neither. False when another
     * installation has replaced it meanwhile, or none is stored any more.
     */
    lose: (encrypted: string, at: number): Promise<boolean> =>
      rows.transaction(async (within) => {
        const { numDeletedRows } = await within
          .delete('installation', { encrypted })
          .executeTakeFirstOrThrow();
        if (numDeletedRows !== 1n) return false;
        await markRemoved(within, at);
        return true;
      }),
  };
}

/** The days off that people announced, by the dates of the puzzles that they leave out. */
function holidaysTable(rows: TenantRows) {
  return {
    /** Adds days; those that are there already stay. */
    async add(person: string, dates: readonly PuzzleDate[]): Promise<void> {
      if (dates.length === 0) return;
      await rows
        .insert('holiday', ...dates.map((date) => ({ person, date })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
