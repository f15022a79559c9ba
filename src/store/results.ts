import { type SqlBool, sql } from 'kysely';
import { jsonOf, parseJson } from './json.ts';
import type { Database, Db } from './schema.ts';
import type { Result, Results, Trace } from './types.ts';

export function makeResults(db: Db, tenant: string): Results {
  return {
    async get(person, place, date) {
      const row = await db
        .selectFrom('result')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .where('place', '=', place)
        .where('date', '=', date)
        .executeTakeFirst();
      return row && resultOf(row);
    },

    /** The comparison is the database's, so that of two at once the better one stays. */
    async record(result) {
      const kept = await db
        .insertInto('result')
        .values({ tenant, ...result, lengths: JSON.stringify(result.lengths), trace: jsonOf(result.trace) })
        .onConflict((conflict) =>
          conflict
            .columns(['tenant', 'person', 'place', 'date'])
            .doUpdateSet((row) => ({
              words: row.ref('excluded.words'),
              letters: row.ref('excluded.letters'),
              hints: row.ref('excluded.hints'),
              solvedAt: row.ref('excluded.solvedAt'),
              sinceOpening: row.ref('excluded.sinceOpening'),
              lengths: row.ref('excluded.lengths'),
              trace: row.ref('excluded.trace'),
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

    async ofPlace(place, from, to) {
      const rows = await db
        .selectFrom('result')
        .leftJoin('person', (join) =>
          join.onRef('person.tenant', '=', 'result.tenant').onRef('person.person', '=', 'result.person'),
        )
        .selectAll('result')
        .select('person.hidden')
        .where('result.tenant', '=', tenant)
        .where('result.place', '=', place)
        .where('result.date', '>=', from)
        .where('result.date', '<=', to)
        .orderBy('result.date')
        .orderBy('result.solvedAt')
        .orderBy('result.person')
        .execute();
      return rows.map(({ hidden, ...row }) => ({ ...resultOf(row), hidden: hidden === 1 }));
    },

    sums: (place, from, to) =>
      db
        .selectFrom('result')
        .leftJoin('person', (join) =>
          join.onRef('person.tenant', '=', 'result.tenant').onRef('person.person', '=', 'result.person'),
        )
        .select(['result.person', sumOf('days', '1')])
        .select([sumOf('words'), sumOf('letters'), sumOf('hints'), sumOf('solvedAt', 'solved_at')])
        .where('result.tenant', '=', tenant)
        .where('result.place', '=', place)
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
        .orderBy('place')
        .execute();
      return rows.map(resultOf);
    },
  };
}

/** Postgres sums whole numbers as decimals, and decimals come as text. */
function sumOf<Name extends string>(name: Name, column: string = name) {
  return sql<number>`cast(sum(${sql.raw(column)}) as bigint)`.as(name);
}

function resultOf({ tenant: _, trace, ...row }: Database['result']): Result {
  return {
    ...row,
    lengths: JSON.parse(row.lengths) as number[],
    ...(trace !== null && { trace: parseJson(trace) as Trace }),
  };
}
