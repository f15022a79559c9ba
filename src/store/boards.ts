import { parseJson } from './json.ts';
import { isUpdated } from './rows.ts';
import type { Db } from './schema.ts';
import type { HandBoards } from './types.ts';

export function makeHandBoards(db: Db, tenant: string): HandBoards {
  return {
    async get(place, date) {
      const row = await db
        .selectFrom('handBoard')
        .select(['puzzle', 'typedBy', 'typedAt'])
        .where('tenant', '=', tenant)
        .where('place', '=', place)
        .where('date', '=', date)
        .executeTakeFirst();
      return row && { place, date, ...row, puzzle: parseJson(row.puzzle) };
    },

    async put({ place, date, puzzle, typedBy, typedAt }) {
      const board = { puzzle: JSON.stringify(puzzle), typedBy, typedAt, reported: 0 } as const;
      await db
        .insertInto('handBoard')
        .values({ tenant, place, date, ...board })
        .onConflict((conflict) => conflict.columns(['tenant', 'place', 'date']).doUpdateSet(board))
        .execute();
    },

    async claimReport(place, date) {
      const result = await db
        .updateTable('handBoard')
        .set({ reported: 1 })
        .where('tenant', '=', tenant)
        .where('place', '=', place)
        .where('date', '=', date)
        .where('reported', '=', 0)
        .executeTakeFirst();
      return isUpdated(result);
    },
  };
}
