import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { DAY, type PuzzleDate } from '../../core/clock.ts';
import {
  type Database,
  type Db,
  SUBSCRIPTION_STATES,
  type SubscriptionState,
  TENANT_TABLES,
} from '../schema.ts';
import { FIRST_BOARD_KEY } from './hints.ts';
import { deleteInChunks, isAt } from './rows.ts';
import { type Subscription, subscriptionOf } from './subscriptions.ts';
import { eraseTenant } from './tenant.ts';

export interface AllTenants {
  /** All subscriptions but those of removed tenants. */
  subscriptions(states?: readonly SubscriptionState[]): Promise<Subscription[]>;
  installations(door: string): Promise<{ tenant: string; encrypted: string }[]>;
  /** Every tenant of a door of which anything is stored, and whether it counts as removed. */
  tenants(door: string): Promise<{ tenant: string; removed: boolean }[]>;
  /** Erases tenants removed at or before a moment, and returns them. */
  eraseRemoved(before: number): Promise<string[]>;
  /** Deletes what has expired, see `KEPT`, and deliveries of days before `date`, for which it is too late in any case. */
  sweep(now: number, date: PuzzleDate): Promise<void>;
}

/** For how many milliseconds rows without a moment of their own are kept. docs/limits.md lists them. */
export const KEPT = {
  /** Hints seen of typed boards, which count for a result only on the day of the same board. */
  typedHints: 30 * DAY,
  hints: 400 * DAY,
  handBoards: 400 * DAY,
  /** How many past days were asked for on a day. */
  allowances: 2 * DAY,
} as const;

export class SqlAllTenants implements AllTenants {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async subscriptions(states: readonly SubscriptionState[] = SUBSCRIPTION_STATES): Promise<Subscription[]> {
    const rows = await this.#db
      .selectFrom('subscription')
      .selectAll()
      .where('state', 'in', [...states])
      .where((where) => where.not(where.exists(removalOf(where))))
      .execute();
    return rows.map(subscriptionOf);
  }

  installations(door: string): Promise<{ tenant: string; encrypted: string }[]> {
    return this.#db
      .selectFrom('installation')
      .select(['tenant', 'encrypted'])
      .where(isAt(door))
      .orderBy('tenant')
      .execute();
  }

  async tenants(door: string): Promise<{ tenant: string; removed: boolean }[]> {
    const removed = new Map<string, boolean>();
    for (const table of TENANT_TABLES) {
      const rows = await this.#db.selectFrom(table).select('tenant').distinct().where(isAt(door)).execute();
      for (const { tenant } of rows)
        removed.set(tenant, table === 'removedTenant' || removed.get(tenant) === true);
    }
    return [...removed.keys()].sort().map((tenant) => ({ tenant, removed: removed.get(tenant) === true }));
  }

  async eraseRemoved(before: number): Promise<string[]> {
    const removed = await this.#db
      .selectFrom('removedTenant')
      .select('tenant')
      .where('removedAt', '<=', before)
      .orderBy('tenant')
      .execute();
    const erased: string[] = [];
    for (const { tenant } of removed) {
      if (await eraseIfRemoved(this.#db, tenant, before)) erased.push(tenant);
    }
    return erased;
  }

  async sweep(now: number, date: PuzzleDate): Promise<void> {
    const db = this.#db;
    const expired = sql<SqlBool>`expires_at <= ${now}`;
    await deleteInChunks(db, 'action', ['key'], expired);
    await deleteInChunks(db, 'processedEvent', ['key'], expired);
    await deleteInChunks(db, 'game', ['tenant', 'thread'], expired);
    await deleteInChunks(db, 'soloGame', ['tenant', 'person', 'board'], expired);
    await deleteInChunks(db, 'challenge', ['tenant', 'channel', 'board'], expired);
    await deleteInChunks(
      db,
      'challengeResult',
      ['tenant', 'channel', 'board', 'person'],
      sql<SqlBool>`not exists (
        select 1 from challenge where challenge.tenant = challenge_result.tenant
          and challenge.channel = challenge_result.channel and challenge.board = challenge_result.board
      )`,
    );
    await deleteInChunks(
      db,
      'gamePerson',
      ['tenant', 'thread', 'person'],
      sql<SqlBool>`not exists (
        select 1 from game where game.tenant = game_person.tenant and game.thread = game_person.thread
      )`,
    );
    await deleteInChunks(db, 'delivery', ['tenant', 'channel', 'date', 'step'], sql<SqlBool>`date < ${date}`);
    await deleteInChunks(
      db,
      'hint',
      ['tenant', 'person', 'puzzle', 'step'],
      sql<SqlBool>`at <= ${now - KEPT.typedHints} and (puzzle >= ${FIRST_BOARD_KEY} or at <= ${now - KEPT.hints})`,
    );
    await deleteInChunks(
      db,
      'handBoard',
      ['tenant', 'channel', 'date'],
      sql<SqlBool>`typed_at <= ${now - KEPT.handBoards}`,
    );
    await deleteInChunks(
      db,
      'fetchLog',
      ['key'],
      sql<SqlBool>`key >= 'past:' and key < 'past;' and last_attempt <= ${now - KEPT.allowances}`,
    );
  }
}

function removalOf(where: ExpressionBuilder<Database, 'subscription'>) {
  return where
    .selectFrom('removedTenant')
    .select('removedTenant.tenant')
    .whereRef('removedTenant.tenant', '=', 'subscription.tenant');
}

/** One that came back in the meantime is left alone. */
function eraseIfRemoved(db: Db, tenant: string, before: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const mark = await transaction
      .deleteFrom('removedTenant')
      .where('tenant', '=', tenant)
      .where('removedAt', '<=', before)
      .returning('tenant')
      .executeTakeFirst();
    if (mark === undefined) return false;
    await eraseTenant(transaction, tenant);
    return true;
  });
}
