import type { Db } from '../schema.ts';

/** Markers of events that were processed, so that a platform's retry is recognized. */
export interface ProcessedEvents {
  /** True for the first to mark it. A marker past its time counts as none. */
  mark(key: string, now: number, expiresAt: number): Promise<boolean>;
  has(key: string, now: number): Promise<boolean>;
}

export class SqlProcessedEvents implements ProcessedEvents {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async mark(key: string, now: number, expiresAt: number): Promise<boolean> {
    const marked = await this.#db
      .insertInto('processedEvent')
      .values({ key, expiresAt })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ expiresAt }).where('processedEvent.expiresAt', '<=', now),
      )
      .returning('key')
      .executeTakeFirst();
    return marked !== undefined;
  }

  async has(key: string, now: number): Promise<boolean> {
    const row = await this.#db
      .selectFrom('processedEvent')
      .select('key')
      .where('key', '=', key)
      .where('expiresAt', '>', now)
      .executeTakeFirst();
    return row !== undefined;
  }
}
