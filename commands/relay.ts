import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../src/core/errors.ts';
import { DATE, SIDES } from '../src/dispatch/board/topic.ts';
import type { Command } from '../src/dispatch/contract.ts';
import { textOf } from '../src/dispatch/parse/options.ts';
import { splitWords } from '../src/dispatch/parse/words.ts';
import { type After, type RelayContext, RelayTimers } from '../src/players/relay/context.ts';
import { PATIENCE } from '../src/players/relay/game.ts';
import { hasMessages, MessageUpdater } from '../src/players/relay/message.ts';
import { addWord, askHint, endRelay, showRelay, start, takeBack } from '../src/players/relay/moves.ts';
import { RELAY_ACTIONS, type RelayAction } from '../src/reply/replies/relay.ts';
import { hint } from './hint.ts';

/** Before a word that is also the name of a deed: `relay +stop` plays STOP. */
const PLAIN = '+';

export const relay: Command = makeRelay();

/**
 * @param wait between drawings, in milliseconds; tests need not wait for real
 * @param after for the end of a game that nobody moves in any more
 */
export function makeRelay(
  wait: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds),
  after?: After,
): Command {
  const easel = new MessageUpdater(wait);
  const alarm = new RelayTimers(after);
  return {
    name: 'relay',
    description: 'Play together: one word each, on one picture for everyone in the thread',
    options: [
      {
        name: 'word',
        description: 'The word you add; or start, hint, undo, show, stop',
        kind: 'text',
        required: true,
        positional: true,
        example: 'forum',
        complete: async (typed) => RELAY_ACTIONS.filter((deed) => deed.startsWith(typed.toLowerCase())),
      },
      { name: 'turns', description: 'With start: nobody adds two words in a row', kind: 'flag' },
      SIDES,
      DATE,
    ],
    access: 'anyone',
    private: false,
    // What all may see goes into the game's own message.
    privateIn: hasMessages,
    more: `One game a thread: the day's thread, unless you are in another; where there is none, a game opens its own. Every word is checked at once; what could come next stays secret, unless somebody asks for a hint. A game ends when every letter is used, when somebody who plays says stop, or after ${PATIENCE / 3_600_000} hours without a word. A plus sign plays a word that is also a command: relay +stop`,
    examples: ['relay start', 'relay forum', 'relay hint', 'relay undo', 'relay start turns date:yesterday'],
    async run(request, app) {
      const tools: RelayContext = { request, app, easel, alarm, hint: hint.run, wait };
      const { deed, word } = readWord(textOf(request, 'word') ?? '');
      switch (deed) {
        case 'start':
          return start(tools);
        case 'hint':
          return askHint(tools);
        case 'undo':
          return takeBack(tools);
        case 'show':
          return showRelay(tools);
        case 'stop':
          return endRelay(tools);
        case undefined:
          return addWord(tools, word);
      }
    },
  };
}

function readWord(text: string): { deed: RelayAction | undefined; word: string } {
  const typed = text.toLowerCase();
  const deed = RELAY_ACTIONS.find((one) => one === typed);
  const [word = '', second] = splitWords(typed.startsWith(PLAIN) ? typed.slice(PLAIN.length) : typed);
  if (second !== undefined) {
    throw new UserError(
      'relay.one',
      `A relay takes one word at a time. Add the next one yourself: relay ${word}`,
    );
  }
  return { deed, word };
}
