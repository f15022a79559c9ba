import type { Lexicon, LexiconEntry } from './lexicon.ts';
import { findPlayable } from './playable.ts';
import type { SearchOptions } from './search.ts';
import type { Board } from './types.ts';

/** In the order in which words are left out. The last two only where they are asked for. */
export type FilterStage = 'list' | 'letters' | 'sides' | 'everyday' | 'exclude';

export interface FilteredWords {
  readonly stage: FilterStage;
  /** How many words are left after this stage. */
  readonly left: number;
  /** The likeliest words that it let pass, and the likeliest that it left out. */
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
}

/**
 * What each stage of the filter leaves of a word list on a board: all words, words of the board's letters alone, words that
 * its sides allow, and words that a search on these terms uses.
 *
 * @example explainFilter(board, lexicon).map(({ stage, left }) => `${stage} ${left}`) // list 276659, letters 3000, sides 890
 */
export function explainFilter(
  board: Board,
  lexicon: Lexicon,
  { tier, exclude = [] }: Pick<SearchOptions, 'tier' | 'exclude'> = {},
  examples = 3,
): FilteredWords[] {
  const letters = new RegExp(`^[${board.letters}]+$`);
  const walked = new Set(findPlayable(board, lexicon).map(({ word }) => word));
  const unwanted = new Set(exclude.map((word) => word.toLowerCase()));
  const rules: [FilterStage, (entry: LexiconEntry) => boolean][] = [
    ['list', () => true],
    ['letters', ({ word }) => letters.test(word)],
    ['sides', ({ word }) => walked.has(word)],
  ];
  if (tier === 'everyday') rules.push(['everyday', (entry) => entry.tier === 'everyday']);
  if (unwanted.size > 0) rules.push(['exclude', ({ word }) => !unwanted.has(word)]);
  let left: LexiconEntry[] = [...lexicon.entries()];
  return rules.map(([stage, passes]) => {
    const kept = left.filter(passes);
    const dropped = left.filter((entry) => !passes(entry));
    left = kept;
    return {
      stage,
      left: kept.length,
      kept: likeliest(kept, examples),
      dropped: likeliest(dropped, examples),
    };
  });
}

/** Among equally likely words, the longest first, then the first in the alphabet. */
function likeliest(words: readonly LexiconEntry[], count: number): string[] {
  const best: LexiconEntry[] = [];
  for (const word of words) {
    const at = best.findIndex(
      ({ likelihood, word: { length } }) =>
        likelihood < word.likelihood || (likelihood === word.likelihood && length < word.word.length),
    );
    if (at >= 0) best.splice(at, 0, word);
    else best.push(word);
    best.length = Math.min(best.length, count);
  }
  return best.map(({ word }) => word);
}
