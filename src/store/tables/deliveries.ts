import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { PuzzleDate } from '../../core/clock.ts';
import {
  type Database,
  type DatabaseEngine,
  type Db,
  type DeliveryState,
  type DeliveryTable,
  formatReason,
  parseReason,
  type Reason,
} from '../schema.ts';
import { formatJson, isUpdated, parseJson, type TenantRows } from './rows.ts';

export type Deliveries = ReturnType<typeof deliveriesTable>;

/** The unique key of a post: it has one row, even if several processes plan it, or plan it often. */
export interface DeliveryKey {
  readonly tenant: string;
  readonly channel: string;
  readonly date: PuzzleDate;
  readonly step: string;
}

export interface Delivery extends DeliveryKey {
  readonly state: DeliveryState;
  readonly dueAt: number;
  /** Nobody claims it before this moment: the next attempt of a due one, or the end of the lease of one being sent. */
  readonly nextAt: number;
  readonly priority: number;
  readonly attempts: number;
  /** The process that works on it; null while it waits and when it is over. */
  readonly owner: string | null;
  /** An attempt ended without an answer: look on the platform before sending again. */
  readonly outcomeUnknown: boolean;
  /** The platform's ids of what was posted so far. */
  readonly posted: unknown;
  readonly reason: Reason | null;
  /** When it was sent, given up or skipped. */
  readonly doneAt: number | null;
  readonly detail: unknown;
}

/** The right to work on a delivery. It is lost only to another claim, after `nextAt`. */
export interface Lease extends DeliveryKey {
  readonly owner: string;
  readonly attempt: number;
}

export interface ClaimedDelivery {
  readonly delivery: Delivery;
  readonly lease: Lease;
}

export interface Claim {
  /** Names the process, for people who read the table. */
  readonly owner: string;
  readonly now: number;
  /** End of the lease. */
  readonly until: number;
}

export const KEY_COLUMNS = ['tenant', 'channel', 'date', 'step'] as const;
/** Listed one by one: SQLite returns no `table.*` from an update. */
export const DELIVERY_COLUMNS = [
  ...KEY_COLUMNS,
  'state',
  'dueAt',
  'nextAt',
  'priority',
  'attempts',
  'owner',
  'outcomeUnknown',
  'posted',
  'reason',
  'doneAt',
  'detail',
] as const satisfies readonly (keyof DeliveryTable)[];

type DeliveryRow = Pick<DeliveryTable, (typeof DELIVERY_COLUMNS)[number]>;

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    ...row,
    outcomeUnknown: row.outcomeUnknown === 1,
    posted: parseJson(row.posted),
    reason: parseReason(row.reason),
    detail: parseJson(row.detail),
  };
}

function claimedOf(row: DeliveryRow): ClaimedDelivery {
  const { tenant, channel, date, step, owner, attempts } = row;
  if (owner === null) throw new Error(`claimed without an owner: ${tenant} ${channel} ${date} ${step}`);
  return { delivery: deliveryOf(row), lease: { tenant, channel, date, step, owner, attempt: attempts } };
}

