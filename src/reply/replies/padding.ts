import type { Search } from '../../solver/search.ts';
import type { Board, Solution } from '../../solver/types.ts';
import { pathOf } from '../picture/path.ts';
import { inoffensiveFirst } from './inoffensive-first.ts';

/** Where short solutions are sure ones, hundreds of longer ones are the same with a word added. */
const MOST_LOOKED_AT = 1000;

/**
 * The surest solutions, best first, without those that only add a word to a shorter one: likely as they
 * are, they are no answer of their own.
 */
export function surestOf(search: Search): IteratorObject<Solution> {
  const own = search
    .solutions('surest')
    .take(MOST_LOOKED_AT)
    .filter(({ words }) => words.length === search.fewest || !isPadded(search.board, words));
  return inoffensiveFirst(search, own, { byLength: false });
}

/** True when the words still solve the board with one of them left out. */
export function isPadded(board: Board, words: readonly string[]): boolean {
  return words.some((_, left) => {
    const rest = words.filter((_, index) => index !== left);
    const path = pathOf(board, rest).words;
    return path.length === rest.length && new Set(path.flat()).size === board.letters.length;
  });
}
