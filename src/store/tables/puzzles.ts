import type { Db } from '../schema.ts';
import type { Puzzles } from '../types.ts';
import { parseJson } from './json.ts';

export function makePuzzles(db: Db): Puzzles {
  return {
    async get(date, source) {
      const row = await db
        .selectFrom('puzzle')
        .select('puzzle')
        .where('date', '=', date)
        .where('source', '=', source)
        .executeTakeFirst();
      return parseJson(row?.puzzle);
    },

    async keep({ date, source, puzzle, at }) {
      await db
        .insertInto('puzzle')
        .values({ date, source, puzzle: JSON.stringify(puzzle), keptAt: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async latest(source, date) {
      const row = await db
        .selectFrom('puzzle')
        .select('puzzle')
        .where('source', '=', source)
        .where('date', '<=', date)
        .orderBy('date', 'desc')
        .limit(1)
        .executeTakeFirst();
      return parseJson(row?.puzzle);
    },

    async dates(source) {
      const rows = await db
        .selectFrom('puzzle')
        .select('date')
        .where('source', '=', source)
        .orderBy('date')
        .execute();
      return rows.map(({ date }) => date);
    },

    kept: (source) =>
      db
        .selectFrom('puzzle')
        .select(['date', 'keptAt as at'])
        .where('source', '=', source)
        .orderBy('date')
        .execute(),
  };
}
