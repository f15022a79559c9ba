import type { App } from '../../../dispatch/contract.ts';
import type { Reply } from '../../../reply/model/types.ts';
import { type Conversation, channelOf } from '../receive/conversation.ts';

/**
 * Where Slack does not say who manages a channel, everybody in it may change its daily thread, and a change is
 * announced to all of them.
 */
export const ANNOUNCEMENT: Reply = {
  title: 'The daily Letter Boxed thread of this channel was changed',
  blocks: [{ kind: 'note', line: ['What it is set to: ', { command: 'daily show' }] }],
  audience: 'everyone',
};

/** Runs a command. Returns whether it changed what the channel gets every day. */
export async function changesChannel(
  { store }: Pick<App, 'store'>,
  conversation: Conversation,
  run: () => Promise<void>,
): Promise<boolean> {
  const { tenant, channel } = channelOf(conversation);
  const read = async () => {
    const subscription = await store.tenant(tenant).subscriptions.get(channel);
    return subscription === undefined
      ? ''
      : `${subscription.version} ${subscription.state} ${subscription.until}`;
  };
  const before = await read();
  await run();
  return (await read()) !== before;
}
