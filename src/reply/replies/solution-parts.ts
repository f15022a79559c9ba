import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { bold, chainText } from '../model/text.ts';
import type { Block, Inline, Line } from '../model/types.ts';
import { quickOf } from './chosen-solutions.ts';

/** Words as a line of their own. */
export function wordsLine(words: readonly string[]): Inline {
  return bold(chainText(words));
}

/** Of the solutions whose words are the likeliest. Where the list that decides is known, no word is safer than another. */
export const safestLabel = (certain: boolean): string =>
  `${certain ? 'Best-known words' : 'Safest'} (may be longer)`;

/** Of the shortest where the safest are the same. */
const bothLabel = (certain: boolean): string => `Shortest and ${certain ? 'best known' : 'safest'}`;

/** Solutions as they are listed under one label. */
export interface SolutionList {
  readonly label: string;
  readonly solutions: readonly Solution[];
}

/** A spoiler for each list that is not empty: one for the shortest and the safest together where they are the same. */
export function listBlocks(
  lists: readonly SolutionList[],
  certain: boolean,
  { open = false }: { readonly open?: boolean } = {},
): Block[] {
  const [first, second] = lists;
  const isOne = first !== undefined && second !== undefined && areSame(first.solutions, second.solutions);
  const shown = isOne ? [{ label: bothLabel(certain), solutions: first.solutions }] : lists;
  return shown
    .filter(({ solutions }) => solutions.length > 0)
    .map(({ label, solutions }) => ({
      kind: 'spoiler',
      label,
      hidden: solutions.map((solution) => solutionLine(solution, certain)),
      ...(open && { open }),
    }));
}

/** Whether two lists of solutions hold the same ones in the same order. */
function areSame(some: readonly Solution[], others: readonly Solution[]): boolean {
  const spell = (solutions: readonly Solution[]) => solutions.map(({ words }) => words.join(' ')).join('\n');
  return spell(some) === spell(others);
}

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
  const rest = isMixed ? ` No % means ${percent(SAFE)} or more.` : '';
  return [{ kind: 'note', line: `${PERCENT_MEANS}.${rest}` }];
}

export const PERCENT_MEANS = '% = chance that the game accepts the words';

/** Never 0% or 100% for what is not certain. */
export function percent(likelihood: number): string {
  return `${likelihood === 1 ? 100 : Math.min(99, Math.max(1, Math.round(100 * likelihood)))}%`;
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
