import { onwardsOf } from '../../../../commands/board/played.ts';
import { searchOf } from '../../../../commands/board/searches.ts';
import { topicOf } from '../../../../commands/board/topic.ts';
import { choiceOf } from '../../../../commands/dispatch/options.ts';
import type { App, Request } from '../../../../commands/types.ts';
import { bestOf } from '../../../reply/seemly.ts';
import {
  edgeLetters,
  firstWord,
  HINT_STEPS,
  type HintStep,
  hardestLetters,
  joiningLetters,
  maskedWords,
  startLetters,
  wordLengths,
  wordsNeeded,
} from '../../../solver/hints.ts';
import type { Search } from '../../../solver/search.ts';
import type { Solution } from '../../../solver/types.ts';
import type { Arguments } from '../arguments.ts';
import { type DataAnswer, EXIT } from '../subcommand.ts';

/** One step, the first of the ladder unless another is named; `--reveal` adds the whole solution. */
export async function hint(request: Request, app: App, typed: Arguments): Promise<DataAnswer> {
  const topic = await topicOf(request, app);
  const search = searchOf(topic, app, onwardsOf(request));
  const { sides } = topic.board;
  const step = choiceOf(request, 'step', HINT_STEPS) ?? 'start';
  const best = bestOf(search);
  if (best === undefined) return { exit: EXIT.noSolution, json: () => ({ sides, solvable: false }) };
  return {
    exit: EXIT.answered,
    json: () => ({
      sides,
      [step]: STEPS[step](search, best),
      ...(typed.flag('reveal') && { solution: best.words }),
    }),
  };
}

const STEPS: Readonly<Record<HintStep, (search: Search, best: Solution) => unknown>> = {
  start: (search) => ({ letters: startLetters(search), edges: edgesOf(search) }),
  count: (search) => wordsNeeded(search),
  hardest: (search) => hardestLetters(search),
  lengths: (_, best) => wordLengths(best),
  joint: (_, best) => joiningLetters(best),
  masked: (_, best) => maskedWords(best),
  first: (_, best) => firstWord(best),
};

/** Good and bad letters at either end; what was played settles the first one already. */
function edgesOf(search: Search): unknown {
  return search.options.played?.length ? undefined : edgeLetters(search);
}
