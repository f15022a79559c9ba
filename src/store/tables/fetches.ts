import type { Db } from '../schema.ts';
import type { Fetches } from '../types.ts';

export function makeFetches(db: Db): Fetches {
  return {
    get: (key) => db.selectFrom('fetchLog').selectAll().where('key', '=', key).executeTakeFirst(),

    /** One statement, so that the database decides between two processes that ask at once. */
    claim: (key, now, until, most) =>
      db
        .insertInto('fetchLog')
        .values({ key, tries: 1, lastAttempt: now, outcome: 'asking', nextAllowed: until })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet((row) => ({
              tries: row('fetchLog.tries', '+', 1),
              lastAttempt: now,
              outcome: 'asking',
              nextAllowed: until,
            }))
            .where('fetchLog.nextAllowed', '<=', now)
            .where('fetchLog.tries', '<', most),
        )
        .returningAll()
        .executeTakeFirst(),

    async note({ key, tries, lastAttempt, outcome, nextAllowed }) {
      const entry = { tries, lastAttempt, outcome, nextAllowed };
      await db
        .insertInto('fetchLog')
        .values({ key, ...entry })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(entry))
        .execute();
    },
  };
}
