import { type App, type Command, flagOf, type Request, wordsOf } from '../src/dispatch/contract.ts';
import { DATE, SIDES } from '../src/dispatch/topic.ts';
import type { GameInput } from '../src/jobs/play-moves.ts';
import { enterSolution, NO_MOVES, SoloGames } from '../src/players/solo-games.ts';
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
    {
      name: 'from',
      description: 'Set by a button that goes on from some words',
      kind: 'words',
      internal: true,
    },
    {
      name: 'start-over',
      description: 'Set by phrases such as restart, which take all words back',
      kind: 'flag',
      internal: true,
    },
  ],
  access: 'anyone',
  private: true,
  more: 'Your game stays for 60 days, so that you can go on later. Your best result of each day counts: fewest words, then fewest letters, fewest hint points, earliest. Boards of past days count in your stats, but not for your streak or the leaderboard. Boards that you type don’t count.',
  examples: ['play', 'play forum,mozart', 'play forum mozart date:yesterday', 'play ozu nri lfa mbt'],
  async run(request, app) {
    const words = wordsOf(request, 'words');
    const from = wordsOf(request, 'from');
    return words.length === 0
      ? openGame(request, app, from)
      : enterSolution({ ...request, options: boardOf(request) }, app, words);
  },
};

async function openGame(request: Request, app: App, from: readonly string[]): Promise<Reply> {
  const begun = from.length === 0 ? (flagOf(request, 'start-over') ? RESTART : NO_MOVES) : { words: from };
  const played = await new SoloGames(app).play(request, { options: boardOf(request), ...begun });
  return gameReply(gameCard(played));
}

const RESTART: GameInput = { moves: [{ kind: 'restart' }] };

/** The options of the board alone. */
function boardOf({
  options: { words: _words, from: _from, 'start-over': _restart, ...board },
}: Request): Request['options'] {
  return board;
}
