import {
  ChannelFlags,
  ChannelType,
  type Client,
  type GuildBasedChannel,
  PermissionFlagsBits,
  type PermissionsBitField,
  type REST,
  type RESTGetAPIGuildMemberResult,
  Routes,
} from 'discord.js';
import type { ChannelRef } from '../../core/channel-ref.ts';
import type { Clock } from '../../core/clock.ts';
import { listed } from '../../core/text.ts';
import { type MissingRequirement, PostFailure } from '../../dispatch/poster.ts';
import { serverOf } from './interaction.ts';

/** The permissions that the daily thread needs, under the names that Discord's own settings show. */
export const NEEDED_PERMISSIONS = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Attach Files': PermissionFlagsBits.AttachFiles,
} as const;

/** The channel types that a daily thread can be posted in. In a forum, it is a forum post. */
const POST_CHANNELS: readonly ChannelType[] = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
];

export function requirementOf(name: string): MissingRequirement {
  return {
    what: `the permission "${name}"`,
    how: `Open the channel’s settings, then Permissions, add this bot’s role there and allow "${name}".`,
  };
}

/** What else can be missing. A channel that lacks something is suspended: nothing is posted there until somebody gives it. */
export const REQUIREMENTS = {
  server: {
    what: 'a channel of a server that I was added to',
    how: 'Add this bot to the server, and type the command there.',
  },
  channel: {
    what: 'a channel that is there and that I can see',
    how: 'If it is gone, choose another one; if it is private, allow "View Channel" for this bot there.',
  },
  threads: {
    what: 'a channel that can hold threads',
    how: 'Use a text, announcement or forum channel of a server.',
  },
  noTimeout: {
    what: 'an end of the timeout that a moderator has given me',
    how: 'Wait until it is over, or remove it in the list of members.',
  },
  tag: {
    what: 'a tag that I may use',
    how: 'The forum requires a tag on each post. Add one that not only moderators may use.',
  },
  /** Needed only to look for a post whose outcome is unknown. */
  history: requirementOf('Read Message History'),
} satisfies Record<string, MissingRequirement>;

export function lackingFailure(missingRequirements: readonly MissingRequirement[]): PostFailure {
  const names = listed(missingRequirements.map(({ what }) => what));
  return new PostFailure('refused', `it lacks ${names}`, { missingRequirements });
}

/** A channel of a server, and what somebody may do there. */
interface Access {
  readonly channel: Exclude<GuildBasedChannel, { isThread(): true }>;
  readonly permissions: Readonly<PermissionsBitField>;
  /** Whether a moderator has timed them out. A timeout does not bind administrators. */
  readonly isTimedOut: boolean;
}

/** Asks Discord each time: another process may be connected to the gateway. `cache: false` leaves a fetched server its roles. */
const FRESH = { cache: false, force: true } as const;

/**
 * Looks up a channel, and what a person may do there; without a person, what the bot may do. Over REST, because not every process
 * has a gateway connection.
 *
 * @param me the bot's own user id
 * @throws PostFailure if the bot was not added to the channel's server, such as where a person installed it only for
 * themselves, or if the channel is a thread or of an unknown kind
 */
export function makeAccess(client: Client, clock: Clock, me: () => Promise<string>) {
  return async ({ tenant, channel: id }: ChannelRef, person?: string): Promise<Access> => {
    const server = serverOf(tenant);
    if (server === undefined) throw lackingFailure([REQUIREMENTS.server]);
    const guild = await client.guilds.fetch({ guild: server, withCounts: false, ...FRESH });
    const user = person ?? (await me());
    const [channel, member] = await Promise.all([
      guild.channels.fetch(id, FRESH),
      guild.members.fetch({ user, ...FRESH }),
    ]);
    // Null is a channel of a kind that is newer than the library.
    if (channel === null || channel.isThread()) throw lackingFailure([REQUIREMENTS.threads]);
    const permissions = channel.permissionsFor(member);
    const timedOutUntil = member.communicationDisabledUntilTimestamp ?? 0;
    const isTimedOut = timedOutUntil > clock.now() && !permissions.has(PermissionFlagsBits.Administrator);
    return { channel, permissions, isTimedOut };
  };
}

/** The tags of a forum that not only moderators may use. */
export function tagsOf(channel: GuildBasedChannel): string[] {
  if (channel.type !== ChannelType.GuildForum) return [];
  return channel.availableTags.filter(({ moderated }) => !moderated).map(({ id }) => id);
}

/** What is missing to post in a channel of this type: permissions, or a channel of another type. */
export function missingPermissions(
  permissions: Readonly<PermissionsBitField>,
  type: ChannelType,
): MissingRequirement[] {
  if (!POST_CHANNELS.includes(type)) return [REQUIREMENTS.threads];
  // A forum's post is a thread by itself, and needs no more than Send Messages.
  const needed = Object.entries(NEEDED_PERMISSIONS).filter(
    ([name]) => type !== ChannelType.GuildForum || name !== 'Create Public Threads',
  );
  return needed.filter(([, bit]) => !permissions.has(bit)).map(([name]) => requirementOf(name));
}

/**
 * The requirements that are missing to post in a channel. Reading the history, which few posts need, is checked only if it was
 * missing before: `lacked` has the stored `what` of each requirement that was.
 */
export function missingIn(
  { channel, permissions, isTimedOut }: Access,
  lacked: readonly string[] = [],
): readonly MissingRequirement[] {
  const { noTimeout, tag, history } = REQUIREMENTS;
  if (isTimedOut) return [noTimeout];
  const missing = missingPermissions(permissions, channel.type);
  const isForum = channel.type === ChannelType.GuildForum;
  if (isForum && channel.flags.has(ChannelFlags.RequireTag) && tagsOf(channel).length === 0)
    missing.push(tag);
  if (lacked.includes(history.what) && !permissions.has(PermissionFlagsBits.ReadMessageHistory))
    missing.push(history);
  return missing;
}

/** Needed only to mention a role. A channel is not suspended without it. */
const MENTIONABLE_ROLE: MissingRequirement = {
  what: 'a role that I may mention',
  how: 'In the server’s settings, under Roles, open it and switch on "Allow anyone to @mention this role".',
};

/** What the bot lacks to mention a role, if anything: Discord checks mentions against the permissions of the sender. */
export function mentionNeeds({ channel, permissions }: Access, role: string): MissingRequirement | undefined {
  const isMentionable = channel.guild.roles.cache.get(role)?.mentionable === true;
  return isMentionable || permissions.has(PermissionFlagsBits.MentionEveryone) ? undefined : MENTIONABLE_ROLE;
}

export async function nameOfMember(rest: REST, guild: string, person: string): Promise<string> {
  const { nick, user } = (await rest.get(Routes.guildMember(guild, person))) as RESTGetAPIGuildMemberResult;
  return nick ?? user.global_name ?? user.username;
}
