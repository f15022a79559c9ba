import type { PuzzleDate } from '../../core/clock.ts';
import type { Db } from '../schema.ts';
import { parseJson } from './rows.ts';

export interface NewPuzzle {
  readonly date: PuzzleDate;
  readonly source: string;
  readonly puzzle: unknown;
  readonly at: number;
}

/** Puzzles from the newspaper and the house, which all tenants share. */
export interface Puzzles {
  get(date: PuzzleDate, source: string): Promise<unknown>;
  /** The first copy of a date and source stays: a puzzle that was shown never changes. */
  keep(puzzle: NewPuzzle): Promise<void>;
  /** Overwrites a copy that can't be read. */
  replace(puzzle: NewPuzzle): Promise<void>;
  /** The last good copy: the newest of this source that is not after `date`. */
  latest(source: string, date: PuzzleDate): Promise<unknown>;
  /** The dates of all stored puzzles, oldest first. */
  dates(source: string): Promise<string[]>;
  /** The same dates, each with the moment its puzzle was stored: for a past day, that may be much later. */
  kept(source: string): Promise<{ date: PuzzleDate; at: number }[]>;
}

export class SqlPuzzles implements Puzzles {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async get(date: PuzzleDate, source: string): Promise<unknown> {
    const row = await this.#db
      .selectFrom('puzzle')
      .select('puzzle')
      .where('date', '=', date)
      .where('source', '=', source)
      .executeTakeFirst();
    return parseJson(row?.puzzle);
  }

  async keep({ date, source, puzzle, at }: NewPuzzle): Promise<void> {
    await this.#db
      .insertInto('puzzle')
      .values({ date, source, puzzle: JSON.stringify(puzzle), keptAt: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async replace({ date, source, puzzle, at }: NewPuzzle): Promise<void> {
    await this.#db
      .updateTable('puzzle')
      .set({ puzzle: JSON.stringify(puzzle), keptAt: at })
      .where('date', '=', date)
      .where('source', '=', source)
      .execute();
  }

  async latest(source: string, date: PuzzleDate): Promise<unknown> {
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

  kept(source: string): Promise<{ date: PuzzleDate; at: number }[]> {
    return this.#db
      .selectFrom('puzzle')
      .select(['date', 'keptAt as at'])
      .where('source', '=', source)
      .orderBy('date')
      .execute();
  }
}
