import type { Db } from '../schema.ts';
import { MOST_DELETED } from './rows.ts';

/** Hint steps a person has seen of a puzzle: its date, or a key of the board. */
export interface Hints {
  seen(person: string, puzzle: string): Promise<string[]>;
  see(person: string, puzzle: string, steps: readonly string[], kept: Kept): Promise<void>;
}

interface Kept {
  /** When they were seen. */
  readonly at: number;
  /** Of more steps than this, those of typed boards are deleted before those of days, and the oldest first. */
  readonly most?: number;
}

/** Steps kept for a person in one tenant, unless the caller says otherwise: of 140 boards with seven steps each. */
const MOST_HINTS = 1_000;
/** Keys of typed boards begin with a letter, and dates with a digit. */
export const FIRST_BOARD_KEY = 'a';

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

  async see(
    person: string,
    puzzle: string,
    steps: readonly string[],
    { at, most = MOST_HINTS }: Kept,
  ): Promise<void> {
    if (steps.length === 0) return;
    await this.#db
      .insertInto('hint')
      .values(steps.map((step) => ({ tenant: this.#tenant, person, puzzle, step, at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await this.#deleteBeyond(most, person);
  }

  async #deleteBeyond(most: number, person: string): Promise<void> {
    const old = await this.#db
      .selectFrom('hint')
      .select(['puzzle', 'step'])
      .where('tenant', '=', this.#tenant)
      .where('person', '=', person)
      .orderBy((hint) => hint('puzzle', '>=', FIRST_BOARD_KEY))
      .orderBy('at', 'desc')
      .orderBy('puzzle')
      .orderBy('step')
      .limit(MOST_DELETED)
      .offset(most)
      .execute();
    for (const [puzzle, rows] of Map.groupBy(old, (row) => row.puzzle)) {
      await this.#db
        .deleteFrom('hint')
        .where('tenant', '=', this.#tenant)
        .where('person', '=', person)
        .where('puzzle', '=', puzzle)
        .where(
          'step',
          'in',
          rows.map(({ step }) => step),
        )
        .execute();
    }
  }
}
