import type { Db } from '../schema.ts';
import type { SeenEvents } from '../types.ts';

export function makeSeenEvents(db: Db): SeenEvents {
  return {
    async mark(key, now, expiresAt) {
      const marked = await db
        .insertInto('seenEvent')
        .values({ key, expiresAt })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ expiresAt }).where('seenEvent.expiresAt', '<=', now),
        )
        .returning('key')
        .executeTakeFirst();
      return marked !== undefined;
    },

    async has(key, now) {
      const row = await db
        .selectFrom('seenEvent')
        .select('key')
        .where('key', '=', key)
        .where('expiresAt', '>', now)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
