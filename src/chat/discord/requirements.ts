import { ChannelType, PermissionFlagsBits } from 'discord-api-types/v10';
import type { MissingRequirement } from '../../dispatch/poster.ts';

/** The permissions that the daily thread needs, under the names that Discord's own settings show. */
export const NEEDED = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Attach Files': PermissionFlagsBits.AttachFiles,
} as const;

/** The bits for the invite link: these permissions and no others. */
export const INVITE_BITS = Object.values(NEEDED).reduce((bits, bit) => bits | bit, 0n);

/** The kinds of channels that a day's thread can be in; in a forum, it is a post. */
const POST_CHANNELS: readonly ChannelType[] = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
];

/** The requirements that are missing to post a day's thread in a channel of this type. */
export function missingPermissions(permissions: bigint, type: ChannelType): MissingRequirement[] {
  if (!POST_CHANNELS.includes(type)) return [WRONG_KIND];
  // A forum's post is a thread by itself, and needs no more than Send Messages.
  const needed = Object.entries(NEEDED).filter(
    ([name]) => type !== ChannelType.GuildForum || name !== 'Create Public Threads',
  );
  return needed.filter(([, bit]) => !(permissions & bit)).map(([name]) => missingPermission(name));
}

function missingPermission(name: string): MissingRequirement {
  return {
    what: `the permission "${name}"`,
    how: `Open the channel’s settings, then Permissions, add this bot’s role there and allow "${name}".`,
  };
}

export const NO_SERVER: MissingRequirement = {
  what: 'a channel of a server that I was added to',
  how: 'Add this bot to the server, and type the command there.',
};

export const WRONG_KIND: MissingRequirement = {
  what: 'a channel that can hold threads',
  how: 'Use a text, announcement or forum channel of a server.',
};

export const TIMED_OUT: MissingRequirement = {
  what: 'an end of the timeout that a moderator has given me',
  how: 'Wait until it is over, or remove it in the list of members.',
};

export const TAG: MissingRequirement = {
  what: 'a tag that I may use',
  how: 'The forum requires a tag on each post. Add one that not only moderators may use.',
};

/** Needed to notify a role, and for nothing else: it suspends nothing. */
export const MENTIONABLE_ROLE: MissingRequirement = {
  what: 'a role that I may mention',
  how: 'In the server’s settings, under Roles, open it and switch on "Allow anyone to @mention this role".',
};

/** Needed to look for a post whose outcome is unknown, and for nothing else. */
export const HISTORY = missingPermission('Read Message History');

export const NO_CHANNEL: MissingRequirement = {
  what: 'a channel that is there and that I can see',
  how: 'If it is gone, choose another one; if it is private, allow "View Channel" for this bot there.',
};

export const ALWAYS_ASKED = [
  ...Object.keys(NEEDED).map(missingPermission),
  ...[NO_SERVER, WRONG_KIND, TIMED_OUT, TAG, NO_CHANNEL],
];

/** Everything that a channel can be suspended for. */
export const REQUIREMENTS: readonly MissingRequirement[] = [...ALWAYS_ASKED, HISTORY];
