import type { Db } from '../schema.ts';

/** Hint steps a person has seen of a puzzle: its date, or a key of the board. */
export interface Hints {
  seen(person: string, puzzle: string): Promise<string[]>;
  see(person: string, puzzle: string, step: string, at: number): Promise<void>;
}

/** A row a step, so that two presses at once add up instead of overwriting each other. */
export class SqlHints implements Hints {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async seen(person: string, puzzle: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('hint')
      .select('step')
      .where('tenant', '=', this.#tenant)
      .where('person', '=', person)
      .where('puzzle', '=', puzzle)
      .orderBy('at')
      .orderBy('step')
      .execute();
    return rows.map(({ step }) => step);
  }

  async see(person: string, puzzle: string, step: string, at: number): Promise<void> {
    await this.#db
      .insertInto('hint')
      .values({ tenant: this.#tenant, person, puzzle, step, at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
