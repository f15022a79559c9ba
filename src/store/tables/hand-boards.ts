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

export class SqlHandBoards implements HandBoards {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async get(channel: string, date: string): Promise<HandBoard | undefined> {
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
  }

  async claimReport(channel: string, date: string): Promise<boolean> {
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
