import { refuseBroken } from '../../../answers/searches.ts';
import { jobAskerOf, onwardsOf, topicOf } from '../../../dispatch/board/topic.ts';
import { type App, type Request, wordsOf } from '../../../dispatch/contract.ts';
import { notFoundBy, quickOf, shortestOf } from '../../../reply/replies/chosen-solutions.ts';
import type { Arguments } from '../arguments.ts';
import { type Answer, type DataAnswer, EXIT, exitOf } from '../subcommand.ts';

export async function check(request: Request, app: App): Promise<DataAnswer> {
  const topic = await topicOf(request, app);
  const { board, source } = topic;
  const words = wordsOf(request, 'words');
  const result = await app.work.run('check', { board, source, words }, jobAskerOf(request));
  return {
    exit: result.words.every(({ broken }) => broken === undefined) ? EXIT.answered : EXIT.noSolution,
    json: () => ({ sides: board.sides, ...result, fewestMore: result.fewestMore ?? null }),
  };
}

const SHOWN = 5;

export async function next(request: Request, app: App, typed: Arguments): Promise<Answer> {
  const topic = await topicOf(request, app);
  const played = wordsOf(request, 'words');
  const judged = app.work.judgeHere(topic.board, topic.source);
  refuseBroken(judged, played);
  const search = app.work.searchHere(judged, onwardsOf(request));
  const { fewest } = search;
  const limit = typed.whole('limit', 1, 10_000) ?? SHOWN;
  const ways = fewest === 0 ? [] : [...shortestOf(search, { oneEach: true }).take(limit)];
  // Where certainty took too long, a right way on that may not be the shortest is better than none.
  const unproven = notFoundBy(search, ways.length > 0) === 'unknown' ? quickOf(search) : undefined;
  const lacking = notFoundBy(search, ways.length > 0 || unproven !== undefined);
  return {
    exit: exitOf({ notFound: lacking }),
    json: () => ({
      sides: topic.board.sides,
      played,
      fewestMore: fewest ?? null,
      ways,
      ...(search.cut !== undefined && { cut: search.cut }),
      ...(unproven !== undefined && { unproven }),
    }),
    *lines() {
      if (fewest === 0) yield 'Solved: nothing is left.';
      else if (fewest !== undefined) yield `Fewest more words: ${fewest}`;
      for (const way of ways) yield `  ${way.words.join(' ')}`;
      if (unproven !== undefined) yield `A way on, maybe not the shortest: ${unproven.words.join(' ')}`;
      if (search.cut !== undefined) yield search.cut;
      else if (lacking === 'none') yield 'No word in the word list finishes from here.';
    },
  };
}
