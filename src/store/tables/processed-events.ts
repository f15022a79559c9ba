import type { Db } from '../schema.ts';

/** Markers of events that were processed, so that a platform's retry is recognized. */
export interface ProcessedEvents {
  /** True for the first to mark it. A marker past its time counts as none. */
  mark(key: string, now: number, expiresAt: number): Promise<boolean>;
  has(key: string, now: number): Promise<boolean>;
}

export function makeProcessedEvents(db: Db): ProcessedEvents {
  return {
    async mark(key, now, expiresAt) {
      const marked = await db
        .insertInto('processedEvent')
        .values({ key, expiresAt })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ expiresAt }).where('processedEvent.expiresAt', '<=', now),
        )
        .returning('key')
        .executeTakeFirst();
      return marked !== undefined;
    },

    async has(key, now) {
      const row = await db
        .selectFrom('processedEvent')
        .select('key')
        .where('key', '=', key)
        .where('expiresAt', '>', now)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
