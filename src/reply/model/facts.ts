/** The facts about boards that replies reveal. Hint points and the numbers on hint cards depend on nothing else. */

import type { PuzzleDate } from '../../core/clock.ts';
import type { Board } from '../../solver/types.ts';

/** The hints on a board in their order. None reveals more than those after it. */
export const HINT_STEPS = [
  'count',
  'hardest',
  'lengths',
  'start',
  'joint',
  'meaning',
  'letters',
  'masked',
  'first',
] as const;
export type HintStep = (typeof HINT_STEPS)[number];

/** Everything that can be revealed: as much as one hint, or a whole solution, which costs as much as all hints. */
export const FACTS = [...HINT_STEPS, 'solution'] as const;
export type Fact = (typeof FACTS)[number];

/** Facts about a board that a reply reveals. */
export interface BoardFacts {
  readonly board: Pick<Board, 'sides'>;
  readonly date?: PuzzleDate | undefined;
  readonly facts: readonly Fact[];
  /** Set on a hint card. The next one repeats `board` facts; `other` ones hold after some words or for everyday words alone. */
  readonly card?: 'board' | 'other';
  readonly told?: ToldWords;
}

/**
 * The words that facts are about: named if the facts are a first word or a solution, otherwise only described. Those for
 * another board may give away the day's board, too (`src/dispatch/hint-record.ts`).
 */
export interface ToldWords {
  /** Each goes on from `after`, the words that the asker played. */
  readonly chains: readonly (readonly string[])[];
  readonly after?: readonly string[] | undefined;
}

/**
 * Facts without words, see `wordFacts`.
 *
 * @example factsAbout(namedBoard, 'count') // { board: { sides: ['ozu', …] }, date: '2026-11-20', facts: ['count'] }
 */
export function factsAbout(
  { board, date }: Pick<BoardFacts, 'board' | 'date'>,
  ...facts: readonly Fact[]
): BoardFacts {
  return { board: { sides: board.sides }, date, facts };
}

/** What words reveal that are told: each chain goes on from the words in `after`. */
export function wordFacts(
  about: Pick<BoardFacts, 'board' | 'date'>,
  fact: Fact,
  chains: ToldWords['chains'],
  after?: ToldWords['after'],
): BoardFacts {
  return { ...factsAbout(about, fact), told: { chains, after } };
}

/** What whole solutions reveal, or chains that go on from the words in `after`. */
export function solutionFacts(
  about: Pick<BoardFacts, 'board' | 'date'>,
  chains: ToldWords['chains'],
  after?: ToldWords['after'],
): BoardFacts {
  return wordFacts(about, 'solution', chains, after);
}

/** The hints that these facts cost. */
export function stepsOf(facts: Iterable<string>): HintStep[] {
  const shown = new Set(facts);
  return HINT_STEPS.filter((step) => shown.has(step) || shown.has('solution'));
}
