import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type ChannelRef, doorOf } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import {
  type Database,
  type DatabaseEngine,
  type Db,
  formatReason,
  parseReason,
  type Reason,
} from '../schema.ts';
import { chunksOf, formatJson, inChannels, isUpdated, parseJson, type TenantRows, valuesOf } from './rows.ts';
import { actionsTable } from './short-lived.ts';

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

const KEY_COLUMNS = ['tenant', 'channel', 'date', 'step'] as const;

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

  /** Claims those of a day's steps that are ready. */
  async function claimSteps(
    channel: string,
    date: PuzzleDate,
    steps: readonly string[],
    claim: Claim,
  ): Promise<ClaimedDelivery[]> {
    if (steps.length === 0) return [];
    const narrow = (ready: DeliveryRows) =>
      ready
        .where('tenant', '=', rows.tenant)
        .where('channel', '=', channel)
        .where('date', '=', date)
        .where('step', 'in', steps);
    return claimDeliveries(rows.db, { engine, narrow, limit: steps.length }, claim);
  }

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
      const [claimed] = await claimSteps(channel, date, [step], claim);
      return claimed;
    },

    claimSteps,

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

    /**
     * Makes a delivery that was given up or skipped due again.
     *
     * @param note a text for its next attempt, stored in the same transaction (see `actionsTable`)
     */
    makeDueAgain: (
      channel: string,
      date: PuzzleDate,
      step: string,
      nextAt: number,
      note?: Note,
    ): Promise<boolean> =>
      rows.transaction(async (within) => {
        const due = { state: 'due', nextAt, doneAt: null, reason: null } as const;
        const isRevived = await changeUnsent(within, { channel, date, step }, due);
        if (isRevived && note !== undefined)
          await actionsTable(within.db).put(note.key, note.text, note.expiresAt);
        return isRevived;
      }),

    /** Marks a delivery that was given up or skipped as sent, since somebody has seen it. */
    confirmSent: (channel: string, date: PuzzleDate, step: string, doneAt: number): Promise<boolean> =>
      changeUnsent(rows, { channel, date, step }, { state: 'sent', doneAt, reason: null }),
  };
}

/** A text under a key, until it expires. */
interface Note {
  readonly key: string;
  readonly text: string;
  readonly expiresAt: number;
}

/** Changes a delivery that was given up or skipped. False if it was not, or not any more. */
async function changeUnsent(
  rows: TenantRows,
  key: Omit<DeliveryKey, 'tenant'>,
  changed: Partial<Row>,
): Promise<boolean> {
  const updated = await rows
    .update('delivery', key)
    .set(changed)
    .where('state', 'in', ['given-up', 'skipped'])
    .executeTakeFirstOrThrow();
  return isUpdated(updated);
}

export type DeliveryRows = SelectQueryBuilder<Database, 'delivery', unknown>;

interface ClaimScope {
  readonly engine: DatabaseEngine;
  /** Adds conditions, such as the doors or the channel of the wanted deliveries. */
  readonly narrow: (rows: DeliveryRows) => DeliveryRows;
  readonly limit: number;
}

