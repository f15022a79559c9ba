import {
  ChannelFlags,
  ChannelType,
  type Client,
  RESTJSONErrorCodes as CODE,
  type GuildBasedChannel,
  PermissionFlagsBits,
  type PermissionsBitField,
  type REST,
  type RESTGetAPIGuildMemberResult,
  Routes,
} from 'discord.js';
import type { ChannelRef } from '../../core/channel-ref.ts';
import type { Clock } from '../../core/clock.ts';
import type { MissingRequirement } from '../../dispatch/poster.ts';
import { serverOf } from './application.ts';
import { lacking, MENTIONABLE_ROLE, missingPermissions, REQUIREMENTS, unless } from './errors.ts';

const { Administrator, MentionEveryone, ReadMessageHistory } = PermissionFlagsBits;

/** A channel of a server, and what somebody may do there. */
interface Access {
  readonly channel: Exclude<GuildBasedChannel, { isThread(): true }>;
  readonly permissions: Readonly<PermissionsBitField>;
  /** Whether a moderator has timed them out. A timeout does not bind administrators. */
  readonly isTimedOut: boolean;
}

/** Asks Discord each time: another process may be the one that is connected to the gateway. */
const FRESH = { cache: false, force: true } as const;

/** Looks up permissions over REST, because not every process has a gateway connection. */
export class Rights {
  readonly #client: Client;
  readonly #clock: Clock;
  /** The bot's own user id. */
  readonly me: () => Promise<string>;

  constructor(client: Client, clock: Clock, me: () => Promise<string>) {
    this.#client = client;
    this.#clock = clock;
    this.me = me;
  }

  /** A channel, and what the bot may do there. */
  async channel(channel: ChannelRef): Promise<Access> {
    return this.#access(channel, await this.me());
  }

  /** A channel, and what a person may do there; undefined if they are not in its server. */
  ofPerson(channel: ChannelRef, person: string): Promise<Access | undefined> {
    return unless([CODE.UnknownMember, CODE.UnknownUser], this.#access(channel, person));
  }

  /**
   * @throws PostFailure if the bot was not added to the channel's server, such as where a person installed it only for
   * themselves, or if the channel can hold no threads
   */
  async #access({ tenant, channel: id }: ChannelRef, person: string): Promise<Access> {
    const server = serverOf(tenant);
    if (server === undefined) throw lacking([REQUIREMENTS.server]);
    const guild = await this.#client.guilds.fetch({ guild: server, withCounts: false, ...FRESH });
    const [channel, member] = await Promise.all([
      guild.channels.fetch(id, FRESH),
      guild.members.fetch({ user: person, ...FRESH }),
    ]);
    // Null is a channel of a kind that is newer than the library.
    if (channel === null || channel.isThread()) throw lacking([REQUIREMENTS.threads]);
    const permissions = channel.permissionsFor(member);
    const timedOutUntil = member.communicationDisabledUntilTimestamp ?? 0;
    const isTimedOut = timedOutUntil > this.#clock.now() && !permissions.has(Administrator);
    return { channel, permissions, isTimedOut };
  }
}

/** The tags of a forum that not only moderators may use. */
export function tagsOf(channel: GuildBasedChannel): string[] {
  if (channel.type !== ChannelType.GuildForum) return [];
  return channel.availableTags.filter(({ moderated }) => !moderated).map(({ id }) => id);
}

/**
 * The requirements that are missing to post in a channel. Reading the history is checked only if it was missing before
 * (`lacked`), because few posts need it.
 */
export function missingIn(
  { channel, permissions, isTimedOut }: Access,
  lacked: readonly string[] = [],
): readonly MissingRequirement[] {
  if (isTimedOut) return [REQUIREMENTS.noTimeout];
  const { history } = REQUIREMENTS;
  const mustTag = channel.flags.has(ChannelFlags.RequireTag);
  return [
    ...missingPermissions(permissions, channel.type),
    ...(mustTag && tagsOf(channel).length === 0 ? [REQUIREMENTS.tag] : []),
    ...(lacked.includes(history.what) && !permissions.has(ReadMessageHistory) ? [history] : []),
  ];
}

/** What the bot lacks to mention a role, if anything: Discord checks mentions against the permissions of the sender. */
export function mentionNeeds({ channel, permissions }: Access, role: string): MissingRequirement | undefined {
  const isMentionable = channel.guild.roles.cache.get(role)?.mentionable === true;
  return isMentionable || permissions.has(MentionEveryone) ? undefined : MENTIONABLE_ROLE;
}

export async function nameOfMember(rest: REST, guild: string, person: string): Promise<string> {
  const { nick, user } = (await rest.get(Routes.guildMember(guild, person))) as RESTGetAPIGuildMemberResult;
  return nick ?? user.global_name ?? user.username;
}
