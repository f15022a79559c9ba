import { type SqlBool, sql } from 'kysely';
import * as v from 'valibot';
import type { Database, Db } from '../schema.ts';
import { formatJson, MOST_DELETED, type Page, parseJson, WHOLE } from './rows.ts';

export interface Result {
  readonly person: string;
  readonly channel: string;
  readonly date: string;
  readonly words: number;
  /** 0 where a reported result does not say how many. */
  readonly letters: number;
  readonly hints: number;
  readonly solvedAt: number;
  /** Milliseconds. Null if the board was solved after its day: such a result counts for no streak and no leaderboard. */
  readonly sinceOpening: number | null;
  /** The number of letters of each word; the words themselves are not stored. */
  readonly lengths: readonly number[];
  readonly path?: AnonymizedPath;
  /** Set where the person only said how many words they took: nobody has checked it. */
  readonly reported?: true;
  /** The platform's id of the message that the result was read from. */
  readonly message?: string;
  /** A checksum of the words, to tell different solutions of a day's board apart. */
  readonly solution?: string;
}

/**
 * The path of a solution over its board, for the picture of a shared result. The sides and the letters of each side
 * are shuffled, so that no word can be read from it.
 */
export interface AnonymizedPath {
  /** The number of letters of each side. */
  readonly sides: readonly number[];
  /** The spots of each word. */
  readonly words: readonly (readonly number[])[];
}

export interface Results {
  get(person: string, channel: string, date: string): Promise<Result | undefined>;
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
  ofDay(person: string, date: string): Promise<Result[]>;
  /** From one date to another, both included. `hidden`: the person is not shown on leaderboards. */
  ofChannel(channel: string, from: string, to: string): Promise<(Result & { readonly hidden: boolean })[]>;
  /** In the order of their dates; at most `limit` of them, after the first `offset`. */
  ofPerson(person: string, page?: Page): Promise<Result[]>;
  /**
   * For the leaderboard of a channel: sums for each person who is not hidden, both dates included. Results of boards
   * solved after their day are left out.
   */
  sums(channel: string, from: string, to: string): Promise<ResultSums[]>;
  /** The same for each day on which anybody solved the board, in the order of the dates. */
  byDay(channel: string, from: string, to: string): Promise<DaySums[]>;
  /**
   * Who solved at least so many boards of a channel on their day, both dates included, agreed to be listed and is not
   * hidden, but has no result of a date anywhere in this tenant. By id, at most `limit`.
   */
  missing(question: MissingQuestion): Promise<string[]>;
}

export interface MissingQuestion {
  readonly channel: string;
  readonly from: string;
  readonly to: string;
  readonly days: number;
  readonly date: string;
  readonly limit: number;
}

/** A day of a channel on which somebody solved the board on its day. */
export interface DaySums {
  readonly date: string;
  /** How many people who are not hidden. */
  readonly people: number;
}

/** What a person's result of a day is counted by. */
export type DayScore = Pick<
  Result,
  'date' | 'words' | 'letters' | 'hints' | 'solvedAt' | 'sinceOpening' | 'reported'
>;

/** Results kept of one person in one tenant: of thirteen years of days in one channel. */
export const MOST_RESULTS = 5_000;

export interface ResultSums {
  readonly person: string;
  readonly days: number;
  /** Of those, how many with a result that was only reported. */
  readonly reported: number;
  /** Of the days, how many with a result that says how many letters it took. */
  readonly counted: number;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
  readonly solvedAt: number;
}

export class SqlResults implements Results {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async get(person: string, channel: string, date: string): Promise<Result | undefined> {
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

