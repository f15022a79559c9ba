import { ChannelType, PermissionFlagsBits } from 'discord.js';
import type { MissingRequirement } from '../../../dispatch/poster.ts';

/** What the daily thread needs, by the names that Discord's own settings show. */
const NEEDED = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Embed Links': PermissionFlagsBits.EmbedLinks,
  'Attach Files': PermissionFlagsBits.AttachFiles,
} as const;
export type Needed = keyof typeof NEEDED;

/** Just these bits stand in the invite link. */
export const INVITE_BITS = Object.values(NEEDED).reduce((bits, bit) => bits | bit, 0n);

/** Where a day's thread can be: in text and announcement channels, or as a post in a forum. */
export const POST_CHANNELS: readonly ChannelType[] = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
];

/** A channel's overwrite of what a role (0) or a member (1) may do. */
export interface Overwrite {
  readonly id: string;
  readonly type: number;
  readonly allow: string;
  readonly deny: string;
}

export interface Member {
  readonly id: string;
  readonly roles: readonly string[];
  /** The end of a timeout, where it has one. */
  readonly silencedUntil?: number;
}

export interface GuildRights {
  readonly id: string;
  readonly ownerId?: string;
  readonly roles: readonly { readonly id: string; readonly permissions: string }[];
  readonly me: Member;
}

/** What the bot may do in a channel: its roles, then what the channel changes for everyone, roles, and itself. */
export function permissionsIn({ id, roles, me }: GuildRights, overwrites: readonly Overwrite[]): bigint {
  let bits = 0n;
  for (const role of roles)
    if (role.id === id || me.roles.includes(role.id)) bits |= BigInt(role.permissions);
  if (bits & PermissionFlagsBits.Administrator) return ~0n;
  const apply = (some: readonly Overwrite[]) => {
    const deny = some.reduce((sum, one) => sum | BigInt(one.deny), 0n);
    const allow = some.reduce((sum, one) => sum | BigInt(one.allow), 0n);
    bits = (bits & ~deny) | allow;
  };
  apply(overwrites.filter((one) => one.type === 0 && one.id === id));
  apply(overwrites.filter((one) => one.type === 0 && one.id !== id && me.roles.includes(one.id)));
  apply(overwrites.filter((one) => one.type === 1 && one.id === me.id));
  return bits;
}

/** What is missing to post a day's thread in a channel of this kind. */
export function lacksIn(permissions: bigint, type: ChannelType): MissingRequirement[] {
  if (!POST_CHANNELS.includes(type)) return [WRONG_KIND];
  // In a forum a post is a thread already, and takes Send Messages.
  const needed = Object.entries(NEEDED).filter(
    ([name]) => type !== ChannelType.GuildForum || name !== 'Create Public Threads',
  );
  return needed.filter(([, bit]) => !(permissions & bit)).map(([name]) => lackOf(name as Needed));
}

export function lackOf(name: string): MissingRequirement {
  return {
    what: `the permission "${name}"`,
    how: `Open the channel's settings, then Permissions, add this bot's role there and allow "${name}".`,
  };
}

export const NO_SERVER: MissingRequirement = {
  what: 'a channel of a server that it was added to',
  how: 'Add the bot to the server, and use the command there.',
};

export const WRONG_KIND: MissingRequirement = {
  what: 'a channel that can hold threads',
  how: 'Use a text, announcement or forum channel of a server.',
};

export const TIMED_OUT: MissingRequirement = {
  what: 'leave to speak: a moderator has given it a timeout',
  how: 'Wait for the end of the timeout, or take it away in the list of members.',
};

export const TAG: MissingRequirement = {
  what: 'a tag that the bot may use',
  how: 'The forum requires a tag on each post: add one that not only moderators may use.',
};
