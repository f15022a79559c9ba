import { parseJson } from './json.ts';
import type { DeliveryTable } from './schema.ts';
import type { ClaimedDelivery, Delivery } from './types.ts';

/** Named one by one: SQLite returns no `table.*` from an update. */
export const DELIVERY_COLUMNS = [
  'tenant',
  'place',
  'date',
  'step',
  'state',
  'dueAt',
  'nextAt',
  'urgency',
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
  const { tenant, place, date, step, owner, attempts } = row;
  if (owner === null) throw new Error(`claimed without an owner: ${tenant} ${place} ${date} ${step}`);
  return { delivery: deliveryOf(row), lease: { tenant, place, date, step, owner, attempt: attempts } };
}
