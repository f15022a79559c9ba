import { dateAt, spanOf } from '../../src/puzzle/calendar.ts';
import { readDate } from '../../src/puzzle/read-date.ts';
import type { Puzzle, PuzzleService } from '../../src/puzzle/types.ts';
import { BOARD, WORDS } from '../reply/setting.ts';

/** A puzzles with one board for all days. */
export function fakePuzzleService(change: Partial<Puzzle> = {}): PuzzleService {
  return {
    allowed: (source) => source,
    dateAt,
    spanOf,
    readDate,
    puzzleOf: async (date) => ({ date, source: 'newspaper', board: BOARD, par: 4, ...change }),
    judge: async () => ({ words: WORDS, isWord: () => true, certain: true }),
    setByHand: async () => ({}),
  };
}
