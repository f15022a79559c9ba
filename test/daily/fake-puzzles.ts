import type { AnswerSteps } from '../../src/daily/delivery/messages.ts';
import { dateAt, readDate, spanOf } from '../../src/puzzle/calendar.ts';
import type { Puzzle, PuzzleService } from '../../src/puzzle/types.ts';
import { threadStepsReply } from '../../src/reply/replies/board.ts';
import { makeSearch } from '../../src/solver/search.ts';
import type { PlayableWord } from '../../src/solver/types.ts';
import { BOARD, WORDS } from '../reply/setting.ts';

/** Puzzles with one board for all days; what is changed of it may be another thing each time. */
export function fakePuzzleService(change: () => Partial<Puzzle> = () => ({})): PuzzleService {
  return {
    allowed: (source) => source,
    dateAt,
    spanOf,
    readDate,
    puzzleOf: async (date) => ({ date, source: 'newspaper', board: BOARD, par: 4, ...change() }),
    makeToday: async () => {},
    daysOf: async () => [],
    wordSource: async () => ({ dictionary: WORDS.map(({ word }) => ({ word, obscure: false })) }),
    setByHand: async () => ({}),
  };
}

/** Answers with the steps of any puzzle as if these words were the game's own list. */
export function fakeSteps(words: readonly PlayableWord[] = WORDS, certain = true): AnswerSteps {
  return async (puzzle, steps, audience = 'everyone') =>
    threadStepsReply({ puzzle, steps, search: makeSearch(puzzle.board, words), certain, audience });
}
