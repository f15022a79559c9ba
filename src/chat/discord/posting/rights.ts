import type { REST } from 'discord.js';
import { type ChannelType, PermissionFlagsBits, Routes } from 'discord.js';
import type { MissingRequirement } from '../../../dispatch/poster.ts';
import {
  type GuildRights,
  lacksIn,
  type Overwrite,
  permissionsIn,
  TAG,
  TIMED_OUT,
  WRONG_KIND,
} from './permissions.ts';

/** Where nobody tells of changes. */
const KEPT = 60_000;
/** Where Discord tells of every change; a day at most, should it ever forget to. */
const KEPT_WATCHED = 24 * 3_600_000;
const MOST_KEPT = 20_000;

/** A channel as far as the daily thread needs to know it. */
export interface KnownChannel {
  readonly id: string;
  readonly type: ChannelType;
  readonly guild: string | undefined;
  readonly permissions: bigint;
  /** Of a forum: its tags that anyone may use, and whether a post must have one. */
  readonly tags: readonly string[];
  readonly mustTag: boolean;
  /** Until when a moderator keeps the bot from posting; 0 if none does. */
  readonly silencedUntil: number;
}

const REQUIRE_TAG = 1 << 4;

interface WireChannel {
  readonly id: string;
  readonly type: ChannelType;
  readonly guild_id?: string;
  readonly flags?: number;
  readonly permission_overwrites?: readonly Overwrite[];
  readonly available_tags?: readonly { readonly id: string; readonly moderated: boolean }[];
}

interface WireMember {
  readonly roles: readonly string[];
  readonly communication_disabled_until?: string | null;
}

function momentOf(date: string | null | undefined): number {
  return date == null ? 0 : Date.parse(date);
}

interface Kept<Value> {
  readonly at: number;
  readonly value: Promise<Value>;
  /** Not known before the answer is there. */
  guild: string | undefined;
}

/**
 * What the bot may do where, asked over REST, so that a process without a gateway knows it too. Half of all
 * requests for a daily thread would be these, so what is known is kept as long as its server is watched.
 */
export class Rights {
  readonly #rest: REST;
  readonly #now: () => number;
  readonly #isWatched: (guild: string) => boolean;
  readonly #channels = new Map<string, Kept<KnownChannel>>();
  readonly #guilds = new Map<string, Kept<GuildRights>>();
  #me: Promise<string> | undefined;

  constructor(rest: REST, now: () => number, isWatched: (guild: string) => boolean = () => false) {
    this.#rest = rest;
    this.#now = now;
    this.#isWatched = isWatched;
  }

  /** The bot's own id. */
  me(): Promise<string> {
    this.#me ??= this.#rest.get(Routes.user('@me')).then((user) => (user as { id: string }).id);
    this.#me.catch(() => {
      this.#me = undefined;
    });
    return this.#me;
  }

  channel(id: string): Promise<KnownChannel> {
    return this.#keep(
      this.#channels,
      id,
      () => this.#ask(id),
      ({ guild }) => guild,
    );
  }

  async lacks(id: string): Promise<readonly MissingRequirement[]> {
    const { guild, permissions, type, mustTag, tags, silencedUntil } = await this.channel(id);
    if (guild === undefined) return [WRONG_KIND];
    if (silencedUntil > this.#now() && !(permissions & PermissionFlagsBits.Administrator)) return [TIMED_OUT];
    return [...lacksIn(permissions, type), ...(mustTag && tags.length === 0 ? [TAG] : [])];
  }

  async mayReadHistory(id: string): Promise<boolean> {
    const { permissions } = await this.channel(id);
    return (permissions & PermissionFlagsBits.ReadMessageHistory) !== 0n;
  }

  /** Something was refused that should not have been: look again next time. */
  forget(id: string): void {
    const guild = this.#channels.get(id)?.guild;
    this.#channels.delete(id);
    if (guild !== undefined) this.#guilds.delete(guild);
  }

  /** Discord tells of a change in a server. */
  changed(guild: string): void {
    this.#guilds.delete(guild);
    for (const [id, kept] of this.#channels)
      if (kept.guild === guild || kept.guild === undefined) this.#channels.delete(id);
  }

  /** What Discord told in the meantime may be lost. */
  forgetAll(): void {
    this.#guilds.clear();
    this.#channels.clear();
  }

  async #ask(id: string): Promise<KnownChannel> {
    const wire = (await this.#rest.get(Routes.channel(id))) as WireChannel;
    const { type, guild_id: guild, flags = 0, permission_overwrites = [], available_tags = [] } = wire;
    const known = guild === undefined ? undefined : await this.#guild(guild);
    return {
      id,
      type,
      guild,
      permissions: known === undefined ? 0n : permissionsIn(known, permission_overwrites),
      tags: available_tags.filter(({ moderated }) => !moderated).map((tag) => tag.id),
      mustTag: (flags & REQUIRE_TAG) !== 0,
      silencedUntil: known?.me.silencedUntil ?? 0,
    };
  }

  #guild(id: string): Promise<GuildRights> {
    return this.#keep(
      this.#guilds,
      id,
      () => this.#askGuild(id),
      () => id,
    );
  }

  async #askGuild(id: string): Promise<GuildRights> {
    const me = await this.me();
    const [roles, member] = await Promise.all([
      this.#rest.get(Routes.guildRoles(id)) as Promise<GuildRights['roles']>,
      this.#rest.get(Routes.guildMember(id, me)) as Promise<WireMember>,
    ]);
    const mine = roles.filter((role) => role.id === id || member.roles.includes(role.id));
    return {
      id,
      roles: mine.map(({ id: role, permissions }) => ({ id: role, permissions })),
      me: { id: me, roles: member.roles, silencedUntil: momentOf(member.communication_disabled_until) },
    };
  }

  #keep<Value>(
    all: Map<string, Kept<Value>>,
    id: string,
    ask: () => Promise<Value>,
    guildOf: (value: Value) => string | undefined,
  ): Promise<Value> {
    const now = this.#now();
    const known = all.get(id);
    if (known !== undefined && now - known.at < this.#life(known)) return known.value;
    const kept: Kept<Value> = { at: now, value: ask(), guild: undefined };
    all.delete(id);
    all.set(id, kept);
    if (all.size > MOST_KEPT) all.delete(all.keys().next().value!);
    kept.value.then(
      (value) => {
        kept.guild = guildOf(value);
      },
      () => all.get(id) === kept && all.delete(id),
    );
    return kept.value;
  }

  #life({ guild }: Kept<unknown>): number {
    return guild !== undefined && this.#isWatched(guild) ? KEPT_WATCHED : KEPT;
  }
}
