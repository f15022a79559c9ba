/** Solutions as blocks of a reply, hidden in spoilers. `chosen-solutions.ts` chooses them. */

import { listed } from '../../core/text.ts';
import type { Judge } from '../../puzzle/types.ts';
import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { type Fact, wordFacts } from '../model/facts.ts';
import type { NamedBoard } from '../model/named-board.ts';
import { bold, chainText, notes, present } from '../model/text.ts';
import type { Block, Line, Reply } from '../model/types.ts';
import { notFoundReason, offends, quickOf } from './chosen-solutions.ts';

/** The board whose solutions, or continuations, are listed. */
export interface ListedBoard extends Pick<Judge, 'isListExact'> {
  readonly namedBoard: NamedBoard;
  readonly search: Search;
  /** Shows the words openly to a person who has asked for exactly this. */
  readonly open?: boolean;
  /** The fact that each list reveals; by default a solution. */
  readonly fact?: Fact;
  /** Added to the labels of what is hidden. */
  readonly priceLabel?: string;
}

/** A spoiler with the solutions, and another one with solutions that may offend, which is never open at first. */
export function spoilersOf(
  { namedBoard, search, isListExact, open, fact = 'solution', priceLabel = '' }: ListedBoard,
  { label, solutions }: SolutionList,
): Block[] {
  const spoiler = (name: string, some: readonly Listed[], isOpen?: boolean): Block => ({
    kind: 'spoiler',
    label: isOpen ? name : name + priceLabel,
    hidden: some.map((solution) => solutionLine(solution, isListExact)),
    reveals: wordFacts(
      namedBoard,
      fact,
      some.map(({ words }) => words),
      search.options.played,
    ),
    open: isOpen,
  });
  const offensive = solutions.filter(({ words }) => offends(search, words));
  const inoffensive = solutions.filter((solution) => !offensive.includes(solution));
  return present([
    inoffensive.length > 0 && spoiler(label, inoffensive, open),
    offensive.length > 0 && spoiler(withWarning(label), offensive),
  ]);
}

export function withWarning(label: string): string {
  return `${label} – may offend`;
}

/** The label of the solutions with the likeliest words. If the game's list is known, no word is safer than another. */
export function safestLabel(isListExact: boolean): string {
  return `${isListExact ? 'Best-known words' : 'Safest'} (may be longer)`;
}

type Listed = Pick<Solution, 'words' | 'likelihood'> & {
  /** The letters still unused after these words. */
  readonly leaves?: readonly string[];
};

interface SolutionList {
  readonly label: string;
  readonly solutions: readonly Listed[];
}

/**
 * A spoiler for each list that is not empty, or a single one if the shortest are also the safest, and a note on their
 * percentages.
 */
export function listedBlocks(board: ListedBoard, lists: readonly SolutionList[]): Block[] {
  const { isListExact } = board;
  const [first, second] = lists;
  const spelled = (list: SolutionList) => list.solutions.map(({ words }) => words.join(' ')).join('\n');
  const areSame = first !== undefined && second !== undefined && spelled(first) === spelled(second);
  const label = `Shortest and ${isListExact ? 'best known' : 'safest'}`;
  const shown = areSame ? [{ label, solutions: first.solutions }] : lists;
  return [
    ...shown.flatMap((list) => spoilersOf(board, list)),
    ...likelihoodNote(
      isListExact,
      lists.flatMap(({ solutions }) => solutions),
    ),
  ];
}

/** Solutions of at least this likelihood are as good as certain, and need no percentage. */
const SAFE_LIKELIHOOD = 0.95;

/** A solution and, if there is some doubt, the chance that the game accepts all its words. */
function solutionLine({ words, likelihood, leaves = [] }: Listed, isListExact: boolean): Line {
  return [
    bold(chainText(words)),
    isListExact || likelihood >= SAFE_LIKELIHOOD ? '' : `${NO_BREAK}(${percent(likelihood)})`,
    leaves.length === 0 ? '' : `, which leaves ${listed(leaves.map((letter) => letter.toUpperCase()))}`,
  ];
}

/** Between words and their percentage, so that no line ends there. */
const NO_BREAK = '\u00A0';

/** Explains the percentages; empty if none is shown. */
function likelihoodNote(isListExact: boolean, solutions: readonly Listed[]): Block[] {
  if (isListExact || solutions.every(({ likelihood }) => likelihood >= SAFE_LIKELIHOOD)) return [];
  const isMixed = solutions.some(({ likelihood }) => likelihood >= SAFE_LIKELIHOOD);
  const rest = isMixed ? ` No % means ${percent(SAFE_LIKELIHOOD)} or more.` : '';
  return notes(`${PERCENT_MEANS}.${rest}`);
}

export const PERCENT_MEANS = '% = chance that the game accepts the words';

/** Never 0% or 100% for an uncertain word. */
export function percent(likelihood: number): string {
  return `${likelihood === 1 ? 100 : Math.min(99, Math.max(1, Math.round(100 * likelihood)))}%`;
}

/**
 * A solution that may not be the shortest, for when the time ran out before anything was certain. Hints are then about this
 * solution, too.
 */
export function unprovenBlocks(board: ListedBoard): Block[] {
  const { search } = board;
  const solution = search.cut === undefined ? undefined : quickOf(search);
  if (solution === undefined) return [];
  return listedBlocks(board, [{ label: 'A solution, maybe not the shortest', solutions: [solution] }]);
}

/**
 * Why these blocks have no spoiler, and so nothing that the search found.
 *
 * @example notFoundIn([{ kind: 'text', lines: ['No solution.'] }], search) // 'none'
 */
export function notFoundIn(blocks: readonly Block[], search: Search): Reply['notFound'] {
  return notFoundReason(
    search,
    blocks.some(({ kind }) => kind === 'spoiler'),
  );
}
