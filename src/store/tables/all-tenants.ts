import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { doorOf } from '../../core/channel-ref.ts';
import { formatReason } from '../reasons.ts';
import {
  type Database,
  type DatabaseEngine,
  type Db,
  type DeliveryState,
  type DeliveryTable,
  SUBSCRIPTION_STATES,
  type SubscriptionState,
  TENANT_TABLES,
} from '../schema.ts';
import { claimDeliveries } from './claim.ts';
import type { Claim, ClaimedDelivery, DeliveryKey, NewDelivery } from './delivery-row.ts';
import { erasePerson, makePeople, type PersonExport } from './people.ts';
import { type Result, resultOf } from './results.ts';
import { chunksOf, formatJson } from './rows.ts';
import { type Subscription, subscriptionOf } from './subscriptions.ts';
import { eraseTenant } from './tenant.ts';

/** The only queries over all tenants. */
export interface AllTenants {
  /** All subscriptions but those of removed tenants. */
  subscriptions(states?: readonly SubscriptionState[]): Promise<Subscription[]>;
  /** Writes down what is due. Rows that are there already stay as they are; the keys of new ones come back. */
  plan(deliveries: readonly NewDelivery[]): Promise<DeliveryKey[]>;
  /** Claims deliveries of one door that are ready, or whose lease has run out: most urgent first, then longest ready. */
  claim(door: string, limit: number, claim: Claim): Promise<ClaimedDelivery[]>;
  /** What was planned for a date, and how far it is. */
  steps(date: string): Promise<(DeliveryKey & { readonly state: DeliveryState })[]>;
  /** Unfinished deliveries of each door, and when the oldest was due. */
  backlog(): Promise<{ door: string; waiting: number; oldestDueAt: number }[]>;
  installations(door: string): Promise<{ tenant: string; encrypted: string }[]>;
  /** Every tenant of a door of whom anything is kept, and whether it counts as removed. */
  tenants(door: string): Promise<{ tenant: string; removed: boolean }[]>;
  /** Erases tenants removed at or before a moment, and names them. */
  eraseRemoved(before: number): Promise<string[]>;
  /** All that is stored about a person at a door, by tenant. */
  exportPerson(door: string, person: string): Promise<PersonExport[]>;
  erasePerson(door: string, person: string): Promise<void>;
  /** The tenants of a door in which something of a person is stored. */
  tenantsOf(door: string, person: string): Promise<string[]>;
  /** A person's results in all tenants of a door, by tenant and date. */
  resultsOf(door: string, person: string): Promise<Result[]>;
  /**
   * The hints that a person has seen at a door: those of a day's puzzle, and those of typed boards whose key
   * has this length. Boards that play the same have different keys of one length.
   */
  seenHints(
    door: string,
    person: string,
    date: string,
    boardKeyLength: number,
  ): Promise<{ puzzle: string; step: string }[]>;
  /** Whether a person stays off the leaderboards of any tenant of a door. */
  isHidden(door: string, person: string): Promise<boolean>;
  /** Deletes what is past its time: actions, events, games, and finished deliveries of days before `date`. */
  sweep(now: number, date: string): Promise<void>;
}

