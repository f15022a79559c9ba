import {
  type ChannelType,
  RESTJSONErrorCodes as CODE,
  OverwriteType,
  PermissionFlagsBits,
  PermissionsBitField,
  type REST,
  Routes,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { DAY, MINUTE } from '../../core/clock.ts';
import { atMost } from '../../core/turns.ts';
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
/** Of an owner or an administrator. */
const ALL_PERMISSIONS = PermissionsBitField.All;

/** Milliseconds for which an answer is used in a server whose changes are not reported to this process. */
const CACHE_MS = MINUTE;
/** The same where Discord reports every change; a day at most, in case it ever misses one. */
const WATCHED_CACHE_MS = DAY;
/** What is kept of a channel, of its server, and of its rules, which take up to 40 KB. */
const SIZES = { channel: 1, server: 1, rules: 40 };
const MAX_CACHE_SIZE = 40_000;

/** A channel as far as the daily thread needs to know it. */
export interface KnownChannel {
  readonly id: string;
  readonly type: ChannelType;
  readonly guild: string | undefined;
  readonly permissions: PermissionsBitField;
  /** For a forum: the tags that anyone may use, and whether a post must have one. */
  readonly tags: readonly string[];
  readonly mustTag: boolean;
  /** Until when a moderator's timeout keeps the bot from posting; 0 if there is none. */
  readonly silencedUntil: number;
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
const ROLES = v.array(ROLE);
const GUILD = v.object({ owner_id: v.string(), roles: ROLES });
const MEMBER = v.pipe(
  v.object({ roles: v.array(v.string()), communication_disabled_until: v.nullish(v.string()) }),
  v.transform(({ roles, communication_disabled_until: until }) => ({
    roles,
    silencedUntil: until ? Date.parse(until) : 0,
  })),
);
const USER = v.object({ id: v.string() });

/** The facts that decide what people may do in a channel. */
interface ChannelRules {
  /** Of the server: they may do everything, whatever their roles. */
  readonly owner: string;
  readonly roles: readonly Role[];
  readonly overwrites: readonly Overwrite[];
}

/** What is known, or requested at the moment. */
interface Cached {
  readonly at: number;
  readonly value: Promise<object>;
  /** Unknown until the value is there. */
  guild: string | undefined;
}

/**
 * The bot's permissions in channels, requested over REST, so that a process without a gateway knows them too. Uncached,
 * these would be half of all requests for a daily thread, so an answer is used for as long as Discord would report a change
 * of it.
 */
export class Rights {
  readonly #rest: REST;
  readonly #now: () => number;
  readonly #isWatched: (guild: string) => boolean;
  /** By what it is and its id. */
  readonly #known = new LRUCache<string, Cached>(atMost(MAX_CACHE_SIZE));
  #me: Promise<string> | undefined;

  /** @param isWatched whether Discord reports changes in a server to this process at the moment */
  constructor(rest: REST, now: () => number, isWatched: (guild: string) => boolean = () => false) {
    this.#rest = rest;
    this.#now = now;
    this.#isWatched = isWatched;
  }

  /** The bot's own user id. */
  me(): Promise<string> {
    this.#me ??= this.#rest.get(Routes.user('@me')).then((user) => v.parse(USER, user).id);
    this.#me.catch(() => {
      this.#me = undefined;
    });
    return this.#me;
  }

  channel(id: string): Promise<KnownChannel> {
    const request = () => this.#requestChannel(id);
    return this.#cached('channel', id, request, ({ guild }) => guild);
  }

  /** The requirements that are missing to post in a channel, checking also the named ones. */
  async missingRequirements(
    id: string,
    lacked: readonly string[] = [],
  ): Promise<readonly MissingRequirement[]> {
    const { guild, permissions, type, mustTag, tags, silencedUntil } = await this.channel(id);
    if (guild === undefined) return [WRONG_KIND];
    if (silencedUntil > this.#now() && !permissions.has(Administrator)) return [TIMED_OUT];
    return [
      ...missingPermissions(permissions, type),
      ...(mustTag && tags.length === 0 ? [TAG] : []),
      ...(lacked.includes(HISTORY.what) && !permissions.has(ReadMessageHistory) ? [HISTORY] : []),
    ];
  }

  /** Discord checks every mention against the permissions of its sender: a post of the bot may notify nobody. */
  async mentionNeeds(id: string, role: string): Promise<MissingRequirement | undefined> {
    const { guild, permissions } = await this.channel(id);
    if (guild === undefined || permissions.has(MentionEveryone)) return undefined;
    const { mentionable } = await this.#guild(guild);
    return mentionable.includes(role) ? undefined : MENTIONABLE_ROLE;
  }

  /** What a person may do in a channel; undefined if they are not in its server. */
  async permissionsOf(
    person: string,
    guild: string,
    channel: string,
  ): Promise<PermissionsBitField | undefined> {
    const member = await this.#member(guild, person);
    if (member === undefined) return undefined;
    const request = () => this.#requestRules(guild, channel);
    const { owner, roles, overwrites } = await this.#cached('rules', channel, request, () => guild);
    if (person === owner) return new PermissionsBitField(ALL_PERMISSIONS);
    const permissions = permissionsIn({ guild, id: person, roles: member.roles }, roles, overwrites);
    const isSilenced = member.silencedUntil > this.#now();
    return isSilenced && !permissions.has(Administrator) ? new PermissionsBitField() : permissions;
  }

  /** Makes the next question about a channel a request: something was refused that should not have been. */
  forget(id: string): void {
    const guild = this.#known.peek(`channel ${id}`)?.guild;
    for (const key of [`channel ${id}`, `rules ${id}`, `server ${guild}`]) this.#known.delete(key);
  }

  /** Forgets what is known of a server after a change in it. */
  forgetGuild(guild: string): void {
    for (const [key, known] of [...this.#known.entries()])
      if (known.guild === guild || known.guild === undefined) this.#known.delete(key);
  }

  /** For a new gateway session: changes before it may have gone unreported. */
  forgetAll(): void {
    this.#known.clear();
  }

  async #requestChannel(id: string): Promise<KnownChannel> {
    const channel = v.parse(CHANNEL, await this.#rest.get(Routes.channel(id)));
    const { type, guild_id: guild, flags, permission_overwrites, available_tags } = channel;
    const known = guild === undefined ? undefined : await this.#guild(guild);
    return {
      id,
      type,
      guild,
      permissions: known
        ? permissionsIn(known.me, known.roles, permission_overwrites)
        : new PermissionsBitField(),
      tags: available_tags.filter(({ moderated }) => !moderated).map((tag) => tag.id),
      mustTag: (flags & REQUIRE_TAG_FLAG) !== 0,
      silencedUntil: known?.me.silencedUntil ?? 0,
    };
  }

  #guild(id: string): Promise<GuildRights> {
    const request = () => this.#requestGuild(id);
    return this.#cached('server', id, request, () => id);
  }

  async #requestGuild(guild: string): Promise<GuildRights> {
    const id = await this.me();
    const [all, member] = await Promise.all([
      this.#rest.get(Routes.guildRoles(guild)).then((roles) => v.parse(ROLES, roles)),
      this.#rest.get(Routes.guildMember(guild, id)).then((one) => v.parse(MEMBER, one)),
    ]);
    return {
      me: { guild, id, ...member },
      roles: all.filter((role) => role.id === guild || member.roles.includes(role.id)),
      mentionable: all.filter((role) => role.mentionable).map((role) => role.id),
    };
  }

  async #requestRules(guild: string, channel: string): Promise<ChannelRules> {
    const [{ owner_id: owner, roles }, { permission_overwrites: overwrites }] = await Promise.all([
      this.#rest.get(Routes.guild(guild)).then((one) => v.parse(GUILD, one)),
      this.#rest.get(Routes.channel(channel)).then((one) => v.parse(CHANNEL, one)),
    ]);
    return { owner, roles, overwrites };
  }

  async #member(guild: string, person: string): Promise<v.InferOutput<typeof MEMBER> | undefined> {
    try {
      return v.parse(MEMBER, await this.#rest.get(Routes.guildMember(guild, person)));
    } catch (error) {
      const code = codeOf(error);
      if (code === CODE.UnknownMember || code === CODE.UnknownUser) return undefined;
      throw error;
    }
  }

  /**
   * Keeps promises rather than `fetchMethod`: what is still being requested must be forgotten too when its
   * server changes, and how long a value lives depends on whether the server is watched when it is read.
   */
  #cached<Value extends object>(
    kind: keyof typeof SIZES,
    id: string,
    request: () => Promise<Value>,
    guildOf: (value: Value) => string | undefined,
  ): Promise<Value> {
    const now = this.#now();
    const key = `${kind} ${id}`;
    const known = this.#known.get(key);
    if (known !== undefined && now - known.at < this.#lifeOf(known)) return known.value as Promise<Value>;
    const value = request();
    const cached: Cached = { at: now, value, guild: undefined };
    this.#known.set(key, cached, { size: SIZES[kind] });
    value.then(
      (made) => {
        cached.guild = guildOf(made);
      },
      () => this.#known.peek(key) === cached && this.#known.delete(key),
    );
    return value;
  }

  #lifeOf({ guild }: Cached): number {
    return guild !== undefined && this.#isWatched(guild) ? WATCHED_CACHE_MS : CACHE_MS;
  }
}

const NAMED = v.object({
  nick: v.nullish(v.string()),
  user: v.object({ username: v.string(), global_name: v.nullish(v.string()) }),
});

export async function nameOfMember(rest: REST, guild: string, person: string): Promise<string> {
  const { nick, user } = v.parse(NAMED, await rest.get(Routes.guildMember(guild, person)));
  return nick ?? user.global_name ?? user.username;
}

/** What the bot's permissions in a server's channels depend on, without the channels. */
interface GuildRights {
  readonly me: Membership;
  /** The bot's own. */
  readonly roles: readonly Role[];
  readonly mentionable: readonly string[];
}

/** When a timeout ends: 0 without one. */
type Membership = v.InferOutput<typeof MEMBER> & { readonly guild: string; readonly id: string };

/**
 * A member's permissions in a channel: the permissions of their roles, changed by the channel for everyone, for roles, and
 * for them. discord.js computes them for cached servers only.
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
