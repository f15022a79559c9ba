import { type SqlBool, sql } from 'kysely';
import type { Database, Db } from '../schema.ts';
import type { AnonymizedPath, Result, Results } from '../types.ts';
import { jsonOf, parseJson } from './json.ts';

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
        .values({ tenant, ...result, lengths: JSON.stringify(result.lengths), path: jsonOf(result.path) })
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
