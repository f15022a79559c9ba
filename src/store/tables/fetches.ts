import { MINUTE } from '../../core/clock.ts';
import type { Db } from '../schema.ts';

/** Attempts to fetch, one entry a key (a puzzle's date, or the site as a whole). */
export interface FetchEntry {
  readonly key: string;
  readonly tries: number;
  readonly lastAttempt: number;
  readonly outcome: string;
  readonly nextAllowed: number;
}

/** Milliseconds between the clocks of an installation's machines. */
export const CLOCK_DIFFERENCE = 10 * MINUTE;

export interface Fetches {
  get(key: string): Promise<FetchEntry | undefined>;
  /**
   * In one step for all processes: when there is no entry, or its `nextAllowed` is not after `now` and its
   * `tries` are below `most`, it becomes one try more, `asking`, closed until `until`, and is returned. A wait that
   * began in the future was noted by a wrong clock, and holds nobody.
   */
  claim(key: string, now: number, until: number, most: number): Promise<FetchEntry | undefined>;
  note(entry: FetchEntry): Promise<void>;
}

export class SqlFetches implements Fetches {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  get(key: string): Promise<FetchEntry | undefined> {
    return this.#db.selectFrom('fetchLog').selectAll().where('key', '=', key).executeTakeFirst();
  }

  /** One statement, so that the database decides between two processes that ask at once. */
  claim(key: string, now: number, until: number, most: number): Promise<FetchEntry | undefined> {
    return this.#db
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
          .where((where) =>
            where.or([
              where('fetchLog.nextAllowed', '<=', now),
              where('fetchLog.lastAttempt', '>', now + CLOCK_DIFFERENCE),
            ]),
          )
          .where('fetchLog.tries', '<', most),
      )
      .returningAll()
      .executeTakeFirst();
  }

  async note({ key, tries, lastAttempt, outcome, nextAllowed }: FetchEntry): Promise<void> {
    const entry = { tries, lastAttempt, outcome, nextAllowed };
    await this.#db
      .insertInto('fetchLog')
      .values({ key, ...entry })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(entry))
      .execute();
  }
}
