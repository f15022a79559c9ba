import type { Db } from '../schema.ts';
import type { HandBoards } from '../types.ts';
import { parseJson } from './json.ts';
import { isUpdated } from './rows.ts';

export function makeHandBoards(db: Db, tenant: string): HandBoards {
  return {
    async get(channel, date) {
      const row = await db
        .selectFrom('handBoard')
        .select(['puzzle', 'typedBy', 'typedAt'])
        .where('tenant', '=', tenant)
        .where('channel', '=', channel)
        .where('date', '=', date)
        .executeTakeFirst();
      return row && { channel, date, ...row, puzzle: parseJson(row.puzzle) };
    },

    async put({ channel, date, puzzle, typedBy, typedAt }) {
      const board = { puzzle: JSON.stringify(puzzle), typedBy, typedAt, reported: 0 } as const;
      await db
        .insertInto('handBoard')
        .values({ tenant, channel, date, ...board })
        .onConflict((conflict) => conflict.columns(['tenant', 'channel', 'date']).doUpdateSet(board))
        .execute();
    },

    async claimReport(channel, date) {
      const result = await db
        .updateTable('handBoard')
        .set({ reported: 1 })
        .where('tenant', '=', tenant)
        .where('channel', '=', channel)
        .where('date', '=', date)
        .where('reported', '=', 0)
        .executeTakeFirst();
      return isUpdated(result);
    },
  };
}
