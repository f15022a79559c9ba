import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { DAY_KIND } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Database, DatabaseEngine, Db, Reason } from '../schema.ts';
import { formatJson, formatReason, parseJson, parseReason, type TenantRows } from './rows.ts';

export type Deliveries = ReturnType<typeof deliveriesTable>;

type Row = Database['delivery'];

/** The unique key of a row: there is one, even if several processes plan it, or plan it often. */
export type DeliveryKey = Readonly<Pick<Row, 'tenant' | 'channel' | 'date' | 'kind'>>;

export interface Delivery
  extends Readonly<Omit<Row, 'door' | 'begun' | 'woken' | 'record' | 'reason' | 'detail'>> {
  readonly begun: boolean;
  readonly record: unknown;
  readonly reason: Reason | null;
  readonly detail: unknown;
}

/** The right to work on a delivery: its row as it was claimed. It is lost only to another claim, after `nextAt`. */
export type Lease = Pick<Delivery, keyof DeliveryKey | 'owner' | 'claims'>;

export interface Claim {
  /** Names the process, for people who read the table. */
  readonly owner: string;
  readonly now: number;
  /** End of the lease. */
  readonly until: number;
}

/** What the end of an attempt stores. `record` is stored as JSON. */
export interface Settled {
  readonly state: Exclude<Row['state'], 'sending'>;
  /** For a row that is due again. */
  readonly dueAt?: number;
  readonly nextAt?: number;
  readonly priority?: Priority;
  readonly failures?: number;
  readonly openedAt?: number | undefined;
  readonly doneAt?: number;
  readonly begun?: boolean;
  readonly reason?: Reason | null;
  readonly record: unknown;
}

/** An opening is claimed first, then posts in threads that people wait for. */
export const PRIORITIES = { opening: 2, step: 1, other: 0 } as const;
export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES];

export const KEY_COLUMNS = ['tenant', 'channel', 'date', 'kind'] as const;

export function deliveryOf({ door: _, woken: _woken, ...row }: Row): Delivery {
  return {
    ...row,
    begun: row.begun === 1,
    record: parseJson(row.record),
    reason: parseReason(row.reason),
    detail: parseJson(row.detail),
  };
}

