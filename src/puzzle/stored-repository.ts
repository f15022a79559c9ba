import type { Store } from '../store/types.ts';
import type { FetchLog, PuzzleRepository } from './repository.ts';
import type { Puzzle } from './types.ts';

/** The store as the puzzle room wants it. */
export function makePuzzleRepository(store: Store, now: () => number): PuzzleRepository {
  const { puzzles, fetches, verdicts } = store;
  return {
    puzzle: async (date, source) => (await puzzles.get(date, source)) as Puzzle | undefined,
    keepPuzzle: (puzzle) => puzzles.keep({ date: puzzle.date, source: puzzle.source, puzzle, at: now() }),

    async handBoard({ tenant, channel }, date) {
      const board = await store.tenant(tenant).boards.get(channel, date);
      if (board === undefined) return undefined;
      const { puzzle, typedBy, typedAt } = board;
      return { ...(puzzle as Puzzle), typedAt, ...(typedBy !== null && { typedBy }) };
    },
    keepHandBoard({ tenant, channel }, { typedBy = null, typedAt = now(), ...puzzle }) {
      // Who typed it is kept beside the puzzle, where it can be forgotten.
      const board = { channel, date: puzzle.date, puzzle, typedBy, typedAt };
      return store.tenant(tenant).boards.put(board);
    },
    claimReport: ({ tenant, channel }, date) => store.tenant(tenant).boards.claimReport(channel, date),

    fetchLog: async (key) => (await fetches.get(key)) as FetchLog | undefined,
    claimFetch: async (...claim) => (await fetches.claim(...claim)) as FetchLog | undefined,
    noteFetch: (log) => fetches.note(log),

    verdicts: (letters) => verdicts.madeOf(letters),
    keepVerdicts: (date, learned) => verdicts.keep(date, learned),
    eraseVerdicts: () => verdicts.erase(),
  };
}
