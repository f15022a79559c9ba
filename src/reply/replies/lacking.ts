import type { Search } from '../../solver/search.ts';
import type { Block, Reply } from '../model/types.ts';

/** What an answer about a search lacks, where nothing was found: a solved board lacks nothing. */
export function lackOf(search: Search, isFound: boolean): Reply['lacking'] {
  if (isFound || search.fewest === 0) return undefined;
  return search.cut === undefined ? 'none' : 'unknown';
}

/**
 * The same of a reply, to be spread into it: what was found is in its spoilers.
 *
 * @example lackingOf(search, [{ kind: 'text', lines: ['No solution.'] }]) // { lacking: 'none' }
 */
export function lackingOf(search: Search, blocks: readonly Block[]): Pick<Reply, 'lacking'> {
  const lacking = lackOf(
    search,
    blocks.some(({ kind }) => kind === 'spoiler'),
  );
  return lacking === undefined ? {} : { lacking };
}
