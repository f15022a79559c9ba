import type { Db } from '../schema.ts';

/** Markers of events that were processed, so that a platform's retry is recognized. */
export interface ProcessedEvents {
  /** True for the first to mark it. A marker past its time counts as none. */
  mark(key: string, now: number, expiresAt: number): Promise<boolean>;
  /**
   * Marks the first key of each list that is not marked, all or none of them. Returns the first list that has none left,
   * if there is one.
   */
  markEach(
    lists: readonly (readonly string[])[],
    now: number,
    expiresAt: number,
  ): Promise<number | undefined>;
  has(key: string, now: number): Promise<boolean>;
}

export class SqlProcessedEvents implements ProcessedEvents {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  mark(key: string, now: number, expiresAt: number): Promise<boolean> {
    return mark(this.#db, key, now, expiresAt);
  }

  markEach(
    lists: readonly (readonly string[])[],
    now: number,
    expiresAt: number,
  ): Promise<number | undefined> {
    return this.#db.transaction().execute(async (transaction) => {
      const marked: string[] = [];
      for (const [at, keys] of lists.entries()) {
        const key = await firstUnmarked(transaction, keys, now, expiresAt);
        if (key === undefined) {
          if (marked.length > 0)
            await transaction.deleteFrom('processedEvent').where('key', 'in', marked).execute();
          return at;
        }
        marked.push(key);
      }
      return undefined;
    });
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

/** One statement, so that the database decides between two processes that mark at once. */
async function mark(db: Db, key: string, now: number, expiresAt: number): Promise<boolean> {
  const marked = await db
    .insertInto('processedEvent')
    .values({ key, expiresAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ expiresAt }).where('processedEvent.expiresAt', '<=', now),
    )
    .returning('key')
    .executeTakeFirst();
  return marked !== undefined;
}

async function firstUnmarked(
  db: Db,
  keys: readonly string[],
  now: number,
  expiresAt: number,
): Promise<string | undefined> {
  for (const key of keys) if (await mark(db, key, now, expiresAt)) return key;
  return undefined;
}
