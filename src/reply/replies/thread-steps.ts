import { capitalized, listed } from '../../core/text.ts';
import type { Judge, Puzzle } from '../../puzzle/types.ts';
import type { Search } from '../../solver/search.ts';
import { FACTS, type Fact, HINT_STEPS } from '../model/facts.ts';
import { actionOn, namedBoardOfDay } from '../model/named-board.ts';
import { replyTo } from '../model/text.ts';
import type { BoardReply, Reply } from '../model/types.ts';
import { sourceLabel } from './board.ts';
import { hintBlocks } from './hint.ts';
import { HINTS, type Hint } from './hint-steps.ts';
import { solutionBlocks, solutionReply } from './reveal.ts';
import { notFoundIn } from './solution-lists.ts';

/** The steps of a day's thread, in their order: each reveals one fact. */
export const THREAD_STEPS = FACTS;
export type ThreadStep = Fact;

const SOLUTION = { name: 'The solution', setting: 'When the full solution comes, or off' };
const STEP_TEXTS: Readonly<Record<ThreadStep, Pick<Hint, 'name' | 'setting'>>> = {
  ...HINTS,
  solution: SOLUTION,
};

/** The names of the steps in sentences, such as `start letters`. */
export const STEP_NAMES = Object.fromEntries(
  THREAD_STEPS.map((step) => [step, STEP_TEXTS[step].name.toLowerCase()]),
) as Readonly<Record<ThreadStep, string>>;

export function stepSetting(step: ThreadStep): string {
  return STEP_TEXTS[step].setting;
}

export interface ThreadStepsRequest extends Pick<Judge, 'isListExact'> {
  readonly puzzle: Puzzle;
  readonly steps: readonly ThreadStep[];
  readonly search: Search;
  readonly audience: Reply['audience'];
}

/** The message of one step, or of several that come together, in the order of the steps. */
export function threadStepsReply(request: ThreadStepsRequest): BoardReply {
  const { puzzle, steps, search, isListExact, audience } = request;
  const namedBoard = namedBoardOfDay(puzzle);
  const official = puzzle.official && { words: puzzle.official, source: puzzle.source };
  const solution = { namedBoard, search, isListExact, official, audience };
  const inOrder = THREAD_STEPS.filter((step) => steps.includes(step));
  const hints = HINT_STEPS.filter((step) => steps.includes(step));
  const isForAll = audience === 'everyone';
  if (hints.length === 0) {
    const reply = solutionReply({ ...solution, source: sourceLabel(puzzle) });
    // The name of the thread says already which day it is.
    return isForAll ? { ...reply, title: SOLUTION.name } : reply;
  }
  const names = listed(inOrder.map((step) => STEP_NAMES[step]));
  const title = isForAll ? capitalized(names) : `${namedBoard.name}: ${names}`;
  const blocks = [
    ...hintBlocks({ namedBoard, search }, hints),
    ...(inOrder.length > hints.length ? solutionBlocks(solution) : []),
  ];
  return replyTo(audience, title, blocks, {
    // All of it is hidden: each spoiler names what it reveals to the person who opens it.
    reveals: [],
    notFound: notFoundIn(blocks, search),
    rerun: actionOn(namedBoard, 'thread', { steps: inOrder.join(',') }),
  });
}
