import type { PuzzleDate } from '../../core/clock.ts';
import { parseReason, type Reason } from '../reasons.ts';
import type { DeliveryState, DeliveryTable } from '../schema.ts';
import { parseJson } from './rows.ts';

/** What makes a post one post: there is one row a key, whichever process plans it and however often. */
export interface DeliveryKey {
  readonly tenant: string;
  readonly channel: string;
  readonly date: PuzzleDate;
  readonly step: string;
}

export interface NewDelivery extends DeliveryKey {
  readonly dueAt: number;
  /** Those of higher priority are claimed first; 0 by default. */
  readonly priority?: number;
  /** What the deliverer needs to know besides, such as steps merged into this one. */
  readonly detail?: unknown;
  /** Stored as skipped, with this reason, instead of due. */
  readonly skip?: Reason;
}

export interface Delivery extends DeliveryKey {
  readonly state: DeliveryState;
  readonly dueAt: number;
  /** Nobody claims it before this moment: the next attempt of one due, the end of the lease of one being sent. */
  readonly nextAt: number;
  readonly priority: number;
  readonly attempts: number;
  /** An attempt ended without an answer: look on the platform before sending again. */
  readonly outcomeUnknown: boolean;
  /** The platform's ids of what was posted, as far as it came. */
  readonly posted: unknown;
  readonly reason: Reason | null;
  /** When it was sent, given up or skipped. */
  readonly doneAt: number | null;
  readonly detail: unknown;
}

/** The right to work on a delivery. It is lost only by another claim, after `nextAt`. */
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

/** Named one by one: SQLite returns no `table.*` from an update. */
export const DELIVERY_COLUMNS = [
  'tenant',
  'channel',
  'date',
  'step',
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

export type DeliveryRow = Pick<DeliveryTable, (typeof DELIVERY_COLUMNS)[number]>;

export function deliveryOf({ owner: _, ...row }: DeliveryRow): Delivery {
  return {
    ...row,
    outcomeUnknown: row.outcomeUnknown === 1,
    posted: parseJson(row.posted),
    reason: parseReason(row.reason),
    detail: parseJson(row.detail),
  };
}

export function claimedOf(row: DeliveryRow): ClaimedDelivery {
  const { tenant, channel, date, step, owner, attempts } = row;
  if (owner === null) throw new Error(`claimed without an owner: ${tenant} ${channel} ${date} ${step}`);
  return { delivery: deliveryOf(row), lease: { tenant, channel, date, step, owner, attempt: attempts } };
}
