import type { UserError } from '../core/errors.ts';
import type { Inline, Reply } from '../reply/model/types.ts';
import type { Refused } from './rate-limit.ts';

/** A person's mistake, answered for them alone. The title holds nothing they typed. */
export function mistakeReply({ message }: UserError, help = 'help'): Reply {
  return {
    title: 'That did not work',
    blocks: [
      { kind: 'text', lines: [message] },
      { kind: 'note', line: ['More: ', { command: help }] },
    ],
    audience: 'asker',
  };
}

/** A fault of ours: short, and with the reference under which the log has it. */
export function faultReply(reference: string): Reply {
  const line: Inline[] = [
    'Something broke on our side, not on yours. Try again in a moment; if it stays, tell whoever runs this bot the reference ',
    { code: reference },
    '.',
  ];
  return { title: 'Sorry, that went wrong', blocks: [{ kind: 'text', lines: [line] }], audience: 'asker' };
}

/** Too many commands: explained the first time, then kept short. */
export function refusedReply({ whose, isExplained, wait }: Refused): Reply {
  if (isExplained) return { title: 'One moment, please.', blocks: [], audience: 'asker' };
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  const who = whose === 'person' ? 'from you' : 'in this place';
  const line = `That was a lot of commands ${who} within half a minute. The next one works in about ${seconds} second${seconds === 1 ? '' : 's'}.`;
  return { title: 'One moment, please.', blocks: [{ kind: 'text', lines: [line] }], audience: 'asker' };
}

export function notAllowedReply(command: string): Reply {
  const line: Inline[] = [
    { command },
    ' changes what this place gets, so only those who manage it may use it. Ask one of them.',
  ];
  return {
    title: 'That is for those who manage this place',
    blocks: [{ kind: 'text', lines: [line] }],
    audience: 'asker',
  };
}
