import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database, DatabaseEngine, Db } from '../schema.ts';
import { type Claim, type ClaimedDelivery, claimedOf, DELIVERY_COLUMNS } from './delivery-row.ts';

type DeliveryRows = SelectQueryBuilder<Database, 'delivery', unknown>;

export interface ClaimScope {
  readonly engine: DatabaseEngine;
  /** Adds conditions, such as the doors or the channel whose deliveries are wanted. */
  readonly narrow: (rows: DeliveryRows) => DeliveryRows;
  readonly limit: number;
}

/**
 * Claims deliveries that are ready, in one statement: those due, and those whose lease has run out.
 * A lease that ran out leaves open whether its owner had sent, so such a row comes back as outcome unknown.
 */
export async function claimDeliveries(
  db: Db,
  { engine, narrow, limit }: ClaimScope,
  { owner, now, until }: Claim,
): Promise<ClaimedDelivery[]> {
  const rows = await db
    .with('picked', (query) =>
      narrow(query.selectFrom('delivery'))
        .select(['tenant as ofTenant', 'channel as ofChannel', 'date as ofDate', 'step as ofStep'])
        // Written out, since the engines choose the partial index of ready rows only if they see these states.
        .where(sql<boolean>`state in ('due', 'sending')`)
        .where('nextAt', '<=', now)
        .orderBy('priority', 'desc')
        .orderBy('nextAt')
        .limit(limit)
        // Other processes take the next rows instead of waiting for these. SQLite has one writer at a time.
        .$if(engine === 'postgres', (select) => select.forUpdate().skipLocked()),
    )
    .updateTable('delivery')
    .from('picked')
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
    .whereRef('tenant', '=', 'ofTenant')
    .whereRef('channel', '=', 'ofChannel')
    .whereRef('date', '=', 'ofDate')
    .whereRef('step', '=', 'ofStep')
    .returning(DELIVERY_COLUMNS)
    .execute();
  // An update returns its rows in any order.
  return rows
    .map(claimedOf)
    .sort(({ delivery: a }, { delivery: b }) => b.priority - a.priority || a.dueAt - b.dueAt);
}