/** The deliveries of one tenant. A change under a lease does nothing and returns false once another claim has the delivery. */
export function deliveriesTable(rows: TenantRows, engine: DatabaseEngine) {
  function change(
    { channel, date, kind, owner, claims }: Lease,
    changed: Partial<Row>,
    more: { woken?: 0 } = {},
  ) {
    const leased = { channel, date, kind, state: 'sending', owner: owner ?? '', claims, ...more } as const;
    return rows.change('delivery', leased, changed);
  }

  const days = (channel: string) => rows.select('delivery', { channel, kind: DAY_KIND });
  /** Days whose threads were opened, or may have been. */
  const begunDays = (channel: string) =>
    days(channel).where(({ or, eb }) => or([eb('openedAt', 'is not', null), eb('begun', '=', 1)]));

  async function get(channel: string, date: PuzzleDate, kind: string): Promise<Delivery | undefined> {
    const row = await rows.select('delivery', { channel, date, kind }).selectAll().executeTakeFirst();
    return row && deliveryOf(row);
  }

  return {
    get,

    /** A channel's day. */
    day: (channel: string, date: PuzzleDate): Promise<Delivery | undefined> => get(channel, date, DAY_KIND),

    /** The last days of a channel before a date whose threads were opened, newest first. */
    async lastOpened(channel: string, before: PuzzleDate, limit: number): Promise<Delivery[]> {
      const opened = days(channel).selectAll().where('date', '<', before).where('openedAt', 'is not', null);
      return (await opened.orderBy('date', 'desc').limit(limit).execute()).map(deliveryOf);
    },

    /** The last day of each channel with a subscription whose thread was opened, unless its last message was sent. */
    async openThreads(): Promise<Delivery[]> {
      const opened = await rows
        .select('delivery', { kind: DAY_KIND })
        .selectAll()
        // Skips from channel to channel by the table's key, since each has many rows.
        .where(
          sql<SqlBool>`(channel, date) in (
            select s.channel, (
              select d.date from delivery as d
              where d.tenant = s.tenant and d.channel = s.channel and d.kind = ${DAY_KIND} and d.opened_at is not null
              order by d.date desc limit 1
            ) from subscription as s where s.tenant = ${rows.tenant}
          )`,
        )
        .where('state', '<>', 'sent')
        .orderBy('channel')
        .execute();
      return opened.map(deliveryOf);
    },

    /** The days of a channel before a date whose threads were opened, or may have been, newest first. */
    async datesOpened(channel: string, before: PuzzleDate, limit: number): Promise<PuzzleDate[]> {
      const found = begunDays(channel).select('date').where('date', '<', before).orderBy('date', 'desc');
      return (await found.limit(limit).execute()).map(({ date }) => date);
    },

    /**
     * The opening time of the earliest later day whose thread was opened, or may have been. It is in the future only if a
     * clock was ahead when that thread opened.
     */
    async nextThreadAt(channel: string, date: PuzzleDate): Promise<number | undefined> {
      const later = begunDays(channel).select('opensAt').where('date', '>', date).orderBy('date').limit(1);
      const next = await later.executeTakeFirst();
      return next?.opensAt ?? undefined;
    },

    /** Claims one delivery if it is ready. */
    async claim(
      { channel, date, kind }: Omit<DeliveryKey, 'tenant'>,
      claim: Claim,
    ): Promise<Delivery | undefined> {
      const row = rows.select('delivery', { channel, date, kind });
      const [claimed] = await claimDeliveries({ db: rows.db, engine }, row, 1, claim);
      return claimed;
    },

    /**
     * Extends the lease; also the last check before sending that the delivery is still ours.
     *
     * @param begun stores also that a post begins, with what is noted of it
     */
    renew: (lease: Lease, until: number, begun?: { readonly record: unknown }): Promise<boolean> =>
      change(lease, { nextAt: until, ...(begun && { begun: 1, record: formatJson(begun.record) }) }),

    /** Stores the end of an attempt. A day that was woken meanwhile is looked at again, at `now`. */
    async settle(lease: Lease, settled: Settled, now: number): Promise<boolean> {
      const { record, begun = false, reason = null, failures = 0, ...values } = settled;
      const changed: Partial<Row> = {
        ...values,
        failures,
        owner: null,
        begun: begun ? 1 : 0,
        record: formatJson(record),
        reason: reason && formatReason(reason),
      };
      const mayGoOn = settled.state === 'due' || settled.state === 'waiting';
      if (!mayGoOn || failures > 0) return change(lease, changed);
      if (await change(lease, changed, { woken: 0 })) return true;
      return change(lease, { ...changed, state: 'due', dueAt: now, nextAt: now });
    },

    /**
     * Makes a delivery that waits for a later moment due at this one. One that a process works on is done again after that, and a
     * retry keeps its pause.
     */
    async bringForward({ channel, date, kind }: Omit<DeliveryKey, 'tenant'>, nextAt: number): Promise<void> {
      const key = { channel, date, kind } as const;
      if (await rows.change('delivery', { ...key, state: 'sending' }, { woken: 1 })) return;
      await rows.change(
        'delivery',
        { ...key, state: 'due', failures: 0 },
        { dueAt: nextAt, nextAt },
        (later) => later.where('nextAt', '>', nextAt),
      );
    },

    /** Wakes the days of a channel before a date, see `wake`. */
    async wakeBefore(channel: string, date: PuzzleDate, now: number): Promise<void> {
      const earlier = rows.update('delivery', { channel, kind: DAY_KIND }).where('date', '<', date);
      await earlier.set(woken(now)).where('state', 'in', OPEN_STATES).execute();
    },

    /** Skips a delivery that nobody is working on, without a lease. */
    skipDue(
      { channel, date, kind }: Omit<DeliveryKey, 'tenant'>,
      reason: Reason,
      doneAt: number,
    ): Promise<boolean> {
      const skipped = { state: 'skipped', doneAt, reason: formatReason(reason) } as const;
      return rows.change('delivery', { channel, date, kind, state: 'due' }, skipped);
    },

    /** Makes a delivery that was given up or skipped due again. */
    revive({ channel, date, kind }: Omit<DeliveryKey, 'tenant'>, nextAt: number): Promise<boolean> {
      const due = { state: 'due', nextAt, doneAt: null, reason: null } as const;
      return rows.change('delivery', { channel, date, kind }, due, (ended) =>
        ended.where('state', 'in', ['given-up', 'skipped']),
      );
    },

    /**
     * Changes the record of a day that nobody is working on, and makes it due. False if it has changed since it was read.
     *
     * @param begun by default, a message in doubt stays so
     */
    async reviseDay(
      read: Delivery,
      record: unknown,
      { now, begun = isInDoubt(read) }: { readonly now: number; readonly begun?: boolean },
    ): Promise<boolean> {
      const { channel, date, claims, state } = read;
      if (state === 'sending') return false;
      const key = { channel, date, kind: DAY_KIND, claims, state };
      const dueNow = { state: 'due', dueAt: now, nextAt: now, doneAt: null, reason: null } as const;
      // With another number of claims, nobody who read the row before can change it.
      const revised = { claims: claims + 1, begun: begun ? 1 : 0, failures: 0 } as const;
      return rows.change('delivery', key, { ...dueNow, ...revised, record: formatJson(record) });
    },
  };
}