/** Deliveries that can be claimed at a moment: due ones, and those whose lease has run out. */
function readyRows(rows: DeliveryRows, now: number, limit: number): DeliveryRows {
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
async function claimDeliveries(
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

export type AllDeliveries = ReturnType<typeof allDeliveriesTable>;

export interface NewDelivery extends DeliveryKey {
  readonly dueAt: number;
  /** Deliveries of higher priority are claimed first; 0 by default. */
  readonly priority?: number;
  /** More that its handler needs to know, such as the board of a hunt's card. */
  readonly detail?: unknown;
  /** Stored as skipped, with this reason, instead of due. */
  readonly skip?: Reason;
}

type InsertedRow = DeliveryKey & Pick<Row, 'reason'>;

export interface AddedDelivery extends DeliveryKey {
  /** Why it was stored as skipped. */
  readonly skip: Reason | null;
}

/** Waiting deliveries of a door, and when the oldest of them was due. */
export interface Backlog {
  readonly door: string;
  readonly waiting: number;
  readonly oldestDueAt: number;
}

/** The state of one step of a day in a channel. */
export type StepState = DeliveryKey & Pick<Delivery, 'state' | 'doneAt'>;

/** The deliveries of all tenants, for planning and claims, which serve every channel of a door. */
export function allDeliveriesTable(db: Db, engine: DatabaseEngine) {
  // Doors look every second, nearly always in vain. Building the query each time took most of an idle bot's time.
  // The values here only take the places of those that `claim` gives, in the same order.
  const { parameters: _, ...look } = readyRows(db.selectFrom('delivery').where('door', '=', ''), 0, 1)
    .select('door')
    .compile();

  const states = () => db.selectFrom('delivery').select([...KEY_COLUMNS, 'state', 'doneAt']);

  const backlogs = () =>
    db
      .selectFrom('delivery as waiting')
      .select(({ fn }) => ['door', fn.countAll<number>().as('waiting'), fn.min('dueAt').as('oldestDueAt')])
      // Written out, as in `readyRows`.
      .where(sql<SqlBool>`state in ('due', 'sending')`)
      .groupBy('door')
      .orderBy('door');

  return {
    /** Stores what is due and returns the new rows. Existing rows stay as they are. */
    async plan(deliveries: readonly NewDelivery[]): Promise<AddedDelivery[]> {
      // Sorted, so that two processes planning at once can't deadlock.
      const planned = deliveries.map(rowOf).sort(byKey);
      const added: AddedDelivery[] = [];
      for (const some of chunksOf(planned)) {
        const values = some.map((row) => PLANNED_COLUMNS.map((column) => row[column]));
        const { rows } = await sql<InsertedRow>`insert into delivery (${PLANNED}, attempts, outcome_unknown)
          select ${PLANNED_VALUES}, 0, 0 from ${valuesOf(engine, values)} where true
          on conflict do nothing returning ${KEY}, reason`.execute(db);
        for (const { reason, ...key } of rows) added.push({ ...key, skip: parseReason(reason) });
      }
      return added;
    },

    /** Claims deliveries of one door that are ready, or whose lease has run out: highest priority first, then longest ready. */
    async claim(door: string, limit: number, claim: Claim): Promise<ClaimedDelivery[]> {
      const { rows } = await db.executeQuery({ ...look, parameters: [door, claim.now, 1] });
      if (rows.length === 0) return [];
      const narrow = (ready: DeliveryRows) => ready.where('door', '=', door);
      return claimDeliveries(db, { engine, narrow, limit }, claim);
    },

    /** Deliveries of one door that could be claimed now, in the order of claims. */
    ready(door: string, now: number, limit: number): Promise<DeliveryKey[]> {
      const ready = readyRows(db.selectFrom('delivery').where('door', '=', door), now, limit);
      return ready.select(KEY_COLUMNS).execute();
    },

    /**
     * Makes deliveries ready that are due by now, but wait or are leased until after a moment, as happens when the clock is
     * set back.
     */
    async releaseStuck(now: number, after: number): Promise<void> {
      await db
        .updateTable('delivery')
        .set({ nextAt: now })
        // Written out, as in `readyRows`.
        .where(sql<SqlBool>`state in ('due', 'sending')`)
        .where('dueAt', '<=', now)
        .where('nextAt', '>', after)
        .execute();
    },

    /**
     * Deletes deliveries from a date on that were planned as skipped at a moment still to come, as happens when the clock
     * was ahead. Deliveries that somebody worked on stay.
     */
    async deleteSkipped(now: number, from: PuzzleDate): Promise<void> {
      await db
        .deleteFrom('delivery')
        .where('date', '>=', from)
        .where('state', '=', 'skipped')
        .where('attempts', '=', 0)
        .where('dueAt', '>', now)
        .execute();
    },

    /** The states of these steps in some channels, from a date on. */
    async stepsIn(
      channels: readonly ChannelRef[],
      from: PuzzleDate,
      steps: readonly string[],
    ): Promise<StepState[]> {
      if (channels.length === 0) return [];
      return states()
        .where(inChannels(engine, channels))
        .where('date', '>=', from)
        .where('step', 'in', steps)
        .execute();
    },

    /** The deliveries planned for a date, with their states. */
    steps: (date: PuzzleDate): Promise<StepState[]> => states().where('date', '=', date).execute(),

    /** How many channels of a door open at a moment. */
    openingsAt: (door: string, dueAt: number): Promise<number> =>
      countOpenings(db, door, sql<SqlBool>`due_at = ${dueAt}`),

    /** How many channels of a door should be open by now, but are not. */
    openingsWaiting: (door: string, now: number): Promise<number> =>
      countOpenings(db, door, sql<SqlBool>`state in ('due', 'sending') and due_at <= ${now}`),

    /**
     * Deliveries of each door that were ready before a moment and have never been claimed, unless that door is delivering
     * others: a wave of openings takes time.
     */
    unclaimed(before: number, now: number): Promise<Backlog[]> {
      return backlogs()
        .where('nextAt', '<=', before)
        .where('state', '=', 'due')
        .where('attempts', '=', 0)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('delivery as other')
                .select('other.door')
                .where(sql<SqlBool>`other.state in ('due', 'sending')`)
                .where('other.nextAt', '>', now)
                .where('other.state', '=', 'sending')
                .whereRef('other.door', '=', 'waiting.door'),
            ),
          ),
        )
        .execute();
    },

    /** Deliveries of each door that are due at a moment and unfinished, and when the oldest was due. */
    backlog: (now: number): Promise<Backlog[]> => backlogs().where('dueAt', '<=', now).execute(),
  };
}

