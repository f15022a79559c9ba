import type { Search } from '../solver/search.ts';
import type { Block, Reply } from './types.ts';

/**
 * What a reply about a search lacks, to be spread into it: what was found is in its spoilers.
 *
 * @example lackingOf(search, [{ kind: 'text', lines: ['No solution.'] }]) // { lacking: 'none' }
 */
export function lackingOf(search: Search, blocks: readonly Block[]): Pick<Reply, 'lacking'> {
  if (search.fewest === 0 || blocks.some(({ kind }) => kind === 'spoiler')) return {};
  return { lacking: search.cut === undefined ? 'none' : 'unknown' };
}
