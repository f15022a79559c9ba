import { type SqlBool, sql } from 'kysely';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Db } from '../schema.ts';
import { type DayScore, type Result, rankOf, resultOf } from './result-row.ts';
import { formatJson, MOST_DELETED, type Page, WHOLE } from './rows.ts';

/** The results of people, each by itself. */
export interface Results {
  get(person: string, channel: string, date: PuzzleDate): Promise<Result | undefined>;
  /**
   * Stores the result, unless the stored one is as good or better: played rather than reported, then fewer words, then
   * fewer letters, then fewer hints, then the earlier one. A reported result gives way to whatever its own message says
   * later. True if it was stored. Of more than `MOST_RESULTS`, those of boards solved after their day are
   * deleted first, and then the oldest.
   */
  record(result: Result): Promise<boolean>;
  /** Whether the person has any. */
  has(person: string): Promise<boolean>;
  /** Of how many days. */
  days(person: string): Promise<number>;
  /** A person's results in one channel, by date. */
  scoresIn(person: string, channel: string): Promise<DayScore[]>;
  /** A person's results of a date in all channels. */
  ofDay(person: string, date: PuzzleDate): Promise<Result[]>;
  /** In the order of their dates; at most `limit` of them, after the first `offset`. */
  ofPerson(person: string, page?: Page): Promise<Result[]>;
}

/** Results kept of one person in one tenant: of thirteen years of days in one channel. */
const MOST_RESULTS = 5_000;

export class SqlResults implements Results {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async get(person: string, channel: string, date: PuzzleDate): Promise<Result | undefined> {
    const row = await this.#db
      .selectFrom('result')
      .selectAll()
      .where('tenant', '=', this.#tenant)
      .where('person', '=', person)
      .where('channel', '=', channel)
      .where('date', '=', date)
      .executeTakeFirst();
    return row && resultOf(row);
  }

  /** The database compares, so that of two results recorded at the same time the better one stays. */
  async record(result: Result): Promise<boolean> {
    const kept = await this.#db
      .insertInto('result')
      .values({
        tenant: this.#tenant,
        ...result,
        lengths: JSON.stringify(result.lengths),
        path: formatJson(result.path),
        reported: result.reported ? 1 : 0,
        message: result.message ?? null,
        solution: result.solution ?? null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant', 'person', 'channel', 'date'])
          .doUpdateSet((row) => ({
            words: row.ref('excluded.words'),
            letters: row.ref('excluded.letters'),
            hints: row.ref('excluded.hints'),
            solvedAt: row.ref('excluded.solvedAt'),
            sinceOpening: row.ref('excluded.sinceOpening'),
            lengths: row.ref('excluded.lengths'),
            path: row.ref('excluded.path'),
            reported: row.ref('excluded.reported'),
            message: row.ref('excluded.message'),
            solution: row.ref('excluded.solution'),
          }))
          .where(
            sql<SqlBool>`(${rankOf('excluded')}) < (${rankOf('result')})
                or (result.reported = 1 and excluded.message = result.message)`,
          ),
      )
      .returning('date')
      .executeTakeFirst();
    if (kept !== undefined) await this.#deleteBeyond(result.person);
    return kept !== undefined;
  }

  async has(person: string): Promise<boolean> {
    const row = await this.#ofPerson(person).select('result.date').limit(1).executeTakeFirst();
    return row !== undefined;
  }

  async days(person: string): Promise<number> {
    const { days } = await this.#ofPerson(person)
      .select(({ fn }) => fn.count<number>('result.date').distinct().as('days'))
      .executeTakeFirstOrThrow();
    return Number(days);
  }

  async scoresIn(person: string, channel: string): Promise<DayScore[]> {
    const rows = await this.#ofPerson(person)
      .select(['date', 'words', 'letters', 'hints', 'solvedAt', 'sinceOpening', 'reported'])
      .where('result.channel', '=', channel)
      .orderBy('result.date')
      .execute();
    return rows.map(({ reported, ...score }) => ({ ...score, ...(reported === 1 && { reported: true }) }));
  }

  async ofDay(person: string, date: PuzzleDate): Promise<Result[]> {
    const rows = await this.#ofPerson(person)
      .selectAll()
      .where('result.date', '=', date)
      .orderBy('result.channel')
      .execute();
    return rows.map(resultOf);
  }

  async ofPerson(person: string, { offset, limit }: Page = WHOLE): Promise<Result[]> {
    const rows = await this.#ofPerson(person)
      .selectAll()
      .orderBy('result.date')
      .orderBy('result.channel')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(resultOf);
  }

  #ofPerson(person: string) {
    return this.#db
      .selectFrom('result')
      .where('result.tenant', '=', this.#tenant)
      .where('result.person', '=', person);
  }

  async #deleteBeyond(person: string): Promise<void> {
    const old = await this.#ofPerson(person)
      .select(['result.channel', 'result.date'])
      .orderBy((result) => result('result.sinceOpening', 'is', null))
      .orderBy('result.solvedAt', 'desc')
      .limit(MOST_DELETED)
      .offset(MOST_RESULTS)
      .execute();
    for (const { channel, date } of old) {
      await this.#db
        .deleteFrom('result')
        .where('tenant', '=', this.#tenant)
        .where('person', '=', person)
        .where('channel', '=', channel)
        .where('date', '=', date)
        .execute();
    }
  }
}
