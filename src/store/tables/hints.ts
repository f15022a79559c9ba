import type { Db } from '../schema.ts';

/** Hint steps a person has seen of a puzzle: its date, or a key of the board. */
export interface Hints {
  seen(person: string, puzzle: string): Promise<string[]>;
  see(person: string, puzzle: string, step: string, at: number): Promise<void>;
}

/** A row a step, so that two presses at once add up instead of overwriting each other. */
export function makeHints(db: Db, tenant: string): Hints {
  return {
    async seen(person, puzzle) {
      const rows = await db
        .selectFrom('hint')
        .select('step')
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .where('puzzle', '=', puzzle)
        .orderBy('at')
        .orderBy('step')
        .execute();
      return rows.map(({ step }) => step);
    },

    async see(person, puzzle, step, at) {
      await db
        .insertInto('hint')
        .values({ tenant, person, puzzle, step, at })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
