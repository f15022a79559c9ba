import type { ChannelRef } from '../../core/channel-ref.ts';
import { toEveryone } from '../../reply/model/text.ts';
import type { Line, Reply } from '../../reply/model/types.ts';
import type { SubscriptionState } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/**
 * Runs a command where everybody in a channel may change its settings. Returns the reply, and what must be announced there.
 */
export async function runAnnouncing(
  store: Pick<Store, 'tenant'>,
  channel: ChannelRef,
  person: string,
  run: () => Promise<Reply>,
): Promise<{ readonly reply: Reply; readonly announcement: Reply | undefined }> {
  const before = await stateOf(store, channel);
  const reply = await run();
  const after = await stateOf(store, channel);
  const typed = after.board === before.board ? undefined : boardAnnouncement(person);
  return {
    reply,
    announcement:
      after.settings === before.settings ? typed : threadAnnouncement(person, before.state, after.state),
  };
}

/** The settings that everybody in a channel may change. */
async function stateOf(store: Pick<Store, 'tenant'>, { tenant, channel }: ChannelRef) {
  const { subscriptions, boards } = store.tenant(tenant);
  const { version, state = 'off', until } = (await subscriptions.get(channel)) ?? {};
  const { boards: count, lastTypedAt } = await boards.state(channel);
  return { settings: `${version} ${state} ${until}`, state, board: `${count} ${lastTypedAt}` };
}

/** The announcement of a board that was typed in, with how to undo it. */
function boardAnnouncement(person: string): Reply {
  return announcement('A board of the day was typed in or taken back for this channel', [
    'By ',
    { person },
    '. The board of today: ',
    { command: 'today' },
    '. To take a typed one back: ',
    { command: 'set undo' },
  ]);
}

const CHANGE_DESCRIPTIONS: Readonly<Record<SubscriptionState, string>> = {
  active: 'switched on',
  paused: 'paused',
  off: 'switched off',
  suspended: 'stopped',
};

function threadAnnouncement(person: string, before: SubscriptionState, after: SubscriptionState): Reply {
  const change = before === after ? 'changed' : CHANGE_DESCRIPTIONS[after];
  return announcement(`The daily Letter Boxed thread of this channel was ${change}`, [
    'By ',
    { person },
    '. To see its settings: ',
    { command: 'daily show' },
  ]);
}

function announcement(title: string, line: Line): Reply {
  return toEveryone(title, [{ kind: 'note', line }]);
}
