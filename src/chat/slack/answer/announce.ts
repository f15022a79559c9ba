import type { App, Dispatcher } from '../../../dispatch/contract.ts';
import type { Reply } from '../../../reply/model/types.ts';
import { type Conversation, placeOf } from '../receive/conversation.ts';

/**
 * Tells whether a command changed what a channel gets every day. Where Slack does not tell who manages a
 * place, everybody in it may change that, and all of them shall know.
 */
export interface Watch {
  /** True once it has. */
  hasChanged(): Promise<boolean>;
}

export async function watchPlace({ store }: Pick<App, 'store'>, conversation: Conversation): Promise<Watch> {
  const { tenant, channel } = placeOf(conversation);
  const look = async () => {
    const subscription = await store.tenant(tenant).subscriptions.get(channel);
    return subscription === undefined
      ? ''
      : `${subscription.version} ${subscription.state} ${subscription.until}`;
  };
  const before = await look();
  return { hasChanged: async () => (await look()) !== before };
}

export function isManaging(command: string, { commands }: Dispatcher): boolean {
  return commands.some(({ name, access }) => access === 'manager' && name === command);
}

/** Of a typed line, which may begin with the bot's own name. */
export function isManagingLine(line: string, dispatcher: Dispatcher): boolean {
  const words = line.toLowerCase().split(/\s+/, 2);
  return words.some((word) => isManaging(word.replace(/^\//, ''), dispatcher));
}

export const ANNOUNCEMENT: Reply = {
  title: 'The daily Letter Boxed thread of this channel was changed',
  blocks: [{ kind: 'note', line: ['What it is set to: ', { command: 'daily show' }] }],
  audience: 'everyone',
};
