import type { PuzzleDate } from '../../core/clock.ts';
import type { Db } from '../schema.ts';

/** The days off that people announced, by the dates of the puzzles that they leave out. */
export interface Holidays {
  /** Adds days; those that are there already stay. */
  add(person: string, dates: readonly PuzzleDate[]): Promise<void>;
}

export class SqlHolidays implements Holidays {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async add(person: string, dates: readonly PuzzleDate[]): Promise<void> {
    if (dates.length === 0) return;
    await this.#db
      .insertInto('holiday')
      .values(dates.map((date) => ({ tenant: this.#tenant, person, date })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
