import { setImmediate } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Db } from '../schema.ts';
import { chunksOf } from './rows.ts';

/** What days' own dictionaries taught about words: accepted or not. */
export interface Verdicts {
  /** Of words made of these letters and no others. */
  madeOf(letters: string): Promise<Map<string, boolean>>;
  /** All at once or not at all; of two days that differ, the later one stands. */
  keep(date: PuzzleDate, verdicts: ReadonlyMap<string, boolean>): Promise<void>;
  erase(): Promise<void>;
}

export class SqlVerdicts implements Verdicts {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async madeOf(letters: string): Promise<Map<string, boolean>> {
    const others = ALPHABET & ~lettersOf(letters);
    const rows = await this.#db
      .selectFrom('verdict')
      .select(['word', 'accepted'])
      .where(sql<SqlBool>`${sql.ref('letters')} & ${others} = 0`)
      .execute();
    return new Map(rows.map(({ word, accepted }) => [word, accepted === 1]));
  }

  async keep(date: PuzzleDate, verdicts: ReadonlyMap<string, boolean>): Promise<void> {
    // In one order everywhere, so that two processes never wait for each other in a ring.
    const rows = Array.from(verdicts, ([word, accepted]) => ({
      word,
      letters: lettersOf(word),
      accepted: accepted ? (1 as const) : (0 as const),
      date,
    })).sort((a, b) => (a.word < b.word ? -1 : 1));
    await this.#db.transaction().execute(async (transaction) => {
      for (const values of chunksOf(rows)) {
        // A day has thousands of words: requests are answered in between.
        await setImmediate();
        await transaction
          .insertInto('verdict')
          .values(values)
          .onConflict((conflict) =>
            conflict
              .column('word')
              .doUpdateSet((row) => ({ accepted: row.ref('excluded.accepted'), date }))
              .where('verdict.date', '<=', date),
          )
          .execute();
      }
    });
  }

  async erase(): Promise<void> {
    await this.#db.deleteFrom('verdict').execute();
  }
}

/** The bits of all letters. */
const ALPHABET = 2 ** 26 - 1;

/** A bit for each letter: a word can be made of some letters when it has no bit that is missing in theirs. */
function lettersOf(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    const letter = text.charCodeAt(index) - 97;
    if (letter < 0 || letter > 25) throw new Error(`a verdict is about words of a to z, not "${text}"`);
    bits |= 1 << letter;
  }
  return bits;
}
