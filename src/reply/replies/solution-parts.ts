import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { bold } from '../model/text.ts';
import type { Block, Inline, Line, Reply } from '../model/types.ts';
import { quickOf } from './chosen-solutions.ts';

/** Words as people see them, in the order in which they are played. */
export function wordsLine(words: readonly string[]): Inline {
  return bold(words.map((word) => word.toUpperCase()).join(' – '));
}

/** Of the solutions whose words are the likeliest. Where the list that decides is known, no word is safer than another. */
export const safestLabel = (certain: boolean): string =>
  `${certain ? 'Best-known words' : 'Safest'} (may be longer)`;

/** From here on a percentage would only say that the words are as good as certain. */
const SAFE = 0.95;

/** A solution, and the chance that the game accepts all its words, where there is some doubt. */
export function solutionLine(
  { words, likelihood }: Pick<Solution, 'words' | 'likelihood'>,
  certain: boolean,
): Line {
  return certain || likelihood >= SAFE
    ? [wordsLine(words)]
    : [wordsLine(words), `${NO_BREAK}(${percent(likelihood)})`];
}

/** Between words and their percentage, which are read together. */
const NO_BREAK = '\u00A0';

/** What the percentages mean; nothing where none is shown. */
export function likelihoodNote(
  certain: boolean,
  solutions: readonly Pick<Solution, 'likelihood'>[],
): Block[] {
  if (certain || solutions.every(({ likelihood }) => likelihood >= SAFE)) return [];
  const isMixed = solutions.some(({ likelihood }) => likelihood >= SAFE);
  const rest = isMixed ? ` Without one it is ${percent(SAFE)} or more.` : '';
  return [{ kind: 'note', line: `${PERCENT_MEANS}.${rest}` }];
}

export const PERCENT_MEANS = '% = chance that the game accepts the words';

/** Never 0% or 100% for what is not certain. */
export function percent(likelihood: number): string {
  return `${likelihood === 1 ? 100 : Math.min(99, Math.max(1, Math.round(100 * likelihood)))}%`;
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
export function unprovenBlocks(search: Search, certain: boolean, { open = false } = {}): Block[] {
  const solution = search.cut === undefined ? undefined : quickOf(search);
  if (solution === undefined) return [];
  return [
    {
      kind: 'spoiler',
      label: 'A solution, maybe not the shortest',
      hidden: [solutionLine(solution, certain)],
      ...(open && { open }),
    },
    ...likelihoodNote(certain, [solution]),
  ];
}
