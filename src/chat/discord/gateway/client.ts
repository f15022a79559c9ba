import {
  Client,
  type ClientOptions,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  GatewayIntentBits,
  Options,
  type RESTOptions,
  Status,
} from 'discord.js';
import { type Drop, GuardedShards, guardEvents } from './guard-events.ts';

/** Milliseconds that the start waits for servers that have an outage. */
const GUILD_WAIT = 2_000;

/** Interactions come without any intent; this one brings what changes in servers. */
export const BOT_INTENTS = [GatewayIntentBits.Guilds];

export interface GatewayOptions {
  readonly rest: Partial<RESTOptions>;
  readonly shards: string;
  readonly drop: Drop;
}

/** The gateway client of discord.js. Events are handled as they arrive, so its caches are kept empty. */
export function makeClient({ rest, shards, drop }: GatewayOptions): Client {
  const client: Client = new Client({
    intents: BOT_INTENTS,
    rest,
    ws: { buildStrategy: (manager) => new GuardedShards(manager, drop) },
    waitGuildTimeout: GUILD_WAIT,
    ...readShards(shards),
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      GuildMemberManager: 0,
      UserManager: { maxSize: 1, keepOverLimit: (user) => user.id === client.user?.id },
      ThreadManager: 0,
      ThreadMemberManager: 0,
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      VoiceStateManager: 0,
      StageInstanceManager: 0,
      GuildInviteManager: 0,
      GuildScheduledEventManager: 0,
      AutoModerationRuleManager: 0,
    }),
  });
  guardEvents(client, drop);
  client.ws.on(GatewayDispatchEvents.GuildCreate, emptyGuild);
  return client;
}

/**
 * Which part of a large bot's servers this process serves.
 *
 * @example readShards('0-3/16') // { shards: [0, 1, 2, 3], shardCount: 16 }
 */
export function readShards(text: string): Pick<ClientOptions, 'shards' | 'shardCount'> {
  if (text === 'auto') return { shards: 'auto' };
  const match = /^(\d{1,5})(?:-(\d{1,5}))?\/(\d{1,5})$/.exec(text);
  const [from, to, count] = [match?.[1], match?.[2] ?? match?.[1], match?.[3]].map(Number);
  if (from === undefined || to === undefined || count === undefined || !(from <= to && to < count))
    throw new RangeError(`DISCORD_SHARDS should be auto, or a slice such as 0-3/16, not "${text}"`);
  return { shards: Array.from({ length: to - from + 1 }, (_, at) => from + at), shardCount: count };
}

/** The library reads an event after its listeners: it creates no objects for what is removed here. */
function emptyGuild(guild: GatewayGuildCreateDispatchData): void {
  for (const part of UNUSED) guild[part] = [];
}

const UNUSED = [
  'channels',
  'threads',
  'roles',
  'members',
  'emojis',
  'stickers',
  'voice_states',
  'presences',
  'stage_instances',
  'guild_scheduled_events',
  'soundboard_sounds',
] as const;

/** Servers and channels are requested when needed. In the library's caches, which have no limit for them, they pile up. */
export function clearCaches({ channels, guilds }: Client): void {
  channels.cache.clear();
  guilds.cache.clear();
}

/** Whether all shards are connected. The library's own status stays ready when one of them is lost. */
export function isConnected({ ws: { shards, status } }: Client): boolean {
  return status === Status.Ready && shards.every((shard) => shard.status === Status.Ready);
}
