import { capitalized, listed } from '../core/text.ts';
import type { Judge, Puzzle } from '../puzzle/types.ts';
import { actionOn, subjectOfDay } from '../reply/model/subject.ts';
import type { Reply } from '../reply/model/types.ts';
import { sourceLabel } from '../reply/replies/board.ts';
import { hintBlocks, hintPost } from '../reply/replies/hint.ts';
import { HINT_STEPS, HINTS, type Hint } from '../reply/replies/hint-steps.ts';
import { type SolutionRequest, solutionBlocks, solutionReply } from '../reply/replies/solutions.ts';
import type { Search } from '../solver/search.ts';

/** The steps of a day's thread, in their order: each hint, then the solution. */
export const THREAD_STEPS = [...HINT_STEPS, 'solution'] as const;
export type ThreadStep = (typeof THREAD_STEPS)[number];

const SOLUTION = { name: 'The solution', setting: 'When the full solution comes, or off' };
const ABOUT: Readonly<Record<ThreadStep, Pick<Hint, 'name' | 'setting'>>> = { ...HINTS, solution: SOLUTION };

/** What a step is called in sentences, such as `start letters`. */
export function stepName(step: ThreadStep): string {
  return ABOUT[step].name.toLowerCase();
}

/** What the option for the time of a step says. */
export function stepSetting(step: ThreadStep): string {
  return ABOUT[step].setting;
}

export interface ThreadStepsRequest {
  readonly puzzle: Puzzle;
  readonly steps: readonly ThreadStep[];
  readonly search: Search;
  readonly certain: Judge['certain'];
  readonly audience: Reply['audience'];
}

/** The message of one step, or of several that come at once, in the order of the ladder. */
export function threadStepsReply(request: ThreadStepsRequest): Reply {
  const [only] = request.steps;
  return request.steps.length === 1 && only !== undefined
    ? stepMessage(request, only)
    : mergedMessage(request);
}

function stepMessage(request: ThreadStepsRequest, step: ThreadStep): Reply {
  const { puzzle, search, audience } = request;
  if (step !== 'solution') return { ...hintPost({ subject: subjectOfDay(puzzle), search, step }), audience };
  const solution = solutionReply({ ...solutionOf(request), source: sourceLabel(puzzle) });
  // The thread itself has the day in its name.
  return audience === 'everyone' ? { ...solution, title: SOLUTION.name } : solution;
}

function mergedMessage(request: ThreadStepsRequest): Reply {
  const { puzzle, steps, search, audience } = request;
  const subject = subjectOfDay(puzzle);
  const inOrder = THREAD_STEPS.filter((step) => steps.includes(step));
  const names = listed(inOrder.map(stepName));
  return {
    // The thread itself has the day in its name.
    title: audience === 'everyone' ? capitalized(names) : `${subject.name}: ${names}`,
    blocks: inOrder.flatMap((step) =>
      step === 'solution' ? solutionBlocks(solutionOf(request)) : hintBlocks(search, step),
    ),
    audience,
    again: actionOn(subject, 'thread', { steps: inOrder.join(',') }),
  };
}

function solutionOf({ puzzle, search, certain, audience }: ThreadStepsRequest): SolutionRequest {
  return {
    subject: subjectOfDay(puzzle),
    search,
    certain,
    ...(puzzle.official !== undefined && { official: { words: puzzle.official, source: puzzle.source } }),
    audience,
  };
}
