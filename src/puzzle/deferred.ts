import { wordSourceOf } from './judge.ts';
import type { PuzzleService } from './types.ts';

/**
 * A puzzle service whose greater part is loaded on demand. Until then it judges typed boards, by the lexicon
 * alone; the calendar and everything stored comes with `load`.
 */
export function deferPuzzles(make: () => Promise<PuzzleService>): {
  readonly puzzles: PuzzleService;
  load(): Promise<PuzzleService>;
} {
  let loaded: PuzzleService | undefined;
  const whole = (): PuzzleService => {
    if (loaded === undefined)
      throw new Error('the puzzles of days have to be loaded before they are asked for');
    return loaded;
  };
  return {
    puzzles: {
      wordSource: async (puzzle) => loaded?.wordSource(puzzle) ?? wordSourceOf(puzzle, async () => new Map()),
      allowed: (source) => whole().allowed(source),
      dateAt: (moment) => whole().dateAt(moment),
      spanOf: (date) => whole().spanOf(date),
      readDate: (text, now) => whole().readDate(text, now),
      puzzleOf: async (date, asker) => whole().puzzleOf(date, asker),
      houseOf: async (date) => whole().houseOf(date),
      houseDays: async () => whole().houseDays(),
      daysOf: async (asker) => whole().daysOf(asker),
      setByHand: async (puzzle, asker) => whole().setByHand(puzzle, asker),
    },
    async load() {
      loaded ??= await make();
      return loaded;
    },
  };
}
