import { lettersIn } from '../../core/text.ts';
import type { App, Asker, Request } from '../../dispatch/contract.ts';
import { savedWords } from '../../play/saved-game.ts';
import { subjectOfBoard } from '../../reply/model/subject.ts';
import type { Reply } from '../../reply/model/types.ts';
import { pathOf } from '../../reply/picture/path.ts';
import { noWordsReply, sharedReply, unsharedReply } from '../../reply/replies/result.ts';
import type { ShareFormat } from '../../reply/replies/share-formats.ts';
import { Random } from '../../solver/random.ts';
import type { ChallengeResult } from '../../store/tables/challenges.ts';
import { anonymizePath } from '../results/record-solution.ts';
import { postShared, shareKey } from '../results/shared.ts';
import type { Challenge } from './challenge.ts';

/** Shows everybody the asker's result of a board that somebody made for the channel, in the thread of that board. */
export async function shareChallenge(
  request: Request,
  app: App,
  challenge: Challenge,
  format?: ShareFormat,
): Promise<Reply> {
  const { who, where } = request;
  const { key, board, name, posted } = challenge;
  const subject = { ...subjectOfBoard(board), name };
  const result = await app.store
    .tenant(where.tenant)
    .challenges.resultOf(where.channel, challenge.key, who.id);
  if (result === undefined) return unsharedReply(subject);
  const words = await wordsOf(request, app, challenge, result);
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

/** The words of a result, as long as the person's game of the board still has them. */
async function wordsOf(
  { who, where }: Asker,
  { store, clock }: App,
  { sides }: Challenge,
  result: ChallengeResult,
): Promise<readonly string[] | undefined> {
  const game = await store.tenant(where.tenant).soloGames.get(who.id, sides, clock.now());
  const words = game && savedWords(game.state);
  return words?.length === result.words && lettersIn(words) === result.letters ? words : undefined;
}
