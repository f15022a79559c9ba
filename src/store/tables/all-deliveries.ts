import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type ChannelRef, doorOf } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { type DatabaseEngine, type Db, formatReason, type Reason } from '../schema.ts';
import {
  type Claim,
  type ClaimedDelivery,
  claimDeliveries,
  type Delivery,
  type DeliveryKey,
  type DeliveryRows,
  KEY_COLUMNS,
  readyRows,
} from './deliveries.ts';
import { chunksOf, formatJson, inChannels, valuesOf } from './rows.ts';

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

  return {
    /** Stores what is due and returns the keys of new rows. Existing rows stay as they are. */
    async plan(deliveries: readonly NewDelivery[]): Promise<DeliveryKey[]> {
      // Sorted, so that two processes planning at once can't deadlock.
      const planned = deliveries.map(rowOf).sort(byKey);
      const added: DeliveryKey[] = [];
      for (const some of chunksOf(planned)) {
        const values = some.map((row) => PLANNED_COLUMNS.map((column) => row[column]));
        const { rows } = await sql<DeliveryKey>`insert into delivery (${PLANNED}, attempts, outcome_unknown)
          select ${PLANNED_VALUES}, 0, 0 from ${valuesOf(engine, values)} where true
          on conflict do nothing returning ${KEY}`.execute(db);
        for (const key of rows) added.push(key);
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
      return db
        .selectFrom('delivery')
        .select([...KEY_COLUMNS, 'state', 'doneAt'])
        .where(inChannels(engine, channels))
        .where('date', '>=', from)
        .where('step', 'in', steps)
        .execute();
    },

    /** The deliveries planned for a date, with their states. */
    steps: (date: PuzzleDate): Promise<StepState[]> =>
      db
        .selectFrom('delivery')
        .select([...KEY_COLUMNS, 'state', 'doneAt'])
        .where('date', '=', date)
        .execute(),

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
      return (
        db
          .selectFrom('delivery as waiting')
          .select(({ fn }) => [
            'door',
            fn.countAll<number>().as('waiting'),
            fn.min('dueAt').as('oldestDueAt'),
          ])
          // Written out, as in `readyRows`.
          .where(sql<SqlBool>`state in ('due', 'sending')`)
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
          .groupBy('door')
          .orderBy('door')
          .execute()
      );
    },

    /** Deliveries of each door that are due at a moment and unfinished, and when the oldest was due. */
    backlog(now: number): Promise<Backlog[]> {
      return db
        .selectFrom('delivery')
        .select(({ fn }) => ['door', fn.countAll<number>().as('waiting'), fn.min('dueAt').as('oldestDueAt')])
        .where(sql<SqlBool>`state in ('due', 'sending')`)
        .where('dueAt', '<=', now)
        .groupBy('door')
        .orderBy('door')
        .execute();
    },
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
