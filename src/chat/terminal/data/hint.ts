import { refuseBroken } from '../../../answers/searches.ts';
import { onwardsOf, topicOf } from '../../../dispatch/board/topic.ts';
import { type App, choiceOf, type Request, wordsOf } from '../../../dispatch/contract.ts';
import { bestOf, quickOf } from '../../../reply/replies/chosen-solutions.ts';
import { HINT_STEPS, HINTS, type Hint } from '../../../reply/replies/hint-steps.ts';
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
  const { data, hurried } = HINTS[step];
  const answer = (solution: Solution, dataOf: Hint['data']) => ({
    sides,
    [step]: dataOf(search, solution),
    ...(typed.flag('solution') && { solution: solution.words }),
  });
  if (best !== undefined) {
    return {
      exit: EXIT.answered,
      json: () => ({ ...answer(best, data), ...(search.cut !== undefined && { cut: search.cut }) }),
    };
  }
  const { cut } = search;
  if (cut === undefined) return { exit: EXIT.noSolution, json: () => ({ sides, solvable: false }) };
  // The time ran out: hints about a correct solution that may not be the shortest.
  const found = quickOf(search);
  return found === undefined
    ? { exit: EXIT.unknown, json: () => ({ sides, solvable: null, cut }) }
    : { exit: EXIT.answered, json: () => ({ ...answer(found, hurried?.data ?? data), unproven: true, cut }) };
}
