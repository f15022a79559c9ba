import type { PuzzleDate } from '../../core/clock.ts';
import type { Db } from '../schema.ts';
import { isUpdated, MOST_DELETED, parseJson } from './rows.ts';

/** A board typed by a person, for one channel. */
export interface HandBoard {
  readonly channel: string;
  readonly date: PuzzleDate;
  readonly puzzle: unknown;
  /** Null when they asked to be forgotten. */
  readonly typedBy: string | null;
  readonly typedAt: number;
}

export interface HandBoards {
  get(channel: string, date: PuzzleDate): Promise<HandBoard | undefined>;
  /** How many there are of a channel, and when the last was typed: different after every change. */
  state(channel: string): Promise<{ readonly boards: number; readonly lastTypedAt: number | null }>;
  /** Deletes it; false if there is none. */
  remove(channel: string, date: PuzzleDate): Promise<boolean>;
  /**
   * Of more boards than `MOST_HAND_BOARDS` by one person, the oldest are deleted. Replaces an earlier one, and makes a disagreement with it news again.
   */
  put(board: HandBoard): Promise<void>;
  /** True for one caller only: the one to report that a fetched board disagrees. */
  claimReport(channel: string, date: PuzzleDate): Promise<boolean>;
}

/** Boards kept of one person in one tenant: a year of a newspaper that can't be reached. */
const MOST_HAND_BOARDS = 400;

export class SqlHandBoards implements HandBoards {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async get(channel: string, date: PuzzleDate): Promise<HandBoard | undefined> {
    const row = await this.#db
      .selectFrom('handBoard')
      .select(['puzzle', 'typedBy', 'typedAt'])
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('date', '=', date)
      .executeTakeFirst();
    return row && { channel, date, ...row, puzzle: parseJson(row.puzzle) };
  }

  async put({ channel, date, puzzle, typedBy, typedAt }: HandBoard): Promise<void> {
    const board = { puzzle: JSON.stringify(puzzle), typedBy, typedAt, reported: 0 } as const;
    await this.#db
      .insertInto('handBoard')
      .values({ tenant: this.#tenant, channel, date, ...board })
      .onConflict((conflict) => conflict.columns(['tenant', 'channel', 'date']).doUpdateSet(board))
      .execute();
    if (typedBy !== null) await this.#deleteBeyond(typedBy);
  }

  async state(channel: string): Promise<{ boards: number; lastTypedAt: number | null }> {
    const { boards, lastTypedAt } = await this.#db
      .selectFrom('handBoard')
      .select(({ fn }) => [fn.countAll<number>().as('boards'), fn.max('typedAt').as('lastTypedAt')])
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .executeTakeFirstOrThrow();
    return { boards: Number(boards), lastTypedAt: lastTypedAt === null ? null : Number(lastTypedAt) };
  }

  async remove(channel: string, date: PuzzleDate): Promise<boolean> {
    const removed = await this.#db
      .deleteFrom('handBoard')
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('date', '=', date)
      .returning('date')
      .executeTakeFirst();
    return removed !== undefined;
  }

  async #deleteBeyond(person: string): Promise<void> {
    const old = await this.#db
      .selectFrom('handBoard')
      .select(['channel', 'date'])
      .where('tenant', '=', this.#tenant)
      .where('typedBy', '=', person)
      .orderBy('typedAt', 'desc')
      .orderBy('channel')
      .orderBy('date')
      .limit(MOST_DELETED)
      .offset(MOST_HAND_BOARDS)
      .execute();
    for (const { channel, date } of old) await this.remove(channel, date);
  }

  async claimReport(channel: string, date: PuzzleDate): Promise<boolean> {
    const result = await this.#db
      .updateTable('handBoard')
      .set({ reported: 1 })
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('date', '=', date)
      .where('reported', '=', 0)
      .executeTakeFirst();
    return isUpdated(result);
  }
}