async function countOpenings(db: Db, door: string, which: RawBuilder<SqlBool>): Promise<number> {
  const { openings } = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('openings'))
    // Written out, as in `readyRows`.
    .where(sql<SqlBool>`step = 'opening'`)
    .where('door', '=', door)
    .where(which)
    .executeTakeFirstOrThrow();
  return openings;
}

/** The columns whose values differ between new rows. */
const PLANNED_TEXTS = [...KEY_COLUMNS, 'door', 'state', 'reason', 'detail'] as const;
const PLANNED_NUMBERS = ['priority', 'dueAt', 'nextAt', 'doneAt'] as const;
const PLANNED_COLUMNS = [...PLANNED_TEXTS, ...PLANNED_NUMBERS];
const KEY = sql.join(KEY_COLUMNS.map((column) => sql.ref(column)));
const PLANNED = sql.join(PLANNED_COLUMNS.map((column) => sql.ref(column)));
const PLANNED_VALUES = sql.join(
  PLANNED_COLUMNS.map((_, at) =>
    at < PLANNED_TEXTS.length ? sql`value ->> ${sql.lit(at)}` : sql`cast(value ->> ${sql.lit(at)} as bigint)`,
  ),
);

function rowOf({ priority = 0, detail, skip, ...planned }: NewDelivery) {
  const { tenant, dueAt } = planned;
  return {
    ...planned,
    door: doorOf(tenant),
    state: skip === undefined ? 'due' : 'skipped',
    nextAt: dueAt,
    priority,
    reason: skip === undefined ? null : formatReason(skip),
    doneAt: skip === undefined ? null : dueAt,
    detail: formatJson(detail),
  };
}

function byKey(a: DeliveryKey, b: DeliveryKey): number {
  const part = KEY_COLUMNS.find((column) => a[column] !== b[column]);
  return part === undefined ? 0 : a[part] < b[part] ? -1 : 1;
}
