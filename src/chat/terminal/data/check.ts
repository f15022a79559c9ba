import { searchOf } from '../../../../commands/board/searches.ts';
import { topicOf } from '../../../../commands/board/topic.ts';
import { wordsOf } from '../../../../commands/dispatch/options.ts';
import type { App, Request } from '../../../../commands/types.ts';
import { checkWords } from '../../../solver/check.ts';
import { type DataAnswer, EXIT } from '../subcommand.ts';

export async function check(request: Request, app: App): Promise<DataAnswer> {
  const topic = await topicOf(request, app);
  const { board, judge } = topic;
  const result = checkWords(board, wordsOf(request, 'words'), searchOf(topic, app), judge.isWord);
  return {
    exit: EXIT.answered,
    json: () => ({ sides: board.sides, ...result, fewestMore: result.fewestMore ?? null }),
  };
}
