import type { UserError } from '../core/errors.ts';
import { counted } from '../core/text.ts';
import type { Action, Button, Inline, Reply } from '../reply/model/types.ts';
import type { Refused } from './rate-limit.ts';

/**
 * A person's mistake, answered for them alone. The title holds nothing they typed.
 *
 * @param meant what they probably meant, to be had by a press
 */
export function mistakeReply({ message }: UserError, help = 'help', meant?: Action): Reply {
  return {
    title: 'That didn’t work',
    blocks: [
      { kind: 'text', lines: [message] },
      ...(meant === undefined ? [] : [{ kind: 'buttons' as const, buttons: [yes(meant)] }]),
      { kind: 'note', line: ['Help: ', { command: help }] },
    ],
    audience: 'asker',
    isMistake: true,
  };
}

function yes(meant: Action): Button {
  return { label: `Yes, ${meant.command}`, action: meant, look: 'primary' };
}

/** A fault of ours: short, and with the reference under which the log has it. */
export function faultReply(reference: string): Reply {
  const line: Inline[] = [
    'Something broke on my side. Try again in a moment. If it happens again, give this reference to the person who runs this bot: ',
    { code: reference },
  ];
  return { title: 'Sorry, that went wrong', blocks: [{ kind: 'text', lines: [line] }], audience: 'asker' };
}

/** Too many commands: explained the first time, then kept short. */
export function refusedReply({ whose, isExplained, wait }: Refused): Reply {
  if (isExplained) return { title: 'One moment, please', blocks: [], audience: 'asker' };
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  const where = whose === 'person' ? '' : ' in this channel';
  const line = `Too many commands at once${where}. Try again in ${counted(seconds, 'second')}.`;
  return { title: 'One moment, please', blocks: [{ kind: 'text', lines: [line] }], audience: 'asker' };
}

export function notAllowedReply(command: string): Reply {
  const line: Inline[] = [
    { command },
    ' changes what everyone here gets. Ask someone who manages this channel.',
  ];
  return {
    title: 'Only managers can do that',
    blocks: [{ kind: 'text', lines: [line] }],
    audience: 'asker',
  };
}
