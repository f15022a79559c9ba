import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { PuzzleDate } from '../../core/clock.ts';
import {
  type Database,
  type DatabaseEngine,
  type Db,
  formatReason,
  parseReason,
  type Reason,
} from '../schema.ts';
import { formatJson, isUpdated, parseJson, type TenantRows } from './rows.ts';

export type Deliveries = ReturnType<typeof deliveriesTable>;

type Row = Database['delivery'];

/** The unique key of a post: it has one row, even if several processes plan it, or plan it often. */
export type DeliveryKey = Readonly<Pick<Row, 'tenant' | 'channel' | 'date' | 'step'>>;

export interface Delivery
  extends Readonly<Omit<Row, 'door' | 'outcomeUnknown' | 'posted' | 'reason' | 'detail'>> {
  readonly outcomeUnknown: boolean;
  readonly posted: unknown;
  readonly reason: Reason | null;
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

export function deliveryOf({ door: _, ...row }: Row): Delivery {
  return {
    ...row,
    outcomeUnknown: row.outcomeUnknown === 1,
    posted: parseJson(row.posted),
    reason: parseReason(row.reason),
    detail: parseJson(row.detail),
  };
}

function claimedOf(row: Row): ClaimedDelivery {
  const { tenant, channel, date, step, owner, attempts } = row;
  if (owner === null) throw new Error(`claimed without an owner: ${tenant} ${channel} ${date} ${step}`);
  return { delivery: deliveryOf(row), lease: { tenant, channel, date, step, owner, attempt: attempts } };
}

/** The deliveries of one tenant. A change under a lease does nothing and returns false once another claim has the delivery. */
export function deliveriesTable(rows: TenantRows, engine: DatabaseEngine) {
  /** Every claim adds an attempt, so a lease matches only its own claim. */
  const change = (
    { channel, date, step, owner, attempt: attempts }: Lease,
    changed: Partial<Row>,
  ): Promise<boolean> =>
    rows.change('delivery', { channel, date, step, state: 'sending', owner, attempts }, changed);

  return {
    async get(channel: string, date: PuzzleDate, step: string): Promise<Delivery | undefined> {
      const query = rows.select('delivery', { channel, date, step }).selectAll();
      const row = await query.executeTakeFirst();
      return row && deliveryOf(row);
    },

    /** All steps of a channel and day, in the order they were due. */
    async ofDay(channel: string, date: PuzzleDate): Promise<Delivery[]> {
      const query = rows.select('delivery', { channel, date }).selectAll();
      return (await query.orderBy('dueAt').orderBy('step').execute()).map(deliveryOf);
    },

    /** The last ones before a date that were sent, newest first. */
    async lastSent(channel: string, step: string, before: PuzzleDate, limit: number): Promise<Delivery[]> {
      const query = rows.select('delivery', { channel, step, state: 'sent' }).selectAll();
      const sent = query.where('date', '<', before).orderBy('date', 'desc').limit(limit);
      return (await sent.execute()).map(deliveryOf);
    },

    /** The last opening of each channel with a subscription, unless its thread was closed since. */
    async openThreads(): Promise<Delivery[]> {
      const opened = await rows
        .select('delivery', { step: 'opening', state: 'sent' })
        .selectAll()
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
        .select(KEY_COLUMNS)
        // Other processes take the next rows instead of waiting for these. SQLite has one writer at a time.
        .$if(engine === 'postgres', (select) => select.forUpdate().skipLocked()),
    )
    .updateTable('delivery')
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
    .where(sql<SqlBool>`(tenant, channel, date, step) in (select * from picked)`)
    .returningAll()
    .execute();
  // An update returns its rows in no particular order.
  return rows
    .map(claimedOf)
    .sort(({ delivery: a }, { delivery: b }) => b.priority - a.priority || a.dueAt - b.dueAt);
}
