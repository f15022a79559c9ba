import { askerOf, DATE, SIDES, type Topic, topicOf } from '../src/dispatch/board/topic.ts';
import { type App, type Command, type Request, wordsOf } from '../src/dispatch/contract.ts';
import { resultToShow } from '../src/players/results/record-solution.ts';
import { type PlayedGame, SoloGames } from '../src/players/solo/solo-games.ts';
import { isCertain } from '../src/puzzle/judge.ts';
import { gameCard } from '../src/reply/model/game-card.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { gameReply } from '../src/reply/replies/game.ts';
import { solvedPlayReply, unsolvedPlayReply } from '../src/reply/replies/result.ts';

export const play: Command = {
  name: 'play',
  description: 'Play a board, or enter your solution. Only you see it',
  options: [
    {
      name: 'words',
      description: 'Your solution, separated by commas; left out, the board opens',
      kind: 'words',
      positional: true,
      example: 'forum,mozart',
    },
    SIDES,
    DATE,
  ],
  access: 'anyone',
  private: true,
  more: 'Your game stays for 60 days, so that you can go on later. Your best result of each day counts: fewest words, then fewest letters, fewest hints, earliest. Boards of past days count in your stats, but not for your streak or the leaderboard. Boards that you type don’t count.',
  examples: ['play', 'play forum,mozart', 'play forum mozart date:yesterday', 'play ozu nri lfa mbt'],
  async run(request, app) {
    const words = wordsOf(request, 'words');
    return words.length === 0 ? openGame(request, app) : enterSolution(request, app, words);
  },
};

async function openGame(request: Request, app: App): Promise<Reply> {
  const played = await new SoloGames(app).play(request, { options: boardOf(request), moves: [] });
  return gameReply(gameCard(played));
}

/** Words that are no solution are judged, and leave the game as it is. */
async function enterSolution(request: Request, app: App, words: readonly string[]): Promise<Reply> {
  const topic = await topicOf(request, app);
  const { board, subject, source } = topic;
  const checked = await app.work.run('check', { board, source, words }, askerOf(request));
  if (!checked.solved) return unsolvedPlayReply(subject, checked, isCertain(source));
  const played = await new SoloGames(app).play(request, { options: boardOf(request), words });
  return solutionReply(request, app, played, topic);
}

async function solutionReply(
  request: Request,
  app: App,
  played: PlayedGame,
  { subject, source }: Topic,
): Promise<Reply> {
  const { state, solved } = played;
  const { recorded, rank, streak } = solved?.day ?? {};
  if (recorded === undefined || streak === undefined) return gameReply(gameCard(played));
  return solvedPlayReply({
    ...recorded,
    result: await resultToShow(request, app, recorded.result),
    subject,
    words: state.words,
    ...(rank !== undefined && { rank }),
    ...(solved?.par !== undefined && { par: solved.par }),
    streak: streak.current,
    certain: isCertain(source),
  });
}

/** Which board, without the words. */
function boardOf({ options: { words: _, ...board } }: Request): Request['options'] {
  return board;
}
