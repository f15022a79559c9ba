import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE } from '../src/players/relay.ts';
import { RELAY_DEEDS, type RelayDeed } from '../src/reply/relay.ts';
import { Mistake } from '../src/solver/mistake.ts';
import { DATE, SIDES } from './board/topic.ts';
import { textOf } from './dispatch/options.ts';
import { splitWords } from './dispatch/words-typed.ts';
import { type After, Alarm } from './relay/alarm.ts';
import { Easel } from './relay/easel.ts';
import { hasMessages } from './relay/message.ts';
import { addWord, askHint, endRelay, showRelay, takeBack } from './relay/moves.ts';
import type { RelayTools } from './relay/stage.ts';
import { start } from './relay/start.ts';
import type { Command } from './types.ts';

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
  const easel = new Easel(wait);
  const alarm = new Alarm(after);
  return {
    name: 'relay',
    description: 'Play together: one word each, on one picture for everyone in the thread',
    options: [
      {
        name: 'word',
        description: 'The word you add; or start, hint, undo, show, stop',
        kind: 'text',
        required: true,
        bare: true,
        example: 'forum',
        complete: async (typed) => RELAY_DEEDS.filter((deed) => deed.startsWith(typed.toLowerCase())),
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
      const tools: RelayTools = { request, app, easel, alarm, wait };
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

function readWord(text: string): { deed: RelayDeed | undefined; word: string } {
  const typed = text.toLowerCase();
  const deed = RELAY_DEEDS.find((one) => one === typed);
  const [word = '', second] = splitWords(typed.startsWith(PLAIN) ? typed.slice(PLAIN.length) : typed);
  if (second !== undefined) {
    throw new Mistake(
      'relay.one',
      `A relay takes one word at a time. Add the next one yourself: relay ${word}`,
    );
  }
  return { deed, word };
}
