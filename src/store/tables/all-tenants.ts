import type { ExpressionBuilder } from 'kysely';
import {
  type Database,
  type Db,
  SUBSCRIPTION_STATES,
  type SubscriptionState,
  TENANT_TABLES,
} from '../schema.ts';
import { isAt } from './rows.ts';
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
  /** Deletes what has expired: actions, events, games, and finished deliveries of days before `date`. */
  sweep(now: number, date: string): Promise<void>;
}

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

  async sweep(now: number, date: string): Promise<void> {
    await this.#db.deleteFrom('action').where('expiresAt', '<=', now).execute();
    await this.#db.deleteFrom('processedEvent').where('expiresAt', '<=', now).execute();
    await this.#db.deleteFrom('game').where('expiresAt', '<=', now).execute();
    await this.#db.deleteFrom('soloGame').where('expiresAt', '<=', now).execute();
    await this.#db
      .deleteFrom('gamePerson')
      .where((player) =>
        player.not(
          player.exists(
            player
              .selectFrom('game')
              .select('game.thread')
              .whereRef('game.tenant', '=', 'gamePerson.tenant')
              .whereRef('game.thread', '=', 'gamePerson.thread'),
          ),
        ),
      )
      .execute();
    await this.#db
      .deleteFrom('delivery')
      .where('date', '<', date)
      .where('state', 'not in', ['due', 'sending'])
      .execute();
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
