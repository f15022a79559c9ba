import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Db } from '../schema.ts';
import { type Result, resultOf } from './result-row.ts';

/** The results of a channel, of everybody. */
export interface ChannelResults {
  /** From one date to another, both included. `hidden`: the person is not shown on leaderboards. */
  between(
    channel: string,
    from: PuzzleDate,
    to: PuzzleDate,
  ): Promise<(Result & { readonly hidden: boolean })[]>;
  /**
   * For the leaderboard of a channel: sums for each person who is not hidden, both dates included. Results of boards
   * solved after their day are left out.
   */
  sums(channel: string, from: PuzzleDate, to: PuzzleDate): Promise<ResultSums[]>;
  /** The same for each day on which anybody solved the board, in the order of the dates. */
  byDay(channel: string, from: PuzzleDate, to: PuzzleDate): Promise<DaySums[]>;
  /**
   * Who solved at least so many boards of a channel on their day, both dates included, agreed to be listed and is not
   * hidden, but has no result of a date anywhere in this tenant. By id, at most `limit`.
   */
  missing(query: MissingQuery): Promise<string[]>;
  /** Whether there are such people at all, with or without a result of the date. */
  hasRegulars(query: RegularsQuery): Promise<boolean>;
}

/** People who agreed to be named and solved on at least so many days of the span. */
export interface RegularsQuery {
  readonly channel: string;
  readonly from: PuzzleDate;
  readonly to: PuzzleDate;
  readonly days: number;
}

export interface MissingQuery extends RegularsQuery {
  readonly date: PuzzleDate;
  readonly limit: number;
}

/** A day of a channel on which somebody solved the board on its day. */
export interface DaySums {
  readonly date: PuzzleDate;
  /** How many people who are not hidden. */
  readonly people: number;
}

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

export class SqlChannelResults implements ChannelResults {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async between(
    channel: string,
    from: PuzzleDate,
    to: PuzzleDate,
  ): Promise<(Result & { readonly hidden: boolean })[]> {
    const rows = await this.#all(channel, from, to)
      .selectAll('result')
      .select('person.hidden')
      .orderBy('result.date')
      .orderBy('result.solvedAt')
      .orderBy('result.person')
      .execute();
    return rows.map(({ hidden, ...row }) => ({ ...resultOf(row), hidden: hidden === 1 }));
  }

  sums(channel: string, from: PuzzleDate, to: PuzzleDate): Promise<ResultSums[]> {
    return this.#counting(channel, from, to)
      .select(['result.person', sumOf('days', '1')])
      .select([sumOf('reported'), sumOf('counted', 'case when letters > 0 then 1 else 0 end')])
      .select([sumOf('words'), sumOf('letters'), sumOf('hints'), sumOf('solvedAt', 'solved_at')])
      .groupBy('result.person')
      .orderBy('result.person')
      .execute();
  }

  byDay(channel: string, from: PuzzleDate, to: PuzzleDate): Promise<DaySums[]> {
    return this.#counting(channel, from, to)
      .select(['result.date', sumOf('people', '1')])
      .groupBy('result.date')
      .orderBy('result.date')
      .execute();
  }

  /** The results that a channel counts: on time, and of people who are not hidden. */
  #counting(channel: string, from: PuzzleDate, to: PuzzleDate) {
    return this.#all(channel, from, to)
      .where('result.sinceOpening', 'is not', null)
      .where(sql<SqlBool>`coalesce(person.hidden, 0) = 0`);
  }

  #all(channel: string, from: PuzzleDate, to: PuzzleDate) {
    return this.#db
      .selectFrom('result')
      .leftJoin('person', (join) =>
        join.onRef('person.tenant', '=', 'result.tenant').onRef('person.person', '=', 'result.person'),
      )
      .where('result.tenant', '=', this.#tenant)
      .where('result.channel', '=', channel)
      .where('result.date', '>=', from)
      .where('result.date', '<=', to);
  }

  missing({ date, limit, ...regulars }: MissingQuery): Promise<string[]> {
    const tenant = this.#tenant;
    return this.#regulars(
      regulars,
      limit,
      sql`
        and not exists (
          select 1 from result as solved
          where solved.tenant = ${tenant} and solved.person = result.person and solved.date = ${date}
        )
        and not exists (
          select 1 from holiday
          where holiday.tenant = ${tenant} and holiday.person = result.person and holiday.date = ${date}
        )`,
    );
  }

  async hasRegulars(query: RegularsQuery): Promise<boolean> {
    return (await this.#regulars(query, 1)).length > 0;
  }

  async #regulars(
    { channel, from, to, days }: RegularsQuery,
    limit: number,
    condition: RawBuilder<unknown> = sql``,
  ): Promise<string[]> {
    const tenant = this.#tenant;
    const { rows } = await sql<{ person: string }>`
      select result.person from result
      join person on person.tenant = result.tenant and person.person = result.person
      where result.tenant = ${tenant} and result.channel = ${channel}
        and result.date >= ${from} and result.date <= ${to} and result.since_opening is not null
        and person.listed = 1 and person.hidden = 0 ${condition}
      group by result.person having count(*) >= ${days}
      order by result.person limit ${limit}`.execute(this.#db);
    return rows.map(({ person }) => person);
  }
}

/** The sum of integers is a decimal in PostgreSQL, and its driver returns decimals as text. */
function sumOf<Name extends string>(name: Name, column: string = name) {
  return sql<number>`cast(sum(${sql.raw(column)}) as bigint)`.as(name);
}
