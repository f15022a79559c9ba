import type { Db } from '../schema.ts';
import type { DatabaseEngine, Deliveries, DeliveryState, Lease } from '../types.ts';
import { claimDeliveries } from './claim.ts';
import { DELIVERY_COLUMNS, deliveryOf } from './delivery-row.ts';
import { jsonOf } from './json.ts';
import { isUpdated } from './rows.ts';

export function makeDeliveries(db: Db, engine: DatabaseEngine, tenant: string): Deliveries {
  const update = (channel: string, date: string, step: string) =>
    db
      .updateTable('delivery')
      .where('tenant', '=', tenant)
      .where('channel', '=', channel)
      .where('date', '=', date)
      .where('step', '=', step);
  /** Every claim counts one attempt more, so a lease fits its own claim only. */
  const held = ({ channel, date, step, owner, attempt }: Lease) =>
    update(channel, date, step)
      .where('state', '=', 'sending')
      .where('owner', '=', owner)
      .where('attempts', '=', attempt);
  const finish = async (
    lease: Lease,
    end: { state: DeliveryState; doneAt: number; reason: string | null; posted?: string | null },
  ) =>
    isUpdated(
      await held(lease)
        .set({ ...end, owner: null })
        .executeTakeFirst(),
    );

  return {
    async get(channel, date, step) {
      const row = await db
        .selectFrom('delivery')
        .select(DELIVERY_COLUMNS)
        .where('tenant', '=', tenant)
        .where('channel', '=', channel)
        .where('date', '=', date)
        .where('step', '=', step)
        .executeTakeFirst();
      return row && deliveryOf(row);
    },

    async ofDay(channel, date) {
      const rows = await db
        .selectFrom('delivery')
        .select(DELIVERY_COLUMNS)
        .where('tenant', '=', tenant)
        .where('channel', '=', channel)
        .where('date', '=', date)
        .orderBy('dueAt')
        .orderBy('step')
        .execute();
      return rows.map(deliveryOf);
    },

    async claim(channel, date, step, claim) {
      const [claimed] = await claimDeliveries(
        db,
        engine,
        (rows) =>
          rows
            .where('tenant', '=', tenant)
            .where('channel', '=', channel)
            .where('date', '=', date)
            .where('step', '=', step),
        1,
        claim,
      );
      return claimed;
    },

    renew: async (lease, until) => isUpdated(await held(lease).set({ nextAt: until }).executeTakeFirst()),
    note: async (lease, posted) =>
      isUpdated(
        await held(lease)
          .set({ posted: jsonOf(posted) })
          .executeTakeFirst(),
      ),

    sent: (lease, posted, at) =>
      finish(lease, { state: 'sent', doneAt: at, reason: null, posted: jsonOf(posted) }),
    giveUp: (lease, reason, at) => finish(lease, { state: 'given-up', doneAt: at, reason }),
    skip: (lease, reason, at) => finish(lease, { state: 'skipped', doneAt: at, reason }),

    async retry(lease, nextAt, { unknown, reason }) {
      const outcomeUnknown = unknown ? 1 : 0;
      const change = { state: 'due', owner: null, nextAt, outcomeUnknown, reason } as const;
      return isUpdated(await held(lease).set(change).executeTakeFirst());
    },

    async skipDue(channel, date, step, reason, at) {
      const change = { state: 'skipped', doneAt: at, reason } as const;
      return isUpdated(
        await update(channel, date, step).set(change).where('state', '=', 'due').executeTakeFirst(),
      );
    },

    async revive(channel, date, step, at) {
      const change = { state: 'due', nextAt: at, doneAt: null, reason: null } as const;
      return isUpdated(
        await update(channel, date, step)
          .set(change)
          .where('state', 'in', ['given-up', 'skipped'])
          .executeTakeFirst(),
      );
    },
  };
}
