import { type SqlBool, sql } from 'kysely';
import { DAY_KIND, doorOf, tenantKey } from '../../core/channel-ref.ts';
import { DAY, type PuzzleDate } from '../../core/clock.ts';
import { type DatabaseEngine, type Db, TENANT_TABLES, type TenantTable } from '../schema.ts';
import { type Delivery, deliveriesTable, deliveryOf } from './deliveries.ts';
import { findsTable, gamesTable, hintsTable, OF_TYPED_SIDES, soloGamesTable } from './games.ts';
import { madeBoardsTable } from './made-boards.ts';
import { peopleTable } from './people.ts';
import { type HandBoard, handBoardsTable } from './puzzles.ts';
import { remindersTable } from './reminders.ts';
import { channelResultsTable, otherResultsTable, resultsTable } from './results.ts';
import { addRow, deleteInChunks, IS_PRESENT, inScope, parseJson, putRow, TenantRows } from './rows.ts';
import { ownerSuffix } from './short-lived.ts';
import { parseSettings, type Subscription, subscriptionOf, subscriptionsTable } from './subscriptions.ts';

/** One tenant's share of the store. Nothing in it can see or touch another tenant's rows. */
export type TenantStore = ReturnType<typeof makeTenantStore>;

export function makeTenantStore(db: Db, engine: DatabaseEngine, tenant: string) {
  // Throws if it is malformed.
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
    otherResults: otherResultsTable(rows),
    people: peopleTable(rows),
    games: gamesTable(rows),
    soloGames: soloGamesTable(rows, engine),
    madeBoards: madeBoardsTable(rows),
    reminders: remindersTable(rows),
    finds: findsTable(rows),
    installation: installationTable(rows),

    /** One query, since every letter that somebody plays on a page needs it. Each part is joined to one row, as any may be missing. */
    async channelDay(channel: string, date: PuzzleDate): Promise<ChannelDayRows> {
      const row = await rows.db
        .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('one'))
        .leftJoin('delivery as d', (join) =>
          join.on(
            sql<SqlBool>`d.tenant = ${tenant} and d.channel = ${channel} and d.date = ${date} and d.kind = ${DAY_KIND}`,
          ),
        )
        .leftJoin('subscription as s', (join) =>
          join.on(sql<SqlBool>`s.tenant = ${tenant} and s.channel = ${channel}`),
        )
        .leftJoin('handBoard as b', (join) =>
          join.on(sql<SqlBool>`b.tenant = ${tenant} and b.channel = ${channel} and b.date = ${date}`),
        )
        .selectAll('d')
        .select(['s.settings', 'b.puzzle', 'b.typedBy', 'b.typedAt'])
        .executeTakeFirstOrThrow();
      const { settings, puzzle, typedBy, typedAt, ...day } = row;
      return {
        day: day.state === null ? undefined : deliveryOf(day as Parameters<typeof deliveryOf>[0]),
        settings: settings === null ? undefined : parseSettings(settings),
        board: typedAt === null ? undefined : { channel, date, puzzle: parseJson(puzzle), typedBy, typedAt },
      };
    },

    /**
     * Records the organization that a workspace belongs to, or that it belongs to none: people of an organization are known
     * in all its workspaces.
     */
    async setOrganization(id: string | undefined): Promise<void> {
      if (id === undefined) await rows.delete('organization', {}).execute();
      else await rows.put('organization', {}, { id });
    },

    /**
     * Records the bot's removal: the tenant's channels leave `allTenants.subscriptions` at once; `allTenants.eraseRemoved`
     * comes later.
     */
    markRemoved: (at: number): Promise<void> => markRemoved(rows, at),

    async isRemoved(): Promise<boolean> {
      return (await rows.select('removedTenant').select('removedAt').executeTakeFirst()) !== undefined;
    },

    /** Records that the bot is back, with its subscriptions. What it gave up from a date on because it was removed is due again. */
    markPresent: ({ from, now }: { readonly from: PuzzleDate; readonly now: number }): Promise<void> =>
      rows.transaction(async (within) => {
        await within.delete('removedTenant', {}).execute();
        await within
          .update('delivery', {})
          .set({ state: 'due', nextAt: now, doneAt: null, reason: null })
          .where('state', 'in', ['given-up', 'waiting'])
          .where('date', '>=', from)
          .where('reason', 'like', '{"code":"removed"%')
          .execute();
      }),
  };
}

