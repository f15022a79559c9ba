import { sql } from 'kysely';
import { type ChannelRef, DAY_KIND, type DatedKind, doorOf, type ThingKind } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { DatabaseEngine, Db } from '../schema.ts';
import {
  type Claim,
  claimDeliveries,
  type Delivery,
  type DeliveryKey,
  deliveryOf,
  KEY_COLUMNS,
  OPEN_STATES,
  PRIORITIES,
  type Priority,
  readyRows,
  UNFINISHED,
  woken,
} from './deliveries.ts';
import { chunksOf, formatJson, inChannels, valuesOf } from './rows.ts';

export type AllDeliveries = ReturnType<typeof allDeliveriesTable>;

/**
 * A delivery that is planned again must have the same key, to be the same row. For a thing, such as a made board, the date is
 * always the one on which it began, and the channel is `CHANNEL THING`, which ends with its id.
 */
type NewKey = Pick<DeliveryKey, 'tenant' | 'date'> &
  (
    | { readonly kind: DatedKind; readonly channel: string }
    | { readonly kind: ThingKind; readonly channel: `${string} ${string}` }
  );

export type NewDelivery = NewKey & NewTimes;

interface NewTimes {
  readonly dueAt: number;
  /** Days only. */
  readonly opensAt?: number;
  /** Deliveries of higher priority are claimed first; 0 by default. */
  readonly priority?: Priority;
  /** More that its handler needs, such as the board of a hunt's card. Only a reminder's names somebody: no other is erased. */
  readonly detail?: unknown;
}

/** Waiting deliveries of a door, and when the oldest of them was due. */
export interface Backlog {
  readonly door: string;
  readonly waiting: number;
  readonly oldestDueAt: number;
}

/** The deliveries of all tenants, for planning and claims, which serve every channel of a door. */
export function allDeliveriesTable(db: Db, engine: DatabaseEngine) {
  const backlogs = () =>
    db
      .selectFrom('delivery as waiting')
      .select(({ fn }) => ['door', fn.countAll<number>().as('waiting'), fn.min('dueAt').as('oldestDueAt')])
      .where(UNFINISHED)
      .groupBy('door')
      .orderBy('door');

  return {
    /** Stores what is due and returns the new rows. Existing rows stay as they are. */
    async plan(deliveries: readonly NewDelivery[]): Promise<DeliveryKey[]> {
      // Sorted, so that two processes planning at once can't deadlock.
      const planned = deliveries.map(rowOf).sort(byKey);
      const added: DeliveryKey[] = [];
      for (const some of chunksOf(planned)) {
        const values = some.map((row) => PLANNED_COLUMNS.map((column) => row[column]));
        // SQLite needs `where true`, or it could read `on conflict` as the condition of a join.
        const { rows } =
          await sql<DeliveryKey>`insert into delivery (${PLANNED}, state, claims, failures, begun, woken)
          select ${PLANNED_VALUES}, 'due', 0, 0, 0, 0 from ${valuesOf(engine, values)} where true
          on conflict do nothing returning ${KEY}`.execute(db);
        added.push(...rows);
      }
      return added;
    },

    /** Claims deliveries of one door that are ready, or whose lease has run out: highest priority first, then longest ready. */
    async claim(door: string, limit: number, claim: Claim): Promise<Delivery[]> {
      const rows = db.selectFrom('delivery').where('door', '=', door);
      // Doors look every second, nearly always in vain: then nothing is locked.
      const ready = readyRows(rows, engine, claim.now, 1).select('door');
      if ((await ready.executeTakeFirst()) === undefined) return [];
      return claimDeliveries({ db, engine }, rows, limit, claim);
    },

    /**
     * Makes the days of these channels due now, for when something has changed on which their next moment depends. Days that
     * are over stay so, and retries keep their pauses.
     */
    async wake(channels: readonly ChannelRef[], now: number): Promise<void> {
      if (channels.length === 0) return;
      await db
        .updateTable('delivery')
        .set(woken(now))
        .where(inChannels(engine, channels))
        .where('kind', '=', DAY_KIND)
        .where('state', 'in', OPEN_STATES)
        .execute();
    },

    /** Makes due deliveries ready now whose pause or lease ends after `after`: a clock was ahead, or an outage is over. */
    async releaseStuck(now: number, after: number): Promise<void> {
      await db
        .updateTable('delivery')
        .set({ nextAt: now })
        .where(UNFINISHED)
        .where('dueAt', '<=', now)
        .where('nextAt', '>', after)
        .execute();
    },

    /** Makes days from a date on due if they ended, or were opened, at a moment still to come: by a clock that was ahead. */
    async reopen(now: number, from: PuzzleDate): Promise<void> {
      await db
        .updateTable('delivery')
        .set({ state: 'due', nextAt: now, doneAt: null, reason: null })
        .where('date', '>=', from)
        .where('kind', '=', DAY_KIND)
        .where(({ or, and, eb }) =>
          or([
            eb('doneAt', '>', now),
            // One that is being sent is left to its sender.
            and([eb('openedAt', '>', now), eb('state', 'in', ['waiting', 'due'])]),
          ]),
        )
        .execute();
    },

    /** The days of some channels from a date on, the oldest first. */
    async days(channels: readonly ChannelRef[], from: PuzzleDate): Promise<Delivery[]> {
      if (channels.length === 0) return [];
      const days = db.selectFrom('delivery').selectAll().where(inChannels(engine, channels));
      const rows = await days
        .where('date', '>=', from)
        .where('kind', '=', DAY_KIND)
        .orderBy('date')
        .execute();
      return rows.map(deliveryOf);
    },

    /** The channel whose day has the earliest next moment, which may be a retry or the end of a lease. */
    async nextDay(): Promise<ChannelRef | undefined> {
      const next = db.selectFrom('delivery').select(['tenant', 'channel']).where(UNFINISHED);
      return next.where('kind', '=', DAY_KIND).orderBy('nextAt').limit(1).executeTakeFirst();
    },

    async ofDate(date: PuzzleDate): Promise<Delivery[]> {
      const rows = await db.selectFrom('delivery').selectAll().where('date', '=', date).execute();
      return rows.map(deliveryOf);
    },

    /**
     * Deliveries of each door that were ready before a moment and are not claimed, unless that door is delivering others: a
     * wave of openings takes time.
     */
    unclaimed(before: number, now: number): Promise<Backlog[]> {
      return backlogs()
        .where('nextAt', '<=', before)
        .where('state', '=', 'due')
        .where('failures', '=', 0)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('delivery as other')
                .select('other.door')
                .where(UNFINISHED)
                .where('other.nextAt', '>', now)
                .where('other.state', '=', 'sending')
                .whereRef('other.door', '=', 'waiting.door'),
            ),
          ),
        )
        .execute();
    },

    /**
     * Deliveries of each door that are due at a moment and unfinished, and when the oldest was due. Those that have a reason to
     * wait without a failure, such as a board that nobody has typed yet, are left out.
     */
    backlog: (now: number): Promise<Backlog[]> =>
      backlogs()
        .where('dueAt', '<=', now)
        .where(({ or, eb }) => or([eb('failures', '>', 0), eb('reason', 'is', null)]))
        .execute(),
  };
}