/** Whether a message was begun that has no end yet. A row that was given up may keep `begun`, for `revive`. */
export function isInDoubt({ begun, doneAt }: Delivery): boolean {
  return begun && doneAt === null;
}

export const OPEN_STATES = ['waiting', 'due', 'sending'] as const;

/** The changes that wake a day. If a process works on it, it is looked at again after that. */
export function woken(now: number) {
  const isIdle = sql<SqlBool>`(delivery.state = 'waiting' or (delivery.state = 'due' and delivery.failures = 0))`;
  return {
    woken: sql<0 | 1>`case when delivery.state = 'sending' then 1 else 0 end`,
    state: sql<Row['state']>`case when ${isIdle} then 'due' else delivery.state end`,
    dueAt: sql<number>`case when ${isIdle} then ${now} else delivery.due_at end`,
    nextAt: sql<number>`case when ${isIdle} then ${now} else delivery.next_at end`,
  };
}

type DeliveryRows = SelectQueryBuilder<Database, 'delivery', unknown>;

/** The engines choose the partial index of ready rows only if these states are written out. */
export const UNFINISHED = sql<SqlBool>`state in ('due', 'sending')`;

/** Deliveries that can be claimed at a moment: due ones, and those whose lease has run out. */
export function readyRows(
  rows: DeliveryRows,
  engine: DatabaseEngine,
  now: number,
  limit: number,
): DeliveryRows {
  return (
    rows
      .where(UNFINISHED)
      .where('nextAt', '<=', now)
      // With the list of all priorities, SQLite seeks in the index for each, instead of also reading all rows due later.
      .$if(engine === 'sqlite', (select) => select.where('priority', 'in', Object.values(PRIORITIES)))
      .orderBy('priority', 'desc')
      .orderBy('nextAt')
      .limit(limit)
  );
}

/** Claims those of some rows that are ready, in one statement. */
export async function claimDeliveries(
  { db, engine }: { readonly db: Db; readonly engine: DatabaseEngine },
  some: DeliveryRows,
  limit: number,
  { owner, now, until }: Claim,
): Promise<Delivery[]> {
  const rows = await db
    .with('picked', () =>
      readyRows(some, engine, now, limit)
        .select(KEY_COLUMNS)
        // Other processes take the next rows instead of waiting for these. SQLite has one writer at a time.
        .$if(engine === 'postgres', (select) => select.forUpdate().skipLocked()),
    )
    .updateTable('delivery')
    .set((row) => ({ state: 'sending', owner, nextAt: until, woken: 0, claims: row('claims', '+', 1) }))
    .where(sql<SqlBool>`(tenant, channel, date, kind) in (select * from picked)`)
    .returningAll()
    .execute();
  // An update returns its rows in no particular order.
  return rows.map(deliveryOf).sort((a, b) => b.priority - a.priority || a.dueAt - b.dueAt);
}