/** What decides which puzzle a channel has on a day. */
interface ChannelDayRows {
  readonly day: Delivery | undefined;
  readonly settings: unknown;
  readonly board: HandBoard | undefined;
}

async function eraseTenant(rows: TenantRows): Promise<void> {
  for (const table of TENANT_TABLES) await rows.delete(table, {}).execute();
  for (const table of ['action', 'processedEvent'] as const)
    await rows.db
      .deleteFrom(table as 'action')
      .where('key', '>=', tenantKey(rows.tenant, ''))
      .where('key', '<', tenantKey(rows.tenant, '~'))
      .execute();
  await rows.db
    .deleteFrom('action')
    .where('owner', 'like', `%${ownerSuffix(rows.tenant)}`)
    .execute();
}

/** The first report counts: a platform may report one removal several times. */
async function markRemoved(rows: TenantRows, removedAt: number): Promise<void> {
  await rows.add('removedTenant', { removedAt });
}

/** The tokens that a platform gave us when the bot was installed, encrypted by the door before they are stored. */
function installationTable(rows: TenantRows) {
  return {
    async get(): Promise<string | undefined> {
      const row = await rows.select('installation').select('encrypted').executeTakeFirst();
      return row?.encrypted;
    },

    async put(encrypted: string): Promise<void> {
      await rows.put('installation', {}, { encrypted });
    },

    /** False if what is stored is no longer `before`. */
    replace: (before: string, encrypted: string): Promise<boolean> =>
      rows.change('installation', { encrypted: before }, { encrypted }),

    /**
     * Handles a revoked installation: deletes it and marks the tenant as removed, both or neither. False if another
     * installation has replaced it, or if none is stored any more.
     */
    revoke: (encrypted: string, at: number): Promise<boolean> =>
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

/** Milliseconds for which rows without an expiry of their own are kept. docs/limits.md lists them. */
export const KEPT_MS = {
  /** Hints seen of sides typed without a date. They count for a result only if a day turns out to have these sides. */
  hintsOfTypedSides: 30 * DAY,
  hints: 400 * DAY,
  handBoards: 400 * DAY,
  /** Finds, and the lists of solutions to find. */
  finds: 60 * DAY,
  /** How many boards of past days were requested on one day, which is limited. */
  pastDayCounts: 2 * DAY,
} as const;

/** Queries about the tenants of a door, or about all tenants. */
export function allTenantsTable(db: Db, clearLog: () => Promise<void>) {
  return {
    /** All subscriptions except those of removed tenants. */
    async subscriptions(): Promise<Subscription[]> {
      const rows = await db.selectFrom('subscription').selectAll().where(IS_PRESENT).execute();
      return rows.map(subscriptionOf);
    },

    installations: (door: string): Promise<{ tenant: string; encrypted: string }[]> =>
      db
        .selectFrom('installation')
        .select(['tenant', 'encrypted'])
        .where(inScope(door))
        .orderBy('tenant')
        .execute(),

    /** Every tenant of a door with stored data, and whether it counts as removed. */
    async tenants(door: string): Promise<{ tenant: string; removed: boolean }[]> {
      const removed = new Map<string, boolean>();
      for (const table of TENANT_TABLES)
        for (const tenant of await tenantsIn(db, table, door))
          removed.set(tenant, table === 'removedTenant' || removed.get(tenant) === true);
      return [...removed.keys()].sort().map((tenant) => ({ tenant, removed: removed.get(tenant) === true }));
    },

    /** Erases the tenants removed at or before a moment, and returns them. */
    async eraseRemoved(before: number): Promise<string[]> {
      const removed = await db
        .selectFrom('removedTenant')
        .select('tenant')
        .where('removedAt', '<=', before)
        .orderBy('tenant')
        .execute();
      const erased: string[] = [];
      for (const { tenant } of removed) if (await eraseIfRemoved(db, tenant, before)) erased.push(tenant);
      return erased;
    },

    /**
     * Deletes what has expired, see `KEPT_MS`, and deliveries of days before `date`, for which it is too late anyway; from the
     * database's own log, all that was deleted.
     */
    async deleteExpired(now: number, date: PuzzleDate): Promise<void> {
      await sweep(db, now, date);
      await clearLog();
    },
  };
}

/** Skips from tenant to tenant by the table's key, since each has many rows. */
async function tenantsIn(db: Db, table: TenantTable, door: string): Promise<string[]> {
  const from = `${door}:`;
  // `;` comes after `:`, so it ends the range of texts that begin with `from`.
  const to = `${door};`;
  const { rows } = await sql<{ tenant: string }>`
    with recursive found(tenant) as (
      select min(tenant) from ${sql.table(table)} where tenant > ${from} and tenant < ${to}
      union all
      select (select min(more.tenant) from ${sql.table(table)} as more where more.tenant > found.tenant and more.tenant < ${to})
      from found where found.tenant is not null
    )
    select tenant from found where tenant is not null`.execute(db);
  return rows.map(({ tenant }) => tenant);
}

async function sweep(db: Db, now: number, date: PuzzleDate): Promise<void> {
  const expired = sql<SqlBool>`expires_at <= ${now}`;
  const expiredTables = ['action', 'processedEvent', 'game', 'soloGame', 'madeBoard'] as const;
  for (const table of expiredTables) await deleteInChunks(db, table, expired);
  const withoutBoard = sql<SqlBool>`not exists (
    select 1 from made_board where made_board.tenant = made_board_result.tenant
      and made_board.channel = made_board_result.channel and made_board.board = made_board_result.board
  )`;
  await deleteInChunks(db, 'madeBoardResult', withoutBoard);
  const withoutGame = sql<SqlBool>`not exists (
    select 1 from game where game.tenant = game_person.tenant and game.thread = game_person.thread
  )`;
  await deleteInChunks(db, 'gamePerson', withoutGame);
  await deleteInChunks(db, 'delivery', sql`date < ${date}`);
  await deleteInChunks(db, 'hint', sql`at <= ${now - KEPT_MS.hints}`);
  await deleteInChunks(db, 'hint', sql`${OF_TYPED_SIDES} and at <= ${now - KEPT_MS.hintsOfTypedSides}`);
  await deleteInChunks(db, 'find', sql`found_at <= ${now - KEPT_MS.finds}`);
  // Later finds, as on the same board in another channel, need the list of their board, perhaps under a `typedKey` (hunt.ts).
  const withoutFinds = sql<SqlBool>`made_at <= ${now - KEPT_MS.finds}
    and board not in (select board from find union all select board || ' typed' from find)`;
  await deleteInChunks(db, 'hunt', withoutFinds);
  await deleteInChunks(db, 'handBoard', sql`typed_at <= ${now - KEPT_MS.handBoards}`);
  const pastDays = sql<SqlBool>`key >= 'past:' and key < 'past;' and last_attempt <= ${now - KEPT_MS.pastDayCounts}`;
  await deleteInChunks(db, 'fetchLog', pastDays);
}

/** Tables of which a tenant has very many rows after some years. */
const LARGE_TABLES = [
  'hint',
  'result',
  'otherResult',
  'comparison',
  'find',
  'soloGame',
  'madeBoardResult',
] as const;

/** A tenant that came back in the meantime is left alone, except for rows of large tables that are gone by then. */
async function eraseIfRemoved(db: Db, tenant: string, before: number): Promise<boolean> {
  const isRemoved = sql<SqlBool>`tenant = ${tenant} and exists (
    select 1 from removed_tenant where removed_tenant.tenant = ${tenant} and removed_at <= ${before}
  )`;
  for (const table of LARGE_TABLES) await deleteInChunks(db, table, isRemoved);
  return new TenantRows(db, tenant).transaction(async (rows) => {
    const mark = await rows
      .delete('removedTenant', {})
      .where('removedAt', '<=', before)
      .returning('tenant')
      .executeTakeFirst();
    if (mark === undefined) return false;
    await eraseTenant(rows);
    return true;
  });
}

/** The platform application that the store belongs to. With another one, absence from a server does not mean removal. */
export function applicationsTable(db: Db) {
  const get = async (door: string): Promise<string | undefined> => {
    const row = await db.selectFrom('application').select('id').where('door', '=', door).executeTakeFirst();
    return row?.id;
  };

  return {
    get,

    /** Assigns the store to an application unless it has one. Returns the one that it has then. */
    async claim(door: string, id: string): Promise<string> {
      await addRow(db, 'application', { door, id });
      return (await get(door)) ?? id;
    },

    /** Assigns another application, by an operator's decision. */
    async put(door: string, id: string): Promise<void> {
      await putRow(db, 'application', { door }, { id });
    },
  };
}