/** The deliveries of one tenant. A change under a lease does nothing and returns false once another claim has the delivery. */
export function deliveriesTable(rows: TenantRows, engine: DatabaseEngine) {
  /** Every claim adds an attempt, so a lease matches only its own claim. */
  const change = (
    { channel, date, step, owner, attempt: attempts }: Lease,
    changed: Partial<DeliveryTable>,
  ): Promise<boolean> =>
    rows.change('delivery', { channel, date, step, state: 'sending', owner, attempts }, changed);

  return {
    async get(channel: string, date: PuzzleDate, step: string): Promise<Delivery | undefined> {
      const query = rows.select('delivery', { channel, date, step }).select(DELIVERY_COLUMNS);
      const row = await query.executeTakeFirst();
      return row && deliveryOf(row);
    },

    /** All steps of a channel and day, in the order they were due. */
    async ofDay(channel: string, date: PuzzleDate): Promise<Delivery[]> {
      const query = rows.select('delivery', { channel, date }).select(DELIVERY_COLUMNS);
      return (await query.orderBy('dueAt').orderBy('step').execute()).map(deliveryOf);
    },

    /** The last ones before a date that were sent, newest first. */
    async lastSent(channel: string, step: string, before: PuzzleDate, limit: number): Promise<Delivery[]> {
      const query = rows.select('delivery', { channel, step, state: 'sent' }).select(DELIVERY_COLUMNS);
      const sent = query.where('date', '<', before).orderBy('date', 'desc').limit(limit);
      return (await sent.execute()).map(deliveryOf);
    },

    /** The last opening of each channel with a subscription, unless its thread was closed since. */
    async openThreads(): Promise<Delivery[]> {
      const opened = await rows
        .select('delivery', { step: 'opening', state: 'sent' })
        .select(DELIVERY_COLUMNS)
        // Skips from channel to channel by the table's key, since each has many rows.
        .where(
          sql<SqlBool>`(channel, date) in (
            select s.channel, (
              select d.date from delivery as d
              where d.tenant = s.tenant and d.channel = s.channel and d.step = 'opening' and d.state = 'sent'
              order by d.date desc limit 1
            ) from subscription as s where s.tenant = ${rows.tenant}
          )`,
        )
        .where(
          sql<SqlBool>`not exists (
            select 1 from delivery as d
            where d.tenant = delivery.tenant and d.channel = delivery.channel and d.date = delivery.date
              and d.step = 'closing' and d.state = 'sent'
          )`,
        )
        .orderBy('channel')
        .execute();
      return opened.map(deliveryOf);
    },

    /** The days before a date on which this step was posted in a channel, or may have been, newest first. */
    async datesOf(channel: string, step: string, before: PuzzleDate, limit: number): Promise<PuzzleDate[]> {
      const found = await rows
        .select('delivery', { channel, step })
        .select('date')
        .where('date', '<', before)
        .where((where) => where.or([where('state', '=', 'sent'), where('outcomeUnknown', '=', 1)]))
        .orderBy('date', 'desc')
        .limit(limit)
        .execute();
      return found.map(({ date }) => date);
    },

    /** Claims one delivery if it is ready. */
    async claim(
      channel: string,
      date: PuzzleDate,
      step: string,
      claim: Claim,
    ): Promise<ClaimedDelivery | undefined> {
      const narrow = (ready: DeliveryRows) =>
        ready
          .where('tenant', '=', rows.tenant)
          .where('channel', '=', channel)
          .where('date', '=', date)
          .where('step', '=', step);
      const [claimed] = await claimDeliveries(rows.db, { engine, narrow, limit: 1 }, claim);
      return claimed;
    },

    /** Extends the lease; also the last check before sending that the delivery is still ours. */
    renew: (lease: Lease, until: number): Promise<boolean> => change(lease, { nextAt: until }),

    /** Stores what was posted so far. */
    savePosted: (lease: Lease, posted: unknown): Promise<boolean> =>
      change(lease, { posted: formatJson(posted) }),

    markSent: (lease: Lease, posted: unknown, doneAt: number): Promise<boolean> =>
      change(lease, { state: 'sent', doneAt, reason: null, posted: formatJson(posted), owner: null }),

    /** Schedules another attempt. */
    retry(lease: Lease, nextAt: number, outcome: { unknown: boolean; reason: Reason }): Promise<boolean> {
      const outcomeUnknown = outcome.unknown ? 1 : 0;
      const reason = formatReason(outcome.reason);
      return change(lease, { state: 'due', owner: null, nextAt, outcomeUnknown, reason });
    },

    /** Moves the delivery to another time, which becomes its due time. */
    reschedule: (lease: Lease, dueAt: number): Promise<boolean> =>
      change(lease, { state: 'due', owner: null, dueAt, nextAt: dueAt }),

    /** Makes a delivery that waits for a later moment due at this one. */
    async bringForward(
      { channel, date, step }: Omit<DeliveryKey, 'tenant'>,
      nextAt: number,
    ): Promise<boolean> {
      const updated = await rows
        .update('delivery', { channel, date, step, state: 'due' })
        .set({ dueAt: nextAt, nextAt })
        .where('nextAt', '>', nextAt)
        .executeTakeFirstOrThrow();
      return isUpdated(updated);
    },

    giveUp: (lease: Lease, reason: Reason, doneAt: number): Promise<boolean> =>
      change(lease, { state: 'given-up', doneAt, reason: formatReason(reason), owner: null }),

    skip: (lease: Lease, reason: Reason, doneAt: number): Promise<boolean> =>
      change(lease, { state: 'skipped', doneAt, reason: formatReason(reason), owner: null }),

    /** Skips a delivery that nobody is working on, without a lease. */
    skipDue(
      { channel, date, step }: Omit<DeliveryKey, 'tenant'>,
      reason: Reason,
      doneAt: number,
    ): Promise<boolean> {
      const skipped = { state: 'skipped', doneAt, reason: formatReason(reason) } as const;
      return rows.change('delivery', { channel, date, step, state: 'due' }, skipped);
    },

    /** Makes a delivery that was given up or skipped due again. */
    async makeDueAgain(channel: string, date: PuzzleDate, step: string, nextAt: number): Promise<boolean> {
      const revived = await rows
        .update('delivery', { channel, date, step })
        .set({ state: 'due', nextAt, doneAt: null, reason: null })
        .where('state', 'in', ['given-up', 'skipped'])
        .executeTakeFirstOrThrow();
      return isUpdated(revived);
    },
  };
}

