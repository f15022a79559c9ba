import { type SqlBool, sql } from 'kysely';
import type { Database, Db } from '../schema.ts';
import { formatJson, parseJson } from './rows.ts';

export interface Result {
  readonly person: string;
  readonly channel: string;
  readonly date: string;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
  readonly solvedAt: number;
  /** Null when it was solved after its day was over: such a one counts for no streak and no leaderboard. */
  readonly sinceOpening: number | null;
  /** Of each word; the words themselves are not kept. */
  readonly lengths: readonly number[];
  readonly path?: AnonymizedPath;
}

/**
 * The way across a board that a solution took, with the sides and the letters of each side shuffled, so
 * that no word can be read from it: the picture of a shared result.
 */
export interface AnonymizedPath {
  /** Letters of each side. */
  readonly sides: readonly number[];
  /** The spots of each word. */
  readonly words: readonly (readonly number[])[];
}

export interface Results {
  get(person: string, channel: string, date: string): Promise<Result | undefined>;
  /** Keeps the better one: fewer words, then fewer letters, then fewer hints, then the earlier. True if it is this. */
  record(result: Result): Promise<boolean>;
  /** Both dates included. `hidden`: the person stays off the board. */
  ofChannel(channel: string, from: string, to: string): Promise<(Result & { readonly hidden: boolean })[]>;
  ofPerson(person: string): Promise<Result[]>;
  /**
   * Sums over the results of a place, a person each, of those who are on the board; both dates included.
   * What was solved after its day is left out.
   */
  sums(channel: string, from: string, to: string): Promise<ResultSums[]>;
}

export interface ResultSums {
  readonly person: string;
  readonly days: number;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
  readonly solvedAt: number;
}

export function makeResults(db: Db, tenant: string): Results {
  return {
    async get(person, channel, date) {
      const row = await db
        .selectFrom('result')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .where('channel', '=', channel)
        .where('date', '=', date)
        .executeTakeFirst();
      return row && resultOf(row);
    },

    /** The comparison is the database's, so that of two at once the better one stays. */
    async record(result) {
      const kept = await db
        .insertInto('result')
        .values({ tenant, ...result, lengths: JSON.stringify(result.lengths), path: formatJson(result.path) })
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
            }))
            .where(
              sql<SqlBool>`(excluded.words, excluded.letters, excluded.hints, excluded.solved_at)
                < (result.words, result.letters, result.hints, result.solved_at)`,
            ),
        )
        .returning('date')
        .executeTakeFirst();
      return kept !== undefined;
    },

    async ofChannel(channel, from, to) {
      const rows = await db
        .selectFrom('result')
        .leftJoin('person', (join) =>
          join.onRef('person.tenant', '=', 'result.tenant').onRef('person.person', '=', 'result.person'),
        )
        .selectAll('result')
        .select('person.hidden')
        .where('result.tenant', '=', tenant)
        .where('result.channel', '=', channel)
        .where('result.date', '>=', from)
        .where('result.date', '<=', to)
        .orderBy('result.date')
        .orderBy('result.solvedAt')
        .orderBy('result.person')
        .execute();
      return rows.map(({ hidden, ...row }) => ({ ...resultOf(row), hidden: hidden === 1 }));
    },

    sums: (channel, from, to) =>
      db
        .selectFrom('result')
        .leftJoin('person', (join) =>
          join.onRef('person.tenant', '=', 'result.tenant').onRef('person.person', '=', 'result.person'),
        )
        .select(['result.person', sumOf('days', '1')])
        .select([sumOf('words'), sumOf('letters'), sumOf('hints'), sumOf('solvedAt', 'solved_at')])
        .where('result.tenant', '=', tenant)
        .where('result.channel', '=', channel)
        .where('result.date', '>=', from)
        .where('result.date', '<=', to)
        .where('result.sinceOpening', 'is not', null)
        .where(sql<SqlBool>`coalesce(person.hidden, 0) = 0`)
        .groupBy('result.person')
        .orderBy('result.person')
        .execute(),

    async ofPerson(person) {
      const rows = await db
        .selectFrom('result')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .orderBy('date')
        .orderBy('channel')
        .execute();
      return rows.map(resultOf);
    },
  };
}

/** Postgres sums whole numbers as decimals, and decimals come as text. */
function sumOf<Name extends string>(name: Name, column: string = name) {
  return sql<number>`cast(sum(${sql.raw(column)}) as bigint)`.as(name);
}

function resultOf({ tenant: _, path, ...row }: Database['result']): Result {
  return {
    ...row,
    lengths: JSON.parse(row.lengths) as number[],
    ...(path !== null && { path: parseJson(path) as AnonymizedPath }),
  };
}
