import type { App } from '../../../dispatch/contract.ts';
import type { Reply } from '../../../reply/model/types.ts';
import type { SubscriptionState } from '../../../store/schema.ts';
import { type Conversation, channelOf } from '../receive/conversation.ts';

/**
 * Where Slack does not say who manages a channel, everybody in it may change its daily thread and type in the board
 * of a day. A change is announced to all of them, with how to undo it.
 */
const BOARD_TYPED: Reply = {
  title: 'Somebody typed in or took back a board of the day for this channel',
  blocks: [
    {
      kind: 'note',
      line: [
        'The board of today: ',
        { command: 'today' },
        '. To take a typed one back: ',
        { command: 'set undo' },
      ],
    },
  ],
  audience: 'everyone',
};

const CHANGES: Readonly<Record<SubscriptionState, string>> = {
  active: 'switched on',
  paused: 'paused',
  off: 'switched off',
  suspended: 'stopped',
};

function threadChanged(before: SubscriptionState, after: SubscriptionState): Reply {
  return {
    title: `The daily Letter Boxed thread of this channel was ${before === after ? 'changed' : CHANGES[after]}`,
    blocks: [{ kind: 'note', line: ['To see its settings: ', { command: 'daily show' }] }],
    audience: 'everyone',
  };
}

/** What everybody in a channel may have changed there. */
export interface ChannelState {
  readonly settings: string;
  readonly state: SubscriptionState;
  readonly board: string;
}

export async function stateOf(
  { store }: Pick<App, 'store'>,
  conversation: Conversation,
): Promise<ChannelState> {
  const { tenant, channel } = channelOf(conversation);
  const { subscriptions, boards } = store.tenant(tenant);
  const { version, state = 'off', until } = (await subscriptions.get(channel)) ?? {};
  const { boards: count, lastTypedAt } = await boards.state(channel);
  return { settings: `${version} ${state} ${until}`, state, board: `${count} ${lastTypedAt}` };
}

/** What a command changed for everybody in the channel, if anything. */
export function announcementOf(before: ChannelState, after: ChannelState): Reply | undefined {
  if (after.settings !== before.settings) return threadChanged(before.state, after.state);
  return after.board === before.board ? undefined : BOARD_TYPED;
}
