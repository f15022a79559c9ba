/** A small board and a handful of words, where every answer is known. */
import type { PuzzleDate } from '../../src/core/clock.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { makeBoard } from '../../src/solver/board.ts';
import type { LexiconEntry } from '../../src/solver/lexicon.ts';

export const SIDES = 'bcd fgh jkl mnp';
const LIKELIHOODS: Readonly<Record<string, number>> = {
  bfjmcg: 0.96,
  gkdhlnbp: 0.4,
  gkdhln: 0.9,
  nbp: 0.995,
  bfjm: 0.8,
  mcgkdhlnbp: 0.3,
};

export const WORDS: readonly LexiconEntry[] = Object.entries(LIKELIHOODS).map(([word, likelihood]) => ({
  word,
  likelihood,
  tier: likelihood > 0.5 ? 'everyday' : 'wide',
}));

/** The same board every day, with a solution of its own. */
export function house(date: PuzzleDate): Puzzle {
  return { date, source: 'house', board: makeBoard(SIDES.split(' ')), official: ['bfjmcg', 'gkdhlnbp'] };
}
