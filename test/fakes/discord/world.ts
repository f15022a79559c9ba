/** Everything the fake Discord remembers, in the shapes it has on the wire. */
import { randomBytes } from 'node:crypto';
import type {
  APIGuildForumTag,
  APIGuildMember,
  APIOverwrite,
  APIRole,
  APIThreadMetadata,
  APIUser,
} from 'discord.js';
import type { Attachment, Message } from './message.ts';
import { Refusal, type Wire } from './rules.ts';
/** With the fields that the bot may read: Discord sends more. */
export type User = Pick<APIUser, 'id' | 'username' | 'discriminator' | 'global_name' | 'avatar' | 'bot'>;
export type Role = Omit<APIRole, 'colors' | 'flags'>;
export interface Member extends Pick<APIGuildMember, 'roles' | 'joined_at' | 'deaf' | 'mute'> {
  user: User;
  flags: number;
  /** The end of a timeout. */
  communication_disabled_until?: string | null;
}
export type Tag = APIGuildForumTag;

export interface Channel {
  id: string;
  type: number;
  guild_id?: string;
  name?: string;
  position?: number;
  flags: number;
  parent_id?: string | null;
  last_message_id: string | null;
  permission_overwrites?: APIOverwrite[];
  available_tags?: Tag[];
  recipients?: User[];
  owner_id?: string;
  applied_tags?: string[];
  message_count?: number;
  thread_metadata?: APIThreadMetadata & { create_timestamp: string };
}

export interface Guild {
  id: string;
  name: string;
  owner_id: string;
  roles: Role[];
  members: Map<string, Member>;
  available: boolean;
}

export const CHANNEL = { text: 0, dm: 1, voice: 2, category: 4, announcement: 5, forum: 15 } as const;
export const THREAD = { announcement: 10, public: 11, private: 12 } as const;
const THREAD_TYPES: readonly number[] = Object.values(THREAD);
export const isThread = (channel: Channel): boolean => THREAD_TYPES.includes(channel.type);

export interface Clock {
  now(): number;
}

const EPOCH = 1_420_070_400_000;
/** What `@everyone` may do in a server where nothing was changed, as far as the fake looks at it. */
export const ORDINARY: readonly Permission[] = [
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'ATTACH_FILES',
  'READ_MESSAGE_HISTORY',
  'USE_APPLICATION_COMMANDS',
  'CREATE_PUBLIC_THREADS',
  'CREATE_PRIVATE_THREADS',
  'SEND_MESSAGES_IN_THREADS',
  'USE_EMBEDDED_ACTIVITIES',
];

