import type { Db } from '../schema.ts';
import { parseJson } from './rows.ts';

/** Puzzles from the newspaper and the house; the installation's, not a tenant's. */
export interface Puzzles {
  get(date: string, source: string): Promise<unknown>;
  /** The first copy of a date and source stays: a puzzle that was shown never changes. */
  keep(puzzle: { date: string; source: string; puzzle: unknown; at: number }): Promise<void>;
  /** Puts a copy over one that can't be read. */
  replace(puzzle: { date: string; source: string; puzzle: unknown; at: number }): Promise<void>;
  /** The last good copy: the newest of this source that is not after `date`. */
  latest(source: string, date: string): Promise<unknown>;
  /** Dates this installation has seen, oldest first. */
  dates(source: string): Promise<string[]>;
  /** The same dates, each with the moment its puzzle was kept: of days past it may be much later. */
  kept(source: string): Promise<{ date: string; at: number }[]>;
}

export class SqlPuzzles implements Puzzles {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async get(date: string, source: string): Promise<unknown> {
    const row = await this.#db
      .selectFrom('puzzle')
      .select('puzzle')
      .where('date', '=', date)
      .where('source', '=', source)
      .executeTakeFirst();
    return parseJson(row?.puzzle);
  }

  async keep({
    date,
    source,
    puzzle,
    at,
  }: {
    date: string;
    source: string;
    puzzle: unknown;
    at: number;
  }): Promise<void> {
    await this.#db
      .insertInto('puzzle')
      .values({ date, source, puzzle: JSON.stringify(puzzle), keptAt: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async replace({
    date,
    source,
    puzzle,
    at,
  }: {
    date: string;
    source: string;
    puzzle: unknown;
    at: number;
  }): Promise<void> {
    await this.#db
      .updateTable('puzzle')
      .set({ puzzle: JSON.stringify(puzzle), keptAt: at })
      .where('date', '=', date)
      .where('source', '=', source)
      .execute();
  }

  async latest(source: string, date: string): Promise<unknown> {
    const row = await this.#db
      .selectFrom('puzzle')
      .select('puzzle')
      .where('source', '=', source)
      .where('date', '<=', date)
      .orderBy('date', 'desc')
      .limit(1)
      .executeTakeFirst();
    return parseJson(row?.puzzle);
  }

  async dates(source: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('puzzle')
      .select('date')
      .where('source', '=', source)
      .orderBy('date')
      .execute();
    return rows.map(({ date }) => date);
  }

  kept(source: string): Promise<{ date: string; at: number }[]> {
    return this.#db
      .selectFrom('puzzle')
      .select(['date', 'keptAt as at'])
      .where('source', '=', source)
      .orderBy('date')
      .execute();
  }
}
