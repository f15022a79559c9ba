import {
  type ChannelType,
  RESTJSONErrorCodes as CODE,
  OverwriteType,
  PermissionFlagsBits,
  PermissionsBitField,
  type REST,
  Routes,
} from 'discord.js';
import * as v from 'valibot';
import type { MissingRequirement } from '../../dispatch/poster.ts';
import {
  codeOf,
  HISTORY,
  MENTIONABLE_ROLE,
  missingPermissions,
  TAG,
  TIMED_OUT,
  WRONG_KIND,
} from './errors.ts';

const { Administrator, MentionEveryone, ReadMessageHistory } = PermissionFlagsBits;
/** What owners and administrators have. */
const ALL_PERMISSIONS = PermissionsBitField.All;

/** The properties of a channel that a post depends on. */
export interface KnownChannel {
  readonly type: ChannelType;
  readonly guild: string | undefined;
  readonly permissions: PermissionsBitField;
  /** A forum's tags that anyone may use, and whether a post must have one. */
  readonly tags: readonly string[];
  readonly mustTag: boolean;
  /** Whether a moderator has timed the bot out. */
  readonly isTimedOut: boolean;
  /** Roles that everybody may mention. */
  readonly mentionable: readonly string[];
}

/** The channel flag of a forum whose posts must have a tag. */
const REQUIRE_TAG_FLAG = 1 << 4;

const OVERWRITE = v.object({ id: v.string(), type: v.number(), allow: v.string(), deny: v.string() });
type Overwrite = v.InferOutput<typeof OVERWRITE>;
const CHANNEL = v.object({
  id: v.string(),
  /** A `ChannelType`, which may be newer than the library. */
  type: v.number(),
  guild_id: v.optional(v.string()),
  flags: v.optional(v.number(), 0),
  permission_overwrites: v.optional(v.array(OVERWRITE), []),
  available_tags: v.optional(v.array(v.object({ id: v.string(), moderated: v.boolean() })), []),
});
const ROLE = v.object({
  id: v.string(),
  permissions: v.string(),
  mentionable: v.optional(v.boolean(), false),
});
type Role = Pick<v.InferOutput<typeof ROLE>, 'id' | 'permissions'>;
const GUILD = v.object({ owner_id: v.string(), roles: v.array(ROLE) });
const MEMBER = v.pipe(
  v.object({ roles: v.array(v.string()), communication_disabled_until: v.nullish(v.string()) }),
  v.transform(({ roles, communication_disabled_until: until }) => ({
    roles,
    // 0 without a timeout.
    timedOutUntil: until ? Date.parse(until) : 0,
  })),
);

/** Looks up permissions over REST, because not every process has a gateway connection. */
export class Rights {
  readonly #rest: REST;
  readonly #now: () => number;
  /** The bot's own user id. */
  readonly me: () => Promise<string>;

  constructor(rest: REST, now: () => number, me: () => Promise<string>) {
    this.#rest = rest;
    this.#now = now;
    this.me = me;
  }

  /** A channel, and what the bot may do there. */
  async channel(id: string): Promise<KnownChannel> {
    const { type, guild_id: guild, flags, available_tags, permission_overwrites } = await this.#channel(id);
    const known = {
      ...{ type, guild },
      tags: available_tags.filter(({ moderated }) => !moderated).map((tag) => tag.id),
      mustTag: (flags & REQUIRE_TAG_FLAG) !== 0,
    };
    if (guild === undefined)
      return { ...known, permissions: new PermissionsBitField(), isTimedOut: false, mentionable: [] };
    const me = await this.me();
    const [member, server] = await Promise.all([this.#member(guild, me), this.#server(guild)]);
    const mentionable = server.roles.filter((role) => role.mentionable).map((role) => role.id);
    const own = this.#memberPermissions({ guild, id: me, ...member }, server, permission_overwrites);
    return { ...known, ...own, mentionable };
  }

  /** What a person may do in a channel; undefined if they are not in its server. */
  async permissionsOf(
    person: string,
    guild: string,
    channel: string,
  ): Promise<PermissionsBitField | undefined> {
    const member = await this.#member(guild, person).catch((error: unknown) => {
      const code = codeOf(error);
      if (code === CODE.UnknownMember || code === CODE.UnknownUser) return undefined;
      throw error;
    });
    if (member === undefined) return undefined;
    const [server, { permission_overwrites }] = await Promise.all([
      this.#server(guild),
      this.#channel(channel),
    ]);
    const own = this.#memberPermissions({ guild, id: person, ...member }, server, permission_overwrites);
    return own.isTimedOut ? new PermissionsBitField() : own.permissions;
  }

