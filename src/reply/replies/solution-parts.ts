import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { bold } from '../model/text.ts';
import type { Block, Inline, Line, Reply } from '../model/types.ts';
import { quickOf } from './inoffensive-first.ts';

/** Words as people see them, in the order in which they are played. */
export function wordsLine(words: readonly string[]): Inline {
  return bold(words.map((word) => word.toUpperCase()).join(' – '));
}

/** A solution, and how likely the game is to take all its words, where that is not known for certain. */
export function solutionLine({ words, likelihood }: Solution, certain: boolean): Line {
  return certain ? [wordsLine(words)] : [wordsLine(words), ` (${percent(likelihood)})`];
}

/** What the percentages mean; nothing where no percentages are shown. */
export function likelihoodNote(certain: boolean): Block[] {
  if (certain) return [];
  return [{ kind: 'note', line: 'Percentages: how likely the game is to take every word.' }];
}

export function percent(likelihood: number): string {
  const whole = Math.round(100 * likelihood);
  return whole < 1 ? 'under 1 %' : whole === 100 && likelihood < 1 ? 'over 99 %' : `${whole} %`;
}

/** Why a search found nothing; undefined when it found something or the board is solved already. */
export function notFoundBy(search: Search, isFound: boolean): Reply['notFound'] {
  if (isFound || search.fewest === 0) return undefined;
  return search.cut === undefined ? 'none' : 'unknown';
}

/**
 * The same as a part of a reply with these blocks. What a search found is always in a spoiler.
 *
 * @example notFoundIn(search, [{ kind: 'text', lines: ['No solution.'] }]) // { notFound: 'none' }
 */
export function notFoundIn(search: Search, blocks: readonly Block[]): Pick<Reply, 'notFound'> {
  const notFound = notFoundBy(
    search,
    blocks.some(({ kind }) => kind === 'spoiler'),
  );
  return notFound === undefined ? {} : { notFound };
}

/**
 * When the time ran out before anything was certain, this shows a solution that may not be the shortest.
 * Hints for such a board are about the same solution.
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
