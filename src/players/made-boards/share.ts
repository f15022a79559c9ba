import type { App, Request } from '../../dispatch/contract.ts';
import { subjectOfBoard } from '../../reply/model/subject.ts';
import type { Reply } from '../../reply/model/types.ts';
import { pathOf } from '../../reply/picture/layout.ts';
import { noWordsReply, sharedReply, unsharedReply } from '../../reply/replies/result.ts';
import type { ShareFormat } from '../../reply/replies/result-line.ts';
import { Random } from '../../solver/random.ts';
import { anonymizePath } from '../results/record-solution.ts';
import { postShared, shareKey } from '../results/shared.ts';
import { wordsOfResult } from '../solo/words-of-result.ts';
import type { MadeBoard } from './made-board.ts';

/** Shows everybody the asker's result of a board that somebody made for the channel, in the thread of that board. */
export async function shareMadeBoard(
  request: Request,
  app: App,
  madeBoard: MadeBoard,
  format?: ShareFormat,
): Promise<Reply> {
  const { who, where } = request;
  const { key, board, name, posted, sides } = madeBoard;
  const subject = { ...subjectOfBoard(board), name };
  const result = await app.store
    .tenant(where.tenant)
    .madeBoards.resultOf(where.channel, madeBoard.key, who.id);
  if (result === undefined) return unsharedReply(subject);
  // Only of this tenant: such a result counts nowhere else, and has no checksum to tell it from another game's words.
  const game = { person: who.id, board: sides, tenants: [where.tenant] };
  const words = await wordsOfResult(app, game, result);
  if (format === 'notation' && words === undefined) return noWordsReply(subject);
  const shown = {
    ...result,
    lengths: words?.map(({ length }) => length) ?? [],
    sinceOpening: undefined,
    ...(words !== undefined && {
      path: anonymizePath(board, pathOf(board, words).words, new Random(app.randomSeed())),
    }),
  };
  return postShared(request, app, {
    reply: sharedReply(subject, who.id, shown, { format, words }),
    key: shareKey(where, { ...result, date: key }, format),
    thread: posted,
    note: { thread: `the thread of ${name}` },
  });
}
