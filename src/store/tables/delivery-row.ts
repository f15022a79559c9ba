import type { DeliveryTable } from '../schema.ts';
import type { ClaimedDelivery, Delivery } from '../types.ts';
import { parseJson } from './json.ts';

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
    detail: parseJson(row.detail),
  };
}

export function claimedOf(row: DeliveryRow): ClaimedDelivery {
  const { tenant, channel, date, step, owner, attempts } = row;
  if (owner === null) throw new Error(`claimed without an owner: ${tenant} ${channel} ${date} ${step}`);
  return { delivery: deliveryOf(row), lease: { tenant, channel, date, step, owner, attempt: attempts } };
}
