import { searchOf } from '../../../../commands/board/searches.ts';
import { topicOf } from '../../../../commands/board/topic.ts';
import { wordsOf } from '../../../../commands/dispatch/options.ts';
import type { App, Request } from '../../../../commands/types.ts';
import type { Arguments } from '../arguments.ts';
import { type DataAnswer, EXIT } from '../subcommand.ts';

const SHOWN = 5;

export async function next(request: Request, app: App, typed: Arguments): Promise<DataAnswer> {
  const topic = await topicOf(request, app);
  const played = wordsOf(request, 'words');
  const search = searchOf(topic, app, {
    played,
    ...(typed.flag('everyday') && { tier: 'everyday' as const }),
  });
  const { fewest } = search;
  const limit = typed.whole('limit', 1, 10_000) ?? SHOWN;
  const ways = [...search.solutions('shortest', { oneEach: true }).take(limit)];
  return {
    exit: fewest === undefined ? EXIT.noSolution : EXIT.answered,
    json: () => ({ sides: topic.board.sides, played, fewestMore: fewest ?? null, ways }),
  };
}