export type DeliveryRows = SelectQueryBuilder<Database, 'delivery', unknown>;

interface ClaimScope {
  readonly engine: DatabaseEngine;
  /** Adds conditions, such as the doors or the channel of the wanted deliveries. */
  readonly narrow: (rows: DeliveryRows) => DeliveryRows;
  readonly limit: number;
}

/** Deliveries that can be claimed at a moment: due ones, and those whose lease has run out. */
export function readyRows(rows: DeliveryRows, now: number, limit: number): DeliveryRows {
  return (
    rows
      // Written out, since the engines choose the partial index of ready rows only if they see these states.
      .where(sql<boolean>`state in ('due', 'sending')`)
      .where('nextAt', '<=', now)
      .orderBy('priority', 'desc')
      .orderBy('nextAt')
      .limit(limit)
  );
}

/**
 * Claims ready deliveries, in one statement. If a lease ran out, nobody knows whether its owner had sent the post, so the
 * row comes back with an unknown outcome.
 */
export async function claimDeliveries(
  db: Db,
  { engine, narrow, limit }: ClaimScope,
  { owner, now, until }: Claim,
): Promise<ClaimedDelivery[]> {
  const rows = await db
    .with('picked', (query) =>
      readyRows(narrow(query.selectFrom('delivery')), now, limit)
        .select(['tenant as ofTenant', 'channel as ofChannel', 'date as ofDate', 'step as ofStep'])
        // Other processes take the next rows instead of waiting for these. SQLite has one writer at a time.
        .$if(engine === 'postgres', (select) => select.forUpdate().skipLocked()),
    )
    .updateTable('delivery')
    .from('picked')
    .set((row) => ({
      state: 'sending',
      owner,
      nextAt: until,
      attempts: row('attempts', '+', 1),
      outcomeUnknown: row
        .case()
        .when('state', '=', 'sending')
        .then(sql<1>`1`)
        .else(row.ref('outcomeUnknown'))
        .end(),
    }))
    .whereRef('tenant', '=', 'ofTenant')
    .whereRef('channel', '=', 'ofChannel')
    .whereRef('date', '=', 'ofDate')
    .whereRef('step', '=', 'ofStep')
    .returning(DELIVERY_COLUMNS)
    .execute();
  // An update returns its rows in no particular order.
  return rows
    .map(claimedOf)
    .sort(({ delivery: a }, { delivery: b }) => b.priority - a.priority || a.dueAt - b.dueAt);
}
