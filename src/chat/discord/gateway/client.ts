import {
  Client,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  GatewayIntentBits,
  Options,
  type RESTOptions,
  Status,
} from 'discord.js';
import { readShards } from './shards.ts';

/** Milliseconds between two sweeps of what the library keeps: a queue for every interaction, every server it heard of. */
export const SWEEP = 60_000;
/** How long the start waits for servers that have an outage. */
const GUILD_WAIT = 2_000;

/** The gateway's side of the library. Events are read as they come in, so it is kept from keeping any of them. */
export function makeClient({ rest, shards }: { rest: Partial<RESTOptions>; shards: string }): Client {
  const client: Client = new Client({
    // Nothing is read but what people send to the bot itself.
    intents: [GatewayIntentBits.Guilds],
    rest,
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
  client.ws.on(GatewayDispatchEvents.GuildCreate, emptyOut);
  return client;
}

/** The library reads an event after those who listen to it: of what is taken out here, it makes no objects. */
function emptyOut(guild: GatewayGuildCreateDispatchData): void {
  for (const part of UNREAD) guild[part] = [];
}

const UNREAD = [
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

/** Servers and channels are asked for when they matter; kept, they would fill the memory day by day. */
export function forgetInside({ channels, guilds }: Client): void {
  channels.cache.clear();
  guilds.cache.clear();
}

/** Whether the gateway is up, all shards of it. The library's own status stays ready, whatever becomes of them. */
export function isConnected({ ws: { shards, status } }: Client): boolean {
  return status === Status.Ready && shards.every((shard) => shard.status === Status.Ready);
}
