import type { PuzzleDate } from '../../core/clock.ts';
import { isUpdated, MOST_DELETED, parseJson, type TenantRows } from './rows.ts';

export type HandBoards = ReturnType<typeof handBoardsTable>;

/** A board typed by a person, for one channel. */
export interface HandBoard {
  readonly channel: string;
  readonly date: PuzzleDate;
  readonly puzzle: unknown;
  /** Null when they asked to be forgotten. */
  readonly typedBy: string | null;
  readonly typedAt: number;
}

/** Boards kept of one person in one tenant: a year of a newspaper that can't be reached. */
const MOST_HAND_BOARDS = 400;

export function handBoardsTable(rows: TenantRows) {
  async function deleteBeyond(typedBy: string): Promise<void> {
    const old = await rows
      .select('handBoard', { typedBy })
      .select(['channel', 'date'])
      .orderBy('typedAt', 'desc')
      .orderBy('channel')
      .orderBy('date')
      .limit(MOST_DELETED)
      .offset(MOST_HAND_BOARDS)
      .execute();
    for (const key of old) await rows.delete('handBoard', key).execute();
  }

  return {
    async get(channel: string, date: PuzzleDate): Promise<HandBoard | undefined> {
      const row = await rows
        .select('handBoard', { channel, date })
        .select(['channel', 'date', 'puzzle', 'typedBy', 'typedAt'])
        .executeTakeFirst();
      return row && { ...row, puzzle: parseJson(row.puzzle) };
    },

    /**
     * Replaces an earlier one, and makes a disagreement with it news again. Of more boards than `MOST_HAND_BOARDS` by one
     * person, the oldest are deleted.
     */
    async put({ channel, date, puzzle, typedBy, typedAt }: HandBoard): Promise<void> {
      const board = { puzzle: JSON.stringify(puzzle), typedBy, typedAt, reported: 0 } as const;
      await rows
        .insert('handBoard', { channel, date, ...board })
        .onConflict((conflict) => conflict.columns(['tenant', 'channel', 'date']).doUpdateSet(board))
        .execute();
      if (typedBy !== null) await deleteBeyond(typedBy);
    },

    /** How many there are of a channel, and when the last was typed: different after every change. */
    async state(channel: string): Promise<{ boards: number; lastTypedAt: number | null }> {
      const { boards, lastTypedAt } = await rows
        .select('handBoard', { channel })
        .select(({ fn }) => [fn.countAll<number>().as('boards'), fn.max('typedAt').as('lastTypedAt')])
        .executeTakeFirstOrThrow();
      return { boards: Number(boards), lastTypedAt: lastTypedAt === null ? null : Number(lastTypedAt) };
    },

    /** Deletes it; false if there is none. */
    async remove(channel: string, date: PuzzleDate): Promise<boolean> {
      const { numDeletedRows } = await rows.delete('handBoard', { channel, date }).executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },

    /** True for one caller only: the one to report that a fetched board disagrees. */
    async claimReport(channel: string, date: PuzzleDate): Promise<boolean> {
      return isUpdated(
        await rows
          .update('handBoard', { channel, date, reported: 0 })
          .set({ reported: 1 })
          .executeTakeFirstOrThrow(),
      );
    },
  };
}
