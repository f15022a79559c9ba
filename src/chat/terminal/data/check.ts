import { jobAskerOf, topicOf } from '../../../dispatch/board/topic.ts';
import { type App, type Request, wordsOf } from '../../../dispatch/contract.ts';
import { type DataAnswer, EXIT } from '../subcommand.ts';

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