export function makeAllTenants(db: Db, engine: DatabaseEngine): AllTenants {
  return {
    async subscriptions(states = SUBSCRIPTION_STATES) {
      const rows = await db
        .selectFrom('subscription')
        .selectAll()
        .where('state', 'in', [...states])
        .where((where) => where.not(where.exists(removalOf(where))))
        .execute();
      return rows.map(subscriptionOf);
    },

    async plan(deliveries) {
      // In one order everywhere, so that two processes planning at once never wait for each other in a ring.
      const rows = deliveries.map(rowOf).sort(byKey);
      const added: DeliveryKey[] = [];
      for (const values of chunksOf(rows)) {
        const keys = await db
          .insertInto('delivery')
          .values(values)
          .onConflict((conflict) => conflict.doNothing())
          .returning(['tenant', 'channel', 'date', 'step'])
          .execute();
        added.push(...keys);
      }
      return added;
    },

    claim: (door, limit, claim) =>
      claimDeliveries(db, engine, (rows) => rows.where('door', '=', door), limit, claim),

    steps: (date) =>
      db
        .selectFrom('delivery')
        .select(['tenant', 'channel', 'date', 'step', 'state'])
        .where('date', '=', date)
        .execute(),

    backlog: () =>
      db
        .selectFrom('delivery')
        .select(({ fn }) => ['door', fn.countAll<number>().as('waiting'), fn.min('dueAt').as('oldestDueAt')])
        .where(sql<SqlBool>`state in ('due', 'sending')`)
        .groupBy('door')
        .orderBy('door')
        .execute(),

    installations: (door) =>
      db
        .selectFrom('installation')
        .select(['tenant', 'encrypted'])
        .where(isAt(door))
        .orderBy('tenant')
        .execute(),

    async tenants(door) {
      const removed = new Map<string, boolean>();
      for (const table of TENANT_TABLES) {
        const rows = await db.selectFrom(table).select('tenant').distinct().where(isAt(door)).execute();
        for (const { tenant } of rows)
          removed.set(tenant, table === 'removedTenant' || removed.get(tenant) === true);
      }
      return [...removed.keys()].sort().map((tenant) => ({ tenant, removed: removed.get(tenant) === true }));
    },

    async eraseRemoved(before) {
      const removed = await db
        .selectFrom('removedTenant')
        .select('tenant')
        .where('removedAt', '<=', before)
        .orderBy('tenant')
        .execute();
      const erased: string[] = [];
      for (const { tenant } of removed) {
        if (await eraseIfRemoved(db, tenant, before)) erased.push(tenant);
      }
      return erased;
    },

    async exportPerson(door, person) {
      const tenants = await tenantsOf(db, door, person);
      const exports = [];
      for (const tenant of tenants) exports.push(await makePeople(db, tenant).export(person));
      return exports.filter((found) => found !== undefined);
    },

    tenantsOf: (door, person) => tenantsOf(db, door, person),

    async resultsOf(door, person) {
      const rows = await db
        .selectFrom('result')
        .selectAll()
        .where('person', '=', person)
        .where(isAt(door))
        .orderBy('tenant')
        .orderBy('date')
        .orderBy('channel')
        .execute();
      return rows.map(resultOf);
    },

    seenHints: (door, person, date, boardKeyLength) =>
      db
        .selectFrom('hint')
        .select(['puzzle', 'step'])
        .distinct()
        .where('person', '=', person)
        .where(isAt(door))
        .where((where) =>
          where.or([
            where('puzzle', '=', date),
            where(({ fn }) => fn<number>('length', ['puzzle']), '=', boardKeyLength),
          ]),
        )
        .orderBy('puzzle')
        .orderBy('step')
        .execute(),

    async isHidden(door, person) {
      const row = await db
        .selectFrom('person')
        .select('hidden')
        .where('person', '=', person)
        .where(isAt(door))
        .where('hidden', '=', 1)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    erasePerson: (door, person) =>
      db.transaction().execute(async (transaction) => {
        for (const tenant of await tenantsOf(transaction, door, person)) {
          await erasePerson(transaction, tenant, person);
        }
      }),

    async sweep(now, date) {
      await db.deleteFrom('action').where('expiresAt', '<=', now).execute();
      await db.deleteFrom('processedEvent').where('expiresAt', '<=', now).execute();
      await db.deleteFrom('game').where('expiresAt', '<=', now).execute();
      await db
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
      await db
        .deleteFrom('delivery')
        .where('date', '<', date)
        .where('state', 'not in', ['due', 'sending'])
        .execute();
    },
  };
}

function rowOf({
  tenant,
  channel,
  date,
  step,
  dueAt,
  priority = 0,
  detail,
  skip,
}: NewDelivery): DeliveryTable {
  const isSkipped = skip !== undefined;
  return {
    tenant,
    channel,
    date,
    step,
    door: doorOf(tenant),
    state: isSkipped ? 'skipped' : 'due',
    dueAt,
    nextAt: dueAt,
    priority,
    attempts: 0,
    owner: null,
    outcomeUnknown: 0,
    posted: null,
    reason: skip === undefined ? null : formatReason(skip),
    doneAt: isSkipped ? dueAt : null,
    detail: formatJson(detail),
  };
}

function byKey(a: DeliveryTable, b: DeliveryTable): number {
  for (const part of ['tenant', 'channel', 'date', 'step'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  return 0;
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

/** Everywhere that anything of this person's is kept. */
async function tenantsOf(db: Db, door: string, person: string): Promise<string[]> {
  const tenants = new Set<string>();
  for (const table of ['hint', 'result', 'person', 'gamePerson'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('tenant')
      .distinct()
      .where('person', '=', person)
      .where(isAt(door))
      .execute();
    for (const { tenant } of rows) tenants.add(tenant);
  }
  const typed = await db
    .selectFrom('handBoard')
    .select('tenant')
    .distinct()
    .where('typedBy', '=', person)
    .where(isAt(door))
    .execute();
  const set = await db
    .selectFrom('subscription')
    .select('tenant')
    .distinct()
    .where('setBy', '=', person)
    .where(isAt(door))
    .execute();
  for (const { tenant } of [...typed, ...set]) tenants.add(tenant);
  return [...tenants].sort();
}

function isAt(door: string) {
  const prefix = `${door}:`;
  return sql<SqlBool>`substr(${sql.ref('tenant')}, 1, ${sql.lit(prefix.length)}) = ${prefix}`;
}
