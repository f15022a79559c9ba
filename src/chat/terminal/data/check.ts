import { topicOf } from '../../../dispatch/board/topic.ts';
import { type App, type Request, wordsOf } from '../../../dispatch/contract.ts';
import { checkWords } from '../../../solver/check.ts';
import { type DataAnswer, EXIT } from '../subcommand.ts';

export async function check(request: Request, app: App): Promise<DataAnswer> {
  const topic = await topicOf(request, app);
  const { board, judge } = topic;
  const result = checkWords(board, wordsOf(request, 'words'), app.searches.of(topic), judge.isWord);
  return {
    exit: EXIT.answered,
    json: () => ({ sides: board.sides, ...result, fewestMore: result.fewestMore ?? null }),
  };
}
