import { refuseBroken } from '../../../answers/searches.ts';
import { onwardsOf, topicOf } from '../../../dispatch/board/topic.ts';
import { type App, choiceOf, type Request, wordsOf } from '../../../dispatch/contract.ts';
import { bestOf, quickOf } from '../../../reply/replies/chosen-solutions.ts';
import { clues } from '../../../reply/replies/hint-lines.ts';
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

/** One step, the first of the ladder unless another is named; `--solution` adds the whole solution. */
export async function hint(request: Request, app: App, typed: Arguments): Promise<DataAnswer> {
  const topic = await topicOf(request, app);
  const judged = app.work.judgeHere(topic.board, topic.source);
  refuseBroken(judged, wordsOf(request, 'words'));
  const search = app.work.searchHere(judged, onwardsOf(request));
  const { sides } = topic.board;
  const step = choiceOf(request, 'step', HINT_STEPS) ?? 'start';
  if (search.fewest === 0) return { exit: EXIT.answered, json: () => ({ sides, solved: true }) };
  const best = bestOf(search);
  const answer = (solution: Solution, steps: Steps) => ({
    sides,
    [step]: steps[step](search, solution),
    ...(typed.flag('solution') && { solution: solution.words }),
  });
  if (best !== undefined) {
    return {
      exit: EXIT.answered,
      json: () => ({ ...answer(best, STEPS), ...(search.cut !== undefined && { cut: search.cut }) }),
    };
  }
  const { cut } = search;
  if (cut === undefined) return { exit: EXIT.noSolution, json: () => ({ sides, solvable: false }) };
  // The time ran out: hints about a correct solution that may not be the shortest.
  const found = quickOf(search);
  return found === undefined
    ? { exit: EXIT.unknown, json: () => ({ sides, solvable: null, cut }) }
    : { exit: EXIT.answered, json: () => ({ ...answer(found, HURRIED), unproven: true, cut }) };
}

type Steps = Readonly<Record<HintStep, (search: Search, best: Solution) => unknown>>;

const STEPS: Steps = {
  start: (search) => ({ letters: startLetters(search), edges: edgesOf(search) }),
  count: (search) => wordsNeeded(search),
  hardest: (search) => hardestLetters(search),
  lengths: (_, best) => wordLengths(best),
  joint: (_, best) => joiningLetters(best),
  meaning: (_, best) => clues(best.words).map((clue) => clue ?? null),
  masked: (_, best) => maskedWords(best),
  first: (_, best) => firstWord(best),
};

const HURRIED: Steps = {
  ...STEPS,
  start: (_, found) => ({ letters: [{ letter: firstWord(found)[0] }] }),
  count: (_, found) => ({ most: found.words.length }),
};

/** Good and bad letters at either end; what was played settles the first one already. */
function edgesOf(search: Search): unknown {
  return search.options.played?.length ? undefined : edgeLetters(search);
}
