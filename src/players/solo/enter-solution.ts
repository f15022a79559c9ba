import type { App, Request } from '../../dispatch/contract.ts';
import { jobAskerOf, type Topic, topicOf } from '../../dispatch/topic.ts';
import { isCertain } from '../../puzzle/judge.ts';
import type { Reply } from '../../reply/model/types.ts';
import { gameCard, gameReply } from '../../reply/replies/game.ts';
import { solvedPlayReply, unsolvedPlayReply } from '../../reply/replies/result.ts';
import { resultToShow } from '../results/record-solution.ts';
import { type PlayedGame, SoloGames } from './solo-games.ts';

/**
 * Enters words as the asker's solution of a board, and answers them alone. Words that are no solution are judged, and
 * leave the game as it is.
 *
 * @param request its options name the board, and nothing else
 */
export async function enterSolution(request: Request, app: App, words: readonly string[]): Promise<Reply> {
  const topic = await topicOf(request, app);
  const { board, subject, source } = topic;
  const checked = await app.work.run('check', { board, source, words }, jobAskerOf(request));
  if (!checked.solved) return unsolvedPlayReply(subject, checked, isCertain(source));
  const played = await new SoloGames(app).play(request, { options: request.options, words });
  return solutionReply(request, app, played, topic);
}

async function solutionReply(
  request: Request,
  app: App,
  played: PlayedGame,
  { subject, source }: Topic,
): Promise<Reply> {
  const { state, solved } = played;
  const { recorded, rank, streak, toShare } = solved?.day ?? {};
  if (recorded === undefined || streak === undefined) return gameReply(gameCard(played));
  return solvedPlayReply({
    ...recorded,
    result: await resultToShow(request, app, recorded.result),
    subject,
    words: state.words,
    ...(rank !== undefined && { rank }),
    ...(solved?.par !== undefined && { par: solved.par }),
    streak: streak.current,
    ...(toShare !== undefined && { toShare }),
    certain: isCertain(source),
  });
}