  /** The owner may do everything, and a timeout does not bind administrators. */
  #memberPermissions(
    member: Membership,
    { owner_id: owner, roles }: v.InferOutput<typeof GUILD>,
    overwrites: readonly Overwrite[],
  ): Pick<KnownChannel, 'permissions' | 'isTimedOut'> {
    const permissions =
      member.id === owner
        ? new PermissionsBitField(ALL_PERMISSIONS)
        : permissionsIn(member, roles, overwrites);
    const isTimedOut = member.timedOutUntil > this.#now() && !permissions.has(Administrator);
    return { permissions, isTimedOut };
  }

  async #channel(id: string) {
    return v.parse(CHANNEL, await this.#rest.get(Routes.channel(id)));
  }

  async #server(id: string) {
    return v.parse(GUILD, await this.#rest.get(Routes.guild(id)));
  }

  async #member(guild: string, person: string) {
    return v.parse(MEMBER, await this.#rest.get(Routes.guildMember(guild, person)));
  }
}

/**
 * The requirements that are missing to post in a channel. Reading the history is checked only if it was missing before
 * (`lacked`), because few posts need it.
 */
export function missingIn(
  { guild, permissions, type, mustTag, tags, isTimedOut }: KnownChannel,
  lacked: readonly string[] = [],
): readonly MissingRequirement[] {
  if (guild === undefined) return [WRONG_KIND];
  if (isTimedOut) return [TIMED_OUT];
  return [
    ...missingPermissions(permissions, type),
    ...(mustTag && tags.length === 0 ? [TAG] : []),
    ...(lacked.includes(HISTORY.what) && !permissions.has(ReadMessageHistory) ? [HISTORY] : []),
  ];
}

/** What the bot lacks to mention a role, if anything: Discord checks mentions against the permissions of the sender. */
export function mentionNeeds(
  { guild, permissions, mentionable }: KnownChannel,
  role: string,
): MissingRequirement | undefined {
  if (guild === undefined || permissions.has(MentionEveryone) || mentionable.includes(role)) return undefined;
  return MENTIONABLE_ROLE;
}

const NAMED = v.object({
  nick: v.nullish(v.string()),
  user: v.object({ username: v.string(), global_name: v.nullish(v.string()) }),
});

export async function nameOfMember(rest: REST, guild: string, person: string): Promise<string> {
  const { nick, user } = v.parse(NAMED, await rest.get(Routes.guildMember(guild, person)));
  return nick ?? user.global_name ?? user.username;
}

type Membership = v.InferOutput<typeof MEMBER> & { readonly guild: string; readonly id: string };

/**
 * A member's permissions in a channel: those of their roles, then the channel's overwrites for everyone, for roles and for
 * the member. discord.js computes this for cached servers only.
 */
export function permissionsIn(
  { guild, id, roles }: Pick<Membership, 'guild' | 'id' | 'roles'>,
  all: readonly Role[],
  overwrites: readonly Overwrite[],
): PermissionsBitField {
  const own = all.filter((role) => role.id === guild || roles.includes(role.id));
  const permissions = new PermissionsBitField(own.map((role) => BigInt(role.permissions)));
  if (permissions.has(Administrator)) return new PermissionsBitField(ALL_PERMISSIONS);
  const change = (some: readonly Overwrite[]) =>
    permissions.remove(some.map(({ deny }) => BigInt(deny))).add(some.map(({ allow }) => BigInt(allow)));
  const ofRoles = overwrites.filter((one) => one.type === OverwriteType.Role);
  change(ofRoles.filter((one) => one.id === guild));
  change(ofRoles.filter((one) => one.id !== guild && roles.includes(one.id)));
  change(overwrites.filter((one) => one.type === OverwriteType.Member && one.id === id));
  return permissions;
}
