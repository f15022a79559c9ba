/** A small board and a handful of words, where every answer is known. */
import type { PuzzleDate } from '../../src/core/clock.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { makeBoard } from '../../src/solver/board.ts';
import type { LexiconEntry } from '../../src/solver/lexicon.ts';

export const SIDES = 'bcd fgh jkl mnp';
/** Another board on which the same words can be played, to be made for a channel: a day's own board can't be. */
export const OTHER_SIDES = 'bcd fgh jkn lmp';
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

/**
 * What somebody who has not solved the small board may not read anywhere: its words and their parts, which no sentence of
 * ours holds, but as often as they typed them; what is left at a letter; the fewest words, scores, places and paths.
 */
const CHARGED_FOR =
  /bfj|mcg|gkd|hln|nbp|\bB: |\d left\b|\d more with|\b[a-z]\. Not [a-z],|starts with|can (?:be done|do it)|fewest(?: words (?:is|are)|More|":)|still needed|join on|\d of 100|drawn across|\d solutions in/gi;

/** @param typed by whoever reads it, and shown to them again */
export function chargedIn(read: string, typed: readonly string[] = []): readonly string[] {
  const others = typed.reduce((text, one) => text.replaceAll(new RegExp(`\\b${one}\\b`, 'gi'), ''), read);
  return others.match(CHARGED_FOR) ?? [];
}
