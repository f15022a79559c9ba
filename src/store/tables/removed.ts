import type { Db } from '../schema.ts';

/** The first removal counts: platforms may tell of one more than once. */
export async function markRemoved(db: Db, tenant: string, at: number): Promise<void> {
  await db
    .insertInto('removedTenant')
    .values({ tenant, removedAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
