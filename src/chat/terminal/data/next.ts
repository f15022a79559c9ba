import { onwardsOf } from '../../../../commands/board/played.ts';
import { searchOf } from '../../../../commands/board/searches.ts';
import { topicOf } from '../../../../commands/board/topic.ts';
import { wordsOf } from '../../../../commands/dispatch/options.ts';
import type { App, Request } from '../../../../commands/types.ts';
import { shortestOf } from '../../../reply/seemly.ts';
import type { Arguments } from '../arguments.ts';
import { type Answer, EXIT } from '../subcommand.ts';

const SHOWN = 5;

export async function next(request: Request, app: App, typed: Arguments): Promise<Answer> {
  const topic = await topicOf(request, app);
  const played = wordsOf(request, 'words');
  const search = searchOf(topic, app, onwardsOf(request));
  const { fewest } = search;
  const limit = typed.whole('limit', 1, 10_000) ?? SHOWN;
  const ways = [...shortestOf(search, { oneEach: true }).take(limit)];
  return {
    exit: fewest === undefined ? EXIT.noSolution : EXIT.answered,
    json: () => ({ sides: topic.board.sides, played, fewestMore: fewest ?? null, ways }),
    *lines() {
      if (fewest === undefined) yield search.cut ?? 'No words of our list finish from here.';
      else if (fewest === 0) yield 'Solved: nothing is left.';
      else {
        yield `Fewest more words: ${fewest}`;
        for (const way of ways) yield `  ${way.words.join(' ')}`;
      }
    },
  };
}
