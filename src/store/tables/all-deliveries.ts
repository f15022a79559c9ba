import { type SqlBool, sql } from 'kysely';
import { doorOf } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { formatReason } from '../reasons.ts';
import type { DatabaseEngine, Db, DeliveryTable } from '../schema.ts';
import { claimDeliveries } from './claim.ts';
import type { Claim, ClaimedDelivery, Delivery, DeliveryKey, NewDelivery } from './delivery-row.ts';
import { chunksOf, formatJson } from './rows.ts';

/** How far one step of a day is in a channel. */
export type StepState = DeliveryKey & Pick<Delivery, 'state' | 'doneAt'>;

/** The deliveries of all tenants: those who plan and claim them serve every channel of a door. */
export interface AllDeliveries {
  /** Stores what is due and returns the keys of new rows. Rows that exist already stay as they are. */
  plan(deliveries: readonly NewDelivery[]): Promise<DeliveryKey[]>;
  /** Claims deliveries of one door that are ready, or whose lease has run out: highest priority first, then longest ready. */
  claim(door: string, limit: number, claim: Claim): Promise<ClaimedDelivery[]>;
  /** Deliveries of one door that could be claimed now, in the order of claims. */
  ready(door: string, now: number, limit: number): Promise<DeliveryKey[]>;
  /** Makes what was due by now, but waits or is leased until after a moment, ready now: for a clock that was set back. */
  hasten(now: number, after: number): Promise<void>;
  /**
   * Deletes what was planned as skipped, from a date on, at a moment that is still to come: by a clock that was ahead.
   * What was worked on stays.
   */
  forgetSkipped(now: number, from: PuzzleDate): Promise<void>;
  /** What was planned for a date, and the state of each: only of these steps, if they are named. */
  steps(date: PuzzleDate, steps?: readonly string[]): Promise<StepState[]>;
  /** Deliveries of each door that are due at a moment and unfinished, and when the oldest was due. */
  backlog(now: number): Promise<{ door: string; waiting: number; oldestDueAt: number }[]>;
}

export class SqlAllDeliveries implements AllDeliveries {
  readonly #db: Db;
  readonly #engine: DatabaseEngine;

  constructor(db: Db, engine: DatabaseEngine) {
    this.#db = db;
    this.#engine = engine;
  }

  async hasten(now: number, after: number): Promise<void> {
    await this.#db
      .updateTable('delivery')
      .set({ nextAt: now })
      .where('state', 'in', ['due', 'sending'])
      .where('dueAt', '<=', now)
      .where('nextAt', '>', after)
      .execute();
  }

  async forgetSkipped(now: number, from: PuzzleDate): Promise<void> {
    await this.#db
      .deleteFrom('delivery')
      .where('date', '>=', from)
      .where('state', '=', 'skipped')
      .where('attempts', '=', 0)
      .where('dueAt', '>', now)
      .execute();
  }

  async plan(deliveries: readonly NewDelivery[]): Promise<DeliveryKey[]> {
    // In one order everywhere, so that two processes planning at once never wait for each other in a ring.
    const rows = deliveries.map(rowOf).sort(byKey);
    const added: DeliveryKey[] = [];
    for (const values of chunksOf(rows)) {
      const keys = await this.#db
        .insertInto('delivery')
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .returning(['tenant', 'channel', 'date', 'step'])
        .execute();
      for (const key of keys) added.push(key);
    }
    return added;
  }

  claim(door: string, limit: number, claim: Claim): Promise<ClaimedDelivery[]> {
    return claimDeliveries(
      this.#db,
      { engine: this.#engine, narrow: (rows) => rows.where('door', '=', door), limit },
      claim,
    );
  }

  ready(door: string, now: number, limit: number): Promise<DeliveryKey[]> {
    return this.#db
      .selectFrom('delivery')
      .select(['tenant', 'channel', 'date', 'step'])
      .where('door', '=', door)
      .where(sql<SqlBool>`state in ('due', 'sending')`)
      .where('nextAt', '<=', now)
      .orderBy('priority', 'desc')
      .orderBy('nextAt')
      .limit(limit)
      .execute();
  }

  steps(date: PuzzleDate, steps?: readonly string[]): Promise<StepState[]> {
    return this.#db
      .selectFrom('delivery')
      .select(['tenant', 'channel', 'date', 'step', 'state', 'doneAt'])
      .where('date', '=', date)
      .$if(steps !== undefined, (rows) => rows.where('step', 'in', steps!))
      .execute();
  }

  backlog(now: number): Promise<{ door: string; waiting: number; oldestDueAt: number }[]> {
    return this.#db
      .selectFrom('delivery')
      .select(({ fn }) => ['door', fn.countAll<number>().as('waiting'), fn.min('dueAt').as('oldestDueAt')])
      .where(sql<SqlBool>`state in ('due', 'sending')`)
      .where('dueAt', '<=', now)
      .groupBy('door')
      .orderBy('door')
      .execute();
  }
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
