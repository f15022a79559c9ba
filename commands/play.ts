import { type App, type Command, type Request, wordsOf } from '../src/dispatch/contract.ts';
import { DATE, SIDES } from '../src/dispatch/topic.ts';
import { enterSolution, SoloGames } from '../src/players/solo/solo-games.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { gameCard, gameReply } from '../src/reply/replies/game.ts';

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
  more: 'Your game stays for 60 days, so that you can go on later. Your best result of each day counts: fewest words, then fewest letters, fewest hint points, earliest. Boards of past days count in your stats, but not for your streak or the leaderboard. Boards that you type don’t count.',
  examples: ['play', 'play forum,mozart', 'play forum mozart date:yesterday', 'play ozu nri lfa mbt'],
  async run(request, app) {
    const words = wordsOf(request, 'words');
    return words.length === 0
      ? openGame(request, app)
      : enterSolution({ ...request, options: boardOf(request) }, app, words);
  },
};

async function openGame(request: Request, app: App): Promise<Reply> {
  const played = await new SoloGames(app).play(request, { options: boardOf(request), moves: [] });
  return gameReply(gameCard(played));
}

/** Which board, without the words. */
function boardOf({ options: { words: _, ...board } }: Request): Request['options'] {
  return board;
}
