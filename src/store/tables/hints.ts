import { MOST_DELETED, type TenantRows } from './rows.ts';

export type Hints = ReturnType<typeof hintsTable>;

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

/**
 * Hint steps a person has seen of a puzzle: its date, or a key of the board. A row a step, so that two presses at once add
 * up instead of overwriting each other.
 */
export function hintsTable(rows: TenantRows) {
  async function deleteBeyond(most: number, person: string): Promise<void> {
    const old = await rows
      .select('hint', { person })
      .select(['puzzle', 'step'])
      .orderBy((hint) => hint('puzzle', '>=', FIRST_BOARD_KEY))
      .orderBy('at', 'desc')
      .orderBy('puzzle')
      .orderBy('step')
      .limit(MOST_DELETED)
      .offset(most)
      .execute();
    for (const [puzzle, beyond] of Map.groupBy(old, (row) => row.puzzle)) {
      const steps = beyond.map(({ step }) => step);
      await rows.delete('hint', { person, puzzle }).where('step', 'in', steps).execute();
    }
  }

  return {
    async seen(person: string, puzzle: string): Promise<string[]> {
      const seen = rows.select('hint', { person, puzzle }).select('step').orderBy('at').orderBy('step');
      return (await seen.execute()).map(({ step }) => step);
    },

    async see(
      person: string,
      puzzle: string,
      steps: readonly string[],
      { at, most = MOST_HINTS }: Kept,
    ): Promise<void> {
      if (steps.length === 0) return;
      await rows
        .insert('hint', ...steps.map((step) => ({ person, puzzle, step, at })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await deleteBeyond(most, person);
    },
  };
}
