import type { Db } from '../schema.ts';
import { isUpdated, parseJson } from './rows.ts';

/** A board typed by a person, for one channel. */
export interface HandBoard {
  readonly channel: string;
  readonly date: string;
  readonly puzzle: unknown;
  /** Null when they asked to be forgotten. */
  readonly typedBy: string | null;
  readonly typedAt: number;
}

export interface HandBoards {
  get(channel: string, date: string): Promise<HandBoard | undefined>;
  /** Replaces an earlier one, and makes a disagreement with it news again. */
  put(board: HandBoard): Promise<void>;
  /** True for one caller only: the one to report that a fetched board disagrees. */
  claimReport(channel: string, date: string): Promise<boolean>;
}

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
