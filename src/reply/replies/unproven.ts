import type { Search } from '../../solver/search.ts';
import type { Block } from '../model/types.ts';
import { quickOf } from './inoffensive-first.ts';
import { likelihoodNote, solutionLine } from './solution-line.ts';

/**
 * Where the time ran out before anything was certain: a right solution that may not be the shortest is better
 * than none. Hints of such a board are about the same one.
 */
export function unprovenBlocks(search: Search, certain: boolean): Block[] {
  const solution = search.cut === undefined ? undefined : quickOf(search);
  if (solution === undefined) return [];
  return [
    {
      kind: 'spoiler',
      label: 'A solution, perhaps not the shortest',
      hidden: [solutionLine(solution, certain)],
    },
    ...likelihoodNote(certain),
  ];
}
