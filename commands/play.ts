import { type App, type Command, flagOf, type Request, wordsOf } from '../src/dispatch/contract.ts';
import { DATE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import {
  addWords,
  enterSolution,
  goOnWith,
  openSoloGame,
  type PlayedGame,
  playSoloGame,
  soloGameReply,
  takeBackWord,
} from '../src/players/solo-games.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { gameInForm, playPrivatelyReply } from '../src/reply/replies/game.ts';
import { named } from './names.ts';
import { isRelayOn, relay } from './relay.ts';

export const play: Command = {
  ...named('play'),
  options: [
    {
      name: 'words',
      description: 'Your words; left out, the board opens',
      kind: 'words',
      positional: true,
      requiredWith: { option: 'ask', choice: 'play' },
      example: 'forum,mozart',
    },
    SIDES_OPTION,
    DATE_OPTION,
    {
      name: 'from',
      description: 'Set by a button that goes on from some words',
      kind: 'words',
      internal: true,
    },
    {
      name: 'start-over',
      description: 'Set by Play again and by phrases such as restart, which take all words back',
      kind: 'flag',
      internal: true,
      inPlace: true,
    },
    {
      name: 'ask',
      description:
        'Set by the buttons of a game: play asks for words that go on from it, back takes one back',
      kind: 'text',
      internal: true,
      inPlace: true,
    },
    {
      name: 'typed',
      description: 'Set for a line of words alone, which join the relay of the thread or go on from the game',
      kind: 'flag',
      internal: true,
    },
  ],
  access: 'anyone-writes',
  private: true,
  more: 'Your game stays for 60 days, so that you can go on later. Your best result of each day counts: fewest words, then fewest letters, fewest hint points, earliest. Boards of past days count in your stats, but not for your streak or the leaderboard. Boards that you type don’t count.',
  examples: ['play', 'play forum,mozart', 'play forum mozart date:yesterday', 'play ozu nri lfa mbt'],
  formBoard: async (request, app) => gameInForm(await openSoloGame(request, app, boardOf(request))),
  async run(request, app) {
    const words = wordsOf(request, 'words');
    if (flagOf(request, 'typed')) return playTyped(request, app, words);
    if (words.length > 0 && request.options.ask === undefined)
      return enterSolution({ ...request, options: boardOf(request) }, app, words);
    const reply = await soloGameReply(request, app, await playedGame(request, app, words));
    return GAME_CHANGES.some((name) => request.options[name] !== undefined)
      ? { ...reply, replaces: true }
      : reply;
  },
};

/** Plays what was typed without a command, or takes a word back, in the relay of the thread or in the asker's own game. */
async function playTyped(request: Request, app: App, words: readonly string[]): Promise<Reply> {
  const isBack = request.options.ask === 'back';
  // With a plus, a relay takes a word such as STOP for a word and not for an action.
  const word = isBack ? 'undo' : `+${words[0]}`;
  if ((isBack || words.length === 1) && (await isRelayOn(request, app)))
    return relay.run({ ...request, command: 'relay', options: { word } }, app);
  if (isBack) {
    const game = await takeBackWord(request, app, boardOf(request));
    return { ...(await soloGameReply(request, app, game)), replaces: true };
  }
  // Others would read whether the words are right: a button plays them, whose press nobody sees.
  if (request.isPublicLine) return playPrivatelyReply(words);
  return goOnWith({ ...request, options: boardOf(request) }, app, words);
}

/** The options of buttons that change the game's own message. */
const GAME_CHANGES = ['start-over', 'ask'];

/** The game, after the change that a button asks for. */
function playedGame(request: Request, app: App, words: readonly string[]): Promise<PlayedGame> {
  const options = boardOf(request);
  const from = wordsOf(request, 'from');
  if (from.length > 0) return playSoloGame(request, app, { options, words: from });
  if (flagOf(request, 'start-over'))
    return playSoloGame(request, app, { options, moves: [{ kind: 'restart' }] });
  if (words.length > 0) return addWords(request, app, options, words);
  const show = request.options.ask === 'back' ? takeBackWord : openSoloGame;
  return show(request, app, options);
}

function boardOf({ options }: Request): Request['options'] {
  return Object.fromEntries(Object.entries(options).filter(([name]) => BOARD_OPTIONS.includes(name)));
}

const BOARD_OPTIONS = ['date', 'sides'];
