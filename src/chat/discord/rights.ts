import type { REST } from 'discord.js';
import { type ChannelType, PermissionFlagsBits, Routes } from 'discord.js';
import type { Lack } from '../../daily/types.ts';
import { type GuildRights, lacksIn, type Overwrite, permissionsIn, WRONG_KIND } from './permissions.ts';

const KEPT = 60_000;
const MOST_KEPT = 5_000;

/** A channel as far as the daily thread needs to know it. */
export interface KnownChannel {
  readonly id: string;
  readonly type: ChannelType;
  readonly guild: string | undefined;
  readonly permissions: bigint;
  /** Of a forum: its tags that anyone may use, and whether a post must have one. */
  readonly tags: readonly string[];
  readonly mustTag: boolean;
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

/** What the bot may do where, asked over REST, so that a process without a gateway knows it too. */
export class Rights {
  readonly #rest: REST;
  readonly #now: () => number;
  readonly #channels = new Map<string, { until: number; channel: Promise<KnownChannel> }>();
  readonly #guilds = new Map<string, { until: number; guild: Promise<GuildRights> }>();
  #me: Promise<string> | undefined;

  constructor(rest: REST, now: () => number) {
    this.#rest = rest;
    this.#now = now;
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
    const kept = this.#channels.get(id);
    if (kept !== undefined && kept.until > this.#now()) return kept.channel;
    const channel = this.#ask(id);
    keep(this.#channels, id, { until: this.#now() + KEPT, channel });
    channel.catch(() => this.#channels.delete(id));
    return channel;
  }

  async lacks(id: string): Promise<readonly Lack[]> {
    const { guild, permissions, type } = await this.channel(id);
    return guild === undefined ? [WRONG_KIND] : lacksIn(permissions, type);
  }

  async mayReadHistory(id: string): Promise<boolean> {
    const { permissions } = await this.channel(id);
    return (permissions & PermissionFlagsBits.ReadMessageHistory) !== 0n;
  }

  /** Something was refused that should not have been: look again next time. */
  forget(id: string): void {
    const kept = this.#channels.get(id);
    this.#channels.delete(id);
    kept?.channel.then(
      ({ guild }) => guild !== undefined && this.#guilds.delete(guild),
      () => undefined,
    );
  }

  async #ask(id: string): Promise<KnownChannel> {
    const wire = (await this.#rest.get(Routes.channel(id))) as WireChannel;
    const { type, guild_id: guild, flags = 0, permission_overwrites = [], available_tags = [] } = wire;
    return {
      id,
      type,
      guild,
      permissions: guild === undefined ? 0n : permissionsIn(await this.#guild(guild), permission_overwrites),
      tags: available_tags.filter(({ moderated }) => !moderated).map((tag) => tag.id),
      mustTag: (flags & REQUIRE_TAG) !== 0,
    };
  }

  #guild(id: string): Promise<GuildRights> {
    const kept = this.#guilds.get(id);
    if (kept !== undefined && kept.until > this.#now()) return kept.guild;
    const guild = this.#askGuild(id);
    keep(this.#guilds, id, { until: this.#now() + KEPT, guild });
    guild.catch(() => this.#guilds.delete(id));
    return guild;
  }

  async #askGuild(id: string): Promise<GuildRights> {
    const me = await this.me();
    const [roles, member] = await Promise.all([
      this.#rest.get(Routes.guildRoles(id)),
      this.#rest.get(Routes.guildMember(id, me)),
    ]);
    return {
      id,
      roles: roles as GuildRights['roles'],
      me: { id: me, roles: (member as { roles: string[] }).roles },
    };
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value!);
}
