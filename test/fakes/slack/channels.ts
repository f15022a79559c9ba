import { Refusal } from './refusal.ts';
import type { Call } from './slack.ts';
import { type Channel, type ChannelKind, directChannel } from './world.ts';

const FAMILY: Record<ChannelKind, string> = { public: 'channels', private: 'groups', im: 'im' };

export function needScope({ grant }: Pick<Call, 'grant'>, scope: string): void {
  if (grant.scopes.includes(scope)) return;
  throw new Refusal('missing_scope', { needed: scope, provided: grant.scopes.join(',') });
}

/** The channel of a call that reads: the app must be able to see it, and have the scope of its kind. */
export function readableChannel(call: Call, right: 'read' | 'history'): Channel {
  const channel = call.workspace.channels.get(call.args.channel);
  const isMember = channel?.members.has(call.workspace.botUser) === true;
  if (channel === undefined) {
    const scopes = ['channels', 'groups', 'im'].map((family) => `${family}:${right}`);
    if (!scopes.some((scope) => call.grant.scopes.includes(scope))) needScope(call, scopes[0]!);
    throw new Refusal('channel_not_found');
  }
  needScope(call, `${FAMILY[channel.kind]}:${right}`);
  if (channel.kind !== 'public' && !isMember) throw new Refusal('channel_not_found');
  if (right === 'history' && !isMember) throw new Refusal('not_in_channel');
  return channel;
}

/** The channel of a call that writes; a person's id means the conversation with them. */
export function writableChannel(call: Call): Channel {
  const { workspace, grant, slack } = call;
  const id: string = call.args.channel;
  const channel = workspace.users.has(id)
    ? directChannel(slack.world, workspace, id)
    : workspace.channels.get(id);
  if (channel === undefined) throw new Refusal('channel_not_found');
  if (!channel.members.has(workspace.botUser)) {
    if (channel.kind !== 'public') throw new Refusal('channel_not_found');
    if (!grant.scopes.includes('chat:write.public')) throw new Refusal('not_in_channel');
  }
  if (channel.isArchived) throw new Refusal('is_archived');
  return channel;
}
