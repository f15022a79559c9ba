import { wordFilterOf } from '../../../../commands/words.ts';
import { topicOf } from '../../../dispatch/board/topic.ts';
import type { App, Request } from '../../../dispatch/contract.ts';
import { coverageOf, pickWords } from '../../../reply/replies/words.ts';
import type { Arguments } from '../arguments.ts';
import { type Answer, EXIT, skipped } from '../subcommand.ts';

const SHOWN = 50;

export async function words(request: Request, app: App, typed: Arguments): Promise<Answer> {
  const filter = wordFilterOf(request);
  const { board, source } = await topicOf(request, app);
  const { judge } = app.work.judgeHere(board, source);
  const found = pickWords(judge.words, filter);
  const limit = typed.whole('limit', 1, 1_000_000) ?? (typed.flag('all') ? Number.POSITIVE_INFINITY : SHOWN);
  const before = skipped(request, limit);
  const shown = found.slice(before, before + limit);
  const after = found.length - before - shown.length;
  return {
    exit: found.length > 0 ? EXIT.answered : EXIT.noSolution,
    json: () => ({
      sides: board.sides,
      total: found.length,
      words: shown.map((word) => ({
        word: word.word,
        likelihood: word.likelihood,
        tier: word.tier,
        covers: coverageOf(word),
      })),
    }),
    *lines() {
      for (const word of shown) {
        yield `${(100 * word.likelihood).toFixed(1).padStart(5)} %  ${String(coverageOf(word)).padStart(2)}  ${word.word}`;
      }
      if (after > 0) yield `and ${after} more (--all)`;
      if (found.length > 0 && shown.length === 0) yield 'There are no more words on this page.';
      if (found.length === 0) yield 'No playable word matches.';
    },
  };
}
