import type { Db } from '../schema.ts';

/** Button actions too long for a platform, under a short key. */
export interface Actions {
  get(key: string, now: number): Promise<string | undefined>;
  put(key: string, action: string, expiresAt: number): Promise<void>;
}

export function makeActions(db: Db): Actions {
  return {
    async get(key, now) {
      const row = await db
        .selectFrom('action')
        .select('action')
        .where('key', '=', key)
        .where('expiresAt', '>', now)
        .executeTakeFirst();
      return row?.action;
    },

    async put(key, action, expiresAt) {
      await db
        .insertInto('action')
        .values({ key, action, expiresAt })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ action, expiresAt }))
        .execute();
    },
  };
}
