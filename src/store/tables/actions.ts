import type { Db } from '../schema.ts';

/** Button actions too long for a platform, under a short key. */
export interface Actions {
  get(key: string, now: number): Promise<string | undefined>;
  put(key: string, action: string, expiresAt: number): Promise<void>;
}

export class SqlActions implements Actions {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async get(key: string, now: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('action')
      .select('action')
      .where('key', '=', key)
      .where('expiresAt', '>', now)
      .executeTakeFirst();
    return row?.action;
  }

  async put(key: string, action: string, expiresAt: number): Promise<void> {
    await this.#db
      .insertInto('action')
      .values({ key, action, expiresAt })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ action, expiresAt }))
      .execute();
  }
}