export class World {
  readonly clock: Clock;
  readonly application: Wire & { id: string };
  readonly bot: User;
  readonly users = new Map<string, User>();
  readonly guilds = new Map<string, Guild>();
  readonly channels = new Map<string, Channel>();
  /** Messages by channel, oldest first. */
  readonly messages = new Map<string, Message[]>();
  /** When messages older than an hour were edited, by their id. */
  readonly oldEdits = new Map<string, number[]>();
  readonly attachments = new Map<string, Attachment & { content: Buffer }>();
  /** The commands of the application. Those of single servers, which the bot has none of, are left out. */
  commands: Wire[] = [];
  readonly #perGuild = new Map<string, Channel[]>();
  #counter = 0;
  #oldest = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    this.bot = this.addUser('letterboxed', { bot: true });
    this.application = {
      id: this.bot.id,
      name: 'Letter Boxed',
      description: '',
      flags: 0,
      bot: this.bot,
      // The ways to install it that are ticked; a new application supports servers only.
      integration_types_config: { 0: {}, 1: {} },
    };
  }

  /** An id for something that comes into being now. */
  snowflake(): string {
    this.#counter = (this.#counter + 1) % 2 ** 22;
    return String((BigInt(this.clock.now() - EPOCH) << 22n) | BigInt(this.#counter));
  }

  /** An id from the past, each in a millisecond of its own, so that guilds spread over shards. */
  #oldId(): string {
    this.#oldest += 1;
    return String(BigInt(Date.UTC(2024, 0, 1) - EPOCH + this.#oldest) << 22n);
  }

  addUser(name: string, more: { bot?: boolean } = {}): User {
    const user: User = {
      id: this.#oldId(),
      username: name,
      discriminator: '0',
      global_name: null,
      avatar: null,
      ...more,
    };
    this.users.set(user.id, user);
    return user;
  }

  /** A server with the bot in it. `everyone` and `bot` are the permissions of the two roles there are. */
  addGuild(
    name: string,
    more: { owner?: User; everyone?: readonly Permission[]; bot?: readonly Permission[] } = {},
  ): Guild {
    const id = this.#oldId();
    const owner = more.owner ?? this.addUser(`${name}-owner`);
    const botRole = makeRole(this.#oldId(), 'Letter Boxed', bitsOf(more.bot ?? []), 1);
    const guild: Guild = {
      id,
      name,
      owner_id: owner.id,
      roles: [makeRole(id, '@everyone', bitsOf(more.everyone ?? ORDINARY), 0), botRole],
      members: new Map(),
      available: true,
    };
    this.guilds.set(id, guild);
    this.#perGuild.set(id, []);
    this.addMember(guild, owner);
    this.addMember(guild, this.bot, [botRole.id]);
    return guild;
  }

  addRole(guild: Guild, name: string, permissions: readonly Permission[] = []): Role {
    const role = makeRole(this.#oldId(), name, bitsOf(permissions), guild.roles.length);
    guild.roles.push(role);
    return role;
  }

  addMember(guild: Guild, user: User, roles: string[] = []): Member {
    const joined_at = new Date(this.clock.now()).toISOString();
    const member: Member = { user, roles, joined_at, deaf: false, mute: false, flags: 0 };
    guild.members.set(user.id, member);
    return member;
  }

  addChannel(
    guild: Guild,
    type: number = CHANNEL.text,
    more: { name?: string; tags?: readonly string[]; requireTag?: boolean } = {},
  ): Channel {
    const forum = type === CHANNEL.forum;
    return this.keepChannel({
      id: this.#oldId(),
      type,
      guild_id: guild.id,
      name: more.name ?? 'words',
      position: this.channelsOf(guild.id).length,
      flags: more.requireTag ? 1 << 4 : 0,
      parent_id: null,
      last_message_id: null,
      permission_overwrites: [],
      ...(forum ? { available_tags: (more.tags ?? []).map((tag) => this.makeTag(tag)) } : {}),
    });
  }

  makeTag(name: string): Tag {
    return { id: this.#oldId(), name, moderated: false, emoji_id: null, emoji_name: null };
  }

  /** The private conversation of a person and the bot. */
  directChannel(user: User): Channel {
    for (const channel of this.channels.values()) {
      if (channel.type === CHANNEL.dm && channel.recipients?.[0]?.id === user.id) return channel;
    }
    const recipients = [user];
    return this.keepChannel({
      id: this.#oldId(),
      type: CHANNEL.dm,
      flags: 0,
      last_message_id: null,
      recipients,
    });
  }

  keepChannel(channel: Channel): Channel {
    this.channels.set(channel.id, channel);
    if (channel.guild_id !== undefined) this.#perGuild.get(channel.guild_id)?.push(channel);
    return channel;
  }

  /** All channels and threads of a guild. */
  channelsOf(guildId: string): Channel[] {
    return this.#perGuild.get(guildId) ?? [];
  }

  dropChannel(channel: Channel): void {
    this.channels.delete(channel.id);
    this.messages.delete(channel.id);
    const siblings = channel.guild_id === undefined ? undefined : this.#perGuild.get(channel.guild_id);
    siblings?.splice(siblings.indexOf(channel), 1);
    for (const child of [...(siblings ?? [])]) if (child.parent_id === channel.id) this.dropChannel(child);
  }

  /** Takes permissions from the bot in one channel, as an overwrite for its own member. */
  deny(channel: Channel, ...names: readonly Permission[]): void {
    const rest = (channel.permission_overwrites ?? []).filter((one) => one.id !== this.bot.id);
    const overwrite: APIOverwrite = { id: this.bot.id, type: 1, allow: '0', deny: String(bitsOf(names)) };
    channel.permission_overwrites = names.length > 0 ? [...rest, overwrite] : rest;
  }

  /** What somebody may do in a channel; a thread takes over what holds in its parent. */
  permissions(userId: string, channel: Channel): bigint {
    if (channel.guild_id === undefined) {
      return bitsOf(['ATTACH_FILES', 'MENTION_EVERYONE', 'VIEW_CHANNEL', 'SEND_MESSAGES']);
    }
    const guild = this.guilds.get(channel.guild_id);
    if (guild === undefined) return 0n;
    const parent = isThread(channel) ? this.channels.get(channel.parent_id ?? '') : channel;
    return permissionsIn(guild, userId, this.clock.now(), parent);
  }

  /** The channel, when the bot may look at it. */
  visible(channelId: string): Channel {
    const channel = this.channels.get(channelId);
    if (channel === undefined) throw new Refusal(10003);
    if (channel.guild_id === undefined) return channel;
    const guild = this.guilds.get(channel.guild_id);
    const inside = guild?.members.has(this.bot.id) ?? false;
    if (!inside || !(this.permissions(this.bot.id, channel) & BITS.VIEW_CHANNEL)) throw new Refusal(50001);
    return channel;
  }

  /** Throws 50013 unless the bot has this permission in the channel. */
  demand(channel: Channel, name: Permission): void {
    if (channel.guild_id !== undefined && !(this.permissions(this.bot.id, channel) & BITS[name])) {
      throw new Refusal(50013);
    }
  }

  messagesOf(channelId: string): Message[] {
    return this.messages.get(channelId) ?? [];
  }

  messageOf(channelId: string, messageId: string): Message {
    const message = this.messagesOf(channelId).find((one) => one.id === messageId);
    if (message === undefined) throw new Refusal(10008);
    return message;
  }
}

function makeRole(id: string, name: string, permissions: bigint, position: number): Role {
  return {
    id,
    name,
    permissions: String(permissions),
    position,
    mentionable: false,
    managed: false,
    hoist: false,
    color: 0,
  };
}

export const randomToken = (): string => randomBytes(24).toString('base64url');

export const BITS = {
  ADMINISTRATOR: 1n << 3n,
  MANAGE_GUILD: 1n << 5n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
  MANAGE_THREADS: 1n << 34n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  CREATE_PRIVATE_THREADS: 1n << 36n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
  USE_EMBEDDED_ACTIVITIES: 1n << 39n,
} as const;
export type Permission = keyof typeof BITS;

const EVERYTHING = (1n << 53n) - 1n;

export const bitsOf = (names: readonly Permission[]): bigint =>
  names.reduce((sum, name) => sum | BITS[name], 0n);

/** What a member may do in a channel at a moment; for a thread ask with its parent channel. */
export function permissionsIn(guild: Guild, userId: string, now: number, channel?: Channel): bigint {
  if (guild.owner_id === userId) return EVERYTHING;
  const mine = guild.members.get(userId)?.roles ?? [];
  let permissions = 0n;
  for (const role of guild.roles) {
    if (role.id === guild.id || mine.includes(role.id)) permissions |= BigInt(role.permissions);
  }
  if (permissions & BITS.ADMINISTRATOR) return EVERYTHING;
  if (channel === undefined) return permissions;
  const overwrites = channel.permission_overwrites ?? [];
  const layers = [
    overwrites.filter((one) => one.id === guild.id),
    overwrites.filter((one) => one.type === 0 && mine.includes(one.id)),
    overwrites.filter((one) => one.type === 1 && one.id === userId),
  ];
  for (const layer of layers) {
    for (const one of layer) permissions &= ~BigInt(one.deny);
    for (const one of layer) permissions |= BigInt(one.allow);
  }
  // "Timed out members will temporarily lose all permissions except VIEW_CHANNEL and READ_MESSAGE_HISTORY."
  const until = guild.members.get(userId)?.communication_disabled_until;
  if (until != null && Date.parse(until) > now) permissions &= BITS.VIEW_CHANNEL | BITS.READ_MESSAGE_HISTORY;
  return permissions & BITS.VIEW_CHANNEL ? permissions : 0n;
}
