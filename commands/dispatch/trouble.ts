import type { Reply } from '../../src/reply/types.ts';
import { Mistake } from '../../src/solver/mistake.ts';
import type { Command } from '../types.ts';
import type { Verdict } from './rate.ts';

/** What a person's mistake is answered with: what was wrong and what to type instead, only for them. */
export function mistakeReply(mistake: Mistake, command?: Command): Reply {
  const [example] = command?.examples ?? [];
  return {
    title: mistake.message,
    blocks: example === undefined ? [] : [{ kind: 'note', line: ['For example: ', { command: example }] }],
    audience: 'asker',
  };
}

/** What a fault of ours is answered with. The reference stands in the log beside the error. */
export function faultReply(reference: string): Reply {
  return {
    title: 'Sorry, something went wrong on our side. Please try again in a moment.',
    blocks: [
      {
        kind: 'note',
        line: ['If it stays like this, tell whoever runs the bot: reference ', { code: reference }],
      },
    ],
    audience: 'asker',
  };
}

export function slowDownReply({ whose, wait }: Verdict & { ok: false }): Reply {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  const who = whose === 'person' ? 'That was a lot at once' : 'This place is very busy right now';
  return {
    title: `${who}. Please try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    blocks: [],
    audience: 'asker',
  };
}

export function notAllowed(command: Command): Mistake {
  return new Mistake(
    'command.manager',
    `"${command.name}" is for people who manage this place: it changes what everyone here gets. Ask one of them.`,
  );
}
