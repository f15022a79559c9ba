import type { PuzzleDate } from '../../core/clock.ts';
import { formatReason, type Reason } from '../reasons.ts';
import type { DatabaseEngine, Db, DeliveryState } from '../schema.ts';
import { claimDeliveries } from './claim.ts';
import {
  type Claim,
  type ClaimedDelivery,
  DELIVERY_COLUMNS,
  type Delivery,
  type DeliveryKey,
  deliveryOf,
  type Lease,
} from './delivery-row.ts';
import { formatJson, isUpdated } from './rows.ts';

/** Those that take a lease answer false, and do nothing, once another claim has it. */
export interface Deliveries {
  get(channel: string, date: PuzzleDate, step: string): Promise<Delivery | undefined>;
  /** All steps of a channel and day, in the order they were due. */
  ofDay(channel: string, date: PuzzleDate): Promise<Delivery[]>;
  /** The days before a date on which this step was posted in a channel, or may have been, newest first. */
  datesOf(channel: string, step: string, before: PuzzleDate, limit: number): Promise<PuzzleDate[]>;
  /** Claims one delivery that is ready. */
  claim(channel: string, date: PuzzleDate, step: string, claim: Claim): Promise<ClaimedDelivery | undefined>;
  /** Extends the lease; also the last check before sending that it is still ours. */
  renew(lease: Lease, until: number): Promise<boolean>;
  /** Stores what is posted so far. */
  note(lease: Lease, posted: unknown): Promise<boolean>;
  sent(lease: Lease, posted: unknown, at: number): Promise<boolean>;
  /** To be tried again later. */
  retry(lease: Lease, nextAt: number, outcome: { unknown: boolean; reason: Reason }): Promise<boolean>;
  /** To be delivered at another moment, which is its time from now on. */
  move(lease: Lease, dueAt: number): Promise<boolean>;
  giveUp(lease: Lease, reason: Reason, at: number): Promise<boolean>;
  skip(lease: Lease, reason: Reason, at: number): Promise<boolean>;
  /** Skips one that nobody is working on, without a lease. */
  skipDue(row: Omit<DeliveryKey, 'tenant'>, reason: Reason, at: number): Promise<boolean>;
  /** Makes one that was given up or skipped due again, for the operator. */
  revive(channel: string, date: PuzzleDate, step: string, at: number): Promise<boolean>;
}

interface End {
  readonly state: DeliveryState;
  readonly doneAt: number;
  readonly reason: Reason | null;
  readonly posted?: string | null;
}

export class SqlDeliveries implements Deliveries {
  readonly #db: Db;
  readonly #engine: DatabaseEngine;
  readonly #tenant: string;

  constructor(db: Db, engine: DatabaseEngine, tenant: string) {
    this.#db = db;
    this.#engine = engine;
    this.#tenant = tenant;
  }

  async get(channel: string, date: PuzzleDate, step: string): Promise<Delivery | undefined> {
    const row = await this.#db
      .selectFrom('delivery')
      .select(DELIVERY_COLUMNS)
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('date', '=', date)
      .where('step', '=', step)
      .executeTakeFirst();
    return row && deliveryOf(row);
  }

  async ofDay(channel: string, date: PuzzleDate): Promise<Delivery[]> {
    const rows = await this.#db
      .selectFrom('delivery')
      .select(DELIVERY_COLUMNS)
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('date', '=', date)
      .orderBy('dueAt')
      .orderBy('step')
      .execute();
    return rows.map(deliveryOf);
  }

  async datesOf(channel: string, step: string, before: PuzzleDate, limit: number): Promise<PuzzleDate[]> {
    const rows = await this.#db
      .selectFrom('delivery')
      .select('date')
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('step', '=', step)
      .where('date', '<', before)
      .where((where) => where.or([where('state', '=', 'sent'), where('outcomeUnknown', '=', 1)]))
      .orderBy('date', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ date }) => date);
  }

  async claim(
    channel: string,
    date: PuzzleDate,
    step: string,
    claim: Claim,
  ): Promise<ClaimedDelivery | undefined> {
    const [claimed] = await claimDeliveries(
      this.#db,
      {
        engine: this.#engine,
        narrow: (rows) =>
          rows
            .where('tenant', '=', this.#tenant)
            .where('channel', '=', channel)
            .where('date', '=', date)
            .where('step', '=', step),
        limit: 1,
      },
      claim,
    );
    return claimed;
  }

  async renew(lease: Lease, until: number): Promise<boolean> {
    return isUpdated(await this.#held(lease).set({ nextAt: until }).executeTakeFirst());
  }

  async note(lease: Lease, posted: unknown): Promise<boolean> {
    return isUpdated(
      await this.#held(lease)
        .set({ posted: formatJson(posted) })
        .executeTakeFirst(),
    );
  }

  sent(lease: Lease, posted: unknown, at: number): Promise<boolean> {
    return this.#finish(lease, { state: 'sent', doneAt: at, reason: null, posted: formatJson(posted) });
  }

  giveUp(lease: Lease, reason: Reason, at: number): Promise<boolean> {
    return this.#finish(lease, { state: 'given-up', doneAt: at, reason });
  }

  skip(lease: Lease, reason: Reason, at: number): Promise<boolean> {
    return this.#finish(lease, { state: 'skipped', doneAt: at, reason });
  }

  async retry(
    lease: Lease,
    nextAt: number,
    { unknown, reason }: { unknown: boolean; reason: Reason },
  ): Promise<boolean> {
    const outcomeUnknown = unknown ? 1 : 0;
    const change = {
      state: 'due',
      owner: null,
      nextAt,
      outcomeUnknown,
      reason: formatReason(reason),
    } as const;
    return isUpdated(await this.#held(lease).set(change).executeTakeFirst());
  }

  async move(lease: Lease, dueAt: number): Promise<boolean> {
    const change = { state: 'due', owner: null, dueAt, nextAt: dueAt } as const;
    return isUpdated(await this.#held(lease).set(change).executeTakeFirst());
  }

  async skipDue(
    { channel, date, step }: Omit<DeliveryKey, 'tenant'>,
    reason: Reason,
    at: number,
  ): Promise<boolean> {
    const change = { state: 'skipped', doneAt: at, reason: formatReason(reason) } as const;
    return isUpdated(
      await this.#update(channel, date, step).set(change).where('state', '=', 'due').executeTakeFirst(),
    );
  }

  async revive(channel: string, date: PuzzleDate, step: string, at: number): Promise<boolean> {
    const change = { state: 'due', nextAt: at, doneAt: null, reason: null } as const;
    return isUpdated(
      await this.#update(channel, date, step)
        .set(change)
        .where('state', 'in', ['given-up', 'skipped'])
        .executeTakeFirst(),
    );
  }

  #update(channel: string, date: PuzzleDate, step: string) {
    return this.#db
      .updateTable('delivery')
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('date', '=', date)
      .where('step', '=', step);
  }

  /** Every claim counts one attempt more, so a lease fits its own claim only. */
  #held({ channel, date, step, owner, attempt }: Lease) {
    return this.#update(channel, date, step)
      .where('state', '=', 'sending')
      .where('owner', '=', owner)
      .where('attempts', '=', attempt);
  }

  async #finish(lease: Lease, { reason, ...end }: End): Promise<boolean> {
    return isUpdated(
      await this.#held(lease)
        .set({ ...end, reason: reason && formatReason(reason), owner: null })
        .executeTakeFirst(),
    );
  }
}
