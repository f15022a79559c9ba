import { HOUR } from '../src/core/clock.ts';
import { UserError } from '../src/core/errors.ts';
import { splitWords } from '../src/core/text.ts';
import { type App, type Command, type Request, textOf } from '../src/dispatch/contract.ts';
import { DATE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { endOf, findRelay, RELAY_TIMEOUT_MS } from '../src/players/relay/game.ts';
import {
  addWord,
  askHint,
  refuseSilenced,
  showRelay,
  start,
  undoOrStop,
} from '../src/players/relay/moves.ts';
import { noRelayReply, RELAY_ACTIONS, type RelayAction } from '../src/reply/replies/relay.ts';
import { giveHint } from './hint.ts';
import { named } from './names.ts';

/** The options that only `start` takes. A game keeps the board that it was started on. */
const START_OPTIONS = ['turns', 'sides', 'date'];
/** Typed before a word that is also the name of an action: `relay +stop` plays STOP. */
const WORD_PREFIX = '+';

const ACTION_DESCRIPTIONS: Readonly<Record<RelayAction | 'word', string>> = {
  start: 'Start a game',
  hint: 'Get a hint, only for you',
  undo: 'Take the last word back',
  show: 'See how far the game is',
  stop: 'End the game',
  word: 'Add your word',
};

export const relay = {
  ...named('relay'),
  options: [
    {
      name: 'word',
      description: 'Your word, or start, hint, undo, show or stop',
      kind: 'text',
      requiredWith: { option: 'ask', choice: 'add' },
      positional: true,
      example: 'start',
      about: ACTION_DESCRIPTIONS,
      optionsOfChoice: {
        show: [],
        start: START_OPTIONS,
        word: ['word'],
        hint: [],
        undo: [],
        stop: [],
      } satisfies Record<RelayAction | 'word', readonly string[]>,
      complete: async (typed) => RELAY_ACTIONS.filter((action) => action.startsWith(typed.toLowerCase())),
    },
    { name: 'turns', description: 'With start: take turns, never two words in a row', kind: 'flag' },
    SIDES_OPTION,
    { ...DATE_OPTION, positional: false },
    { name: 'ask', description: 'Set by the button that asks for a word', kind: 'text', internal: true },
  ],
  access: 'anyone-writes',
  // The game's own message shows everyone what they may see. Where it has none, nobody else can play in it.
  private: true,
  more: `Each thread can have one game. It starts in the thread you’re in, in the day’s thread, or in a new one. It ends when every letter is used, when a player stops it, or after ${RELAY_TIMEOUT_MS / HOUR} hours without a word. To play a word like STOP, put a plus before it: relay +stop`,
  examples: ['relay start', 'relay forum', 'relay hint', 'relay undo', 'relay start turns date:yesterday'],
  async run(request, app) {
    const context = { request, app };
    const { action, word, isOneWord } = readWord(textOf(request, 'word') ?? 'show');
    if (!isOneWord) {
      // As in "relay with ben": while no game is on, advice about its words would not help.
      const { game } = await findRelay(request, app);
      if (game === undefined || endOf(game.stored.relay, app.clock.now()) !== undefined)
        return noRelayReply();
      // The name of an action is taken for a word: advice to act could end the game by mistake.
      const prefix = RELAY_ACTIONS.some((one) => one === word) ? WORD_PREFIX : '';
      throw new UserError('relay.one', 'Add one word at a time:', `relay ${prefix}${word}`);
    }
    if (action !== 'start') refuseOptionsOfStart(request);
    if (action !== 'show') refuseSilenced(request, app);
    switch (action) {
      case 'start':
        return start(context);
      case 'hint':
        return askHint(context, giveHint);
      case 'undo':
      case 'stop':
        return undoOrStop(context, action);
      case 'show':
        return showRelay(context);
      case undefined:
        return addWord(context, word);
    }
  },
} satisfies Command;

/** Whether the request comes from a thread with a relay that has not ended. */
export async function isRelayOn(request: Request, app: App): Promise<boolean> {
  if (request.where.thread === undefined) return false;
  const { game } = await findRelay(request, app);
  return game !== undefined && endOf(game.stored.relay, app.clock.now()) === undefined;
}

function refuseOptionsOfStart({ options }: Request): void {
  const misplaced = START_OPTIONS.find((name) => options[name] !== undefined);
  if (misplaced !== undefined)
    throw new UserError('relay.start-only', `Choose ${misplaced} when you start a game:`, 'relay start');
}

function readWord(text: string) {
  const isMarked = text.startsWith(WORD_PREFIX);
  const [word = '', second] = splitWords((isMarked ? text.slice(WORD_PREFIX.length) : text).toLowerCase());
  const action = RELAY_ACTIONS.find((one) => one === word);
  return { action: isMarked ? undefined : action, word, isOneWord: second === undefined };
}