/** The columns whose values differ between new rows. `plan` sends these as lists of JSON, texts first, in this order. */
const PLANNED_TEXTS = [...KEY_COLUMNS, 'door', 'detail'] as const;
const PLANNED_NUMBERS = ['priority', 'dueAt', 'nextAt', 'opensAt'] as const;
const PLANNED_COLUMNS = [...PLANNED_TEXTS, ...PLANNED_NUMBERS];
const KEY = sql.join(KEY_COLUMNS.map((column) => sql.ref(column)));
const PLANNED = sql.join(PLANNED_COLUMNS.map((column) => sql.ref(column)));
const PLANNED_VALUES = sql.join(
  PLANNED_COLUMNS.map((_, at) =>
    at < PLANNED_TEXTS.length ? sql`value ->> ${sql.lit(at)}` : sql`cast(value ->> ${sql.lit(at)} as bigint)`,
  ),
);

/** A new row, as it is until its first claim. `plan` writes the same numbers for many. */
export function rowOf({ priority = PRIORITIES.other, opensAt, detail, ...planned }: NewDelivery) {
  const { tenant, dueAt } = planned;
  const door = doorOf(tenant);
  const begin = { state: 'due', claims: 0, failures: 0, begun: 0, woken: 0, owner: null } as const;
  const empty = { openedAt: null, record: null, reason: null, doneAt: null };
  const times = { nextAt: dueAt, priority, opensAt: opensAt ?? null };
  return { ...planned, ...begin, ...empty, ...times, door, detail: formatJson(detail) };
}

function byKey(a: DeliveryKey, b: DeliveryKey): number {
  const part = KEY_COLUMNS.find((column) => a[column] !== b[column]);
  return part === undefined ? 0 : a[part] < b[part] ? -1 : 1;
}
