import type { Db } from '../schema.ts';

/** Which application of a platform the store belongs to: what another one is not in counts for nothing. */
export interface Applications {
  /** Undefined until one is known. */
  get(door: string): Promise<string | undefined>;
  /** Makes the store that of an application unless it has one. Returns the one that it has then. */
  claim(door: string, id: string): Promise<string>;
  /** An operator's decision: replaces the one that it has. */
  put(door: string, id: string): Promise<void>;
}

export class SqlApplications implements Applications {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async get(door: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('application')
      .select('id')
      .where('door', '=', door)
      .executeTakeFirst();
    return row?.id;
  }

  async claim(door: string, id: string): Promise<string> {
    await this.#db
      .insertInto('application')
      .values({ door, id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await this.get(door)) ?? id;
  }

  async put(door: string, id: string): Promise<void> {
    await this.#db
      .insertInto('application')
      .values({ door, id })
      .onConflict((conflict) => conflict.column('door').doUpdateSet({ id }))
      .execute();
  }
}