  async ofChannel(
    channel: string,
    from: string,
    to: string,
  ): Promise<(Result & { readonly hidden: boolean })[]> {
    const rows = await this.#db
      .selectFrom('result')
      .leftJoin('person', (join) =>
        join.onRef('person.tenant', '=', 'result.tenant').onRef('person.person', '=', 'result.person'),
      )
      .selectAll('result')
      .select('person.hidden')
      .where('result.tenant', '=', this.#tenant)
      .where('result.channel', '=', channel)
      .where('result.date', '>=', from)
      .where('result.date', '<=', to)
      .orderBy('result.date')
      .orderBy('result.solvedAt')
      .orderBy('result.person')
      .execute();
    return rows.map(({ hidden, ...row }) => ({ ...resultOf(row), hidden: hidden === 1 }));
  }

  sums(channel: string, from: string, to: string): Promise<ResultSums[]> {
    return this.#counting(channel, from, to)
      .select(['result.person', sumOf('days', '1')])
      .select([sumOf('reported'), sumOf('counted', 'case when letters > 0 then 1 else 0 end')])
      .select([sumOf('words'), sumOf('letters'), sumOf('hints'), sumOf('solvedAt', 'solved_at')])
      .groupBy('result.person')
      .orderBy('result.person')
      .execute();
  }

  byDay(channel: string, from: string, to: string): Promise<DaySums[]> {
    return this.#counting(channel, from, to)
      .select(['result.date', sumOf('people', '1')])
      .groupBy('result.date')
      .orderBy('result.date')
      .execute();
  }

  /** The results that a channel counts: on time, and of people who are not hidden. */
  #counting(channel: string, from: string, to: string) {
    return this.#db
      .selectFrom('result')
      .leftJoin('person', (join) =>
        join.onRef('person.tenant', '=', 'result.tenant').onRef('person.person', '=', 'result.person'),
      )
      .where('result.tenant', '=', this.#tenant)
      .where('result.channel', '=', channel)
      .where('result.date', '>=', from)
      .where('result.date', '<=', to)
      .where('result.sinceOpening', 'is not', null)
      .where(sql<SqlBool>`coalesce(person.hidden, 0) = 0`);
  }

  async missing({ channel, from, to, days, date, limit }: MissingQuestion): Promise<string[]> {
    const tenant = this.#tenant;
    const { rows } = await sql<{ person: string }>`
      select result.person from result
      join person on person.tenant = result.tenant and person.person = result.person
      where result.tenant = ${tenant} and result.channel = ${channel}
        and result.date >= ${from} and result.date <= ${to} and result.since_opening is not null
        and person.listed = 1 and person.hidden = 0
        and not exists (
          select 1 from result as solved
          where solved.tenant = ${tenant} and solved.person = result.person and solved.date = ${date}
        )
        and not exists (
          select 1 from holiday
          where holiday.tenant = ${tenant} and holiday.person = result.person and holiday.date = ${date}
        )
      group by result.person having count(*) >= ${days}
      order by result.person limit ${limit}`.execute(this.#db);
    return rows.map(({ person }) => person);
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

  async ofDay(person: string, date: string): Promise<Result[]> {
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

/** More letters than any result has: one that does not say how many comes after those that do. */
const UNKNOWN_LETTERS = 1_000_000;

/** What makes one result better than another, best first; the same order as `compareScores` has. */
export function rankOf(table: 'result' | 'excluded') {
  const row = sql.raw(table);
  return sql`${row}.reported, ${row}.words,
    case ${row}.letters when 0 then ${sql.lit(UNKNOWN_LETTERS)} else ${row}.letters end,
    ${row}.hints, ${row}.solved_at`;
}

/** The sum of integers is a decimal in PostgreSQL, and its driver returns decimals as text. */
function sumOf<Name extends string>(name: Name, column: string = name) {
  return sql<number>`cast(sum(${sql.raw(column)}) as bigint)`.as(name);
}

export const lengthsSchema = v.array(v.number());
export const pathSchema = v.object({ sides: v.array(v.number()), words: v.array(v.array(v.number())) });

export function resultOf({
  tenant: _,
  path,
  reported,
  message,
  solution,
  ...row
}: Database['result']): Result {
  return {
    ...row,
    lengths: v.parse(lengthsSchema, parseJson(row.lengths)),
    ...(path !== null && { path: v.parse(pathSchema, parseJson(path)) }),
    ...(reported === 1 && { reported: true }),
    ...(message !== null && { message }),
    ...(solution !== null && { solution }),
  };
}
