import {
  Client,
  type ClientOptions,
  DiscordAPIError,
  DiscordjsErrorCodes,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayGuildCreateDispatchData,
  GatewayIntentBits,
  Options,
  type RESTOptions,
  Status,
} from 'discord.js';
import { errorCode, StartError } from '../../core/errors.ts';
import { type Drop, GuardedShards, guardEvents } from './events.ts';

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

const TOKEN =
  'Discord does not accept DISCORD_TOKEN. Copy the token from the page "Bot" of your application in the Discord ' +
  'Developer Portal, or reset it there if it was lost, set DISCORD_TOKEN to it and restart the bot.';
const INTENTS =
  'This Discord application may not use the intents that the bot asks for. The bot needs only "Guilds", which every ' +
  'application may use: check that DISCORD_TOKEN belongs to the right application, and update the bot.';
const SHARDS = 'Discord does not accept DISCORD_SHARDS. Correct it, or set it to auto, and restart the bot.';
const MORE_SHARDS =
  'The bot is in too many servers for one connection. Set DISCORD_SHARDS to auto, or divide the servers among ' +
  'processes as docs/hosting.md says, and restart the bot.';
const VERSION =
  'Discord no longer supports the version of its gateway that this bot uses. Update the bot and restart it.';

/** After these the gateway does not reconnect, for it would be closed again: a person has to change something. */
const FATAL: Readonly<Partial<Record<number, string>>> = {
  [GatewayCloseCodes.AuthenticationFailed]: TOKEN,
  [GatewayCloseCodes.InvalidShard]: SHARDS,
  [GatewayCloseCodes.ShardingRequired]: MORE_SHARDS,
  [GatewayCloseCodes.InvalidAPIVersion]: VERSION,
  [GatewayCloseCodes.InvalidIntents]: INTENTS,
  [GatewayCloseCodes.DisallowedIntents]: INTENTS,
};

/** What a gateway that closed for good means, and what to do about it. */
export function explainClose(code: number): string {
  return FATAL[code] ?? `Discord closed the gateway for good (${code}). Restart the bot.`;
}

/** The library's errors have no code, and each of these texts stands for one. */
const TEXTS: Readonly<Record<string, GatewayCloseCodes>> = {
  'Authentication failed': GatewayCloseCodes.AuthenticationFailed,
  'Invalid shard': GatewayCloseCodes.InvalidShard,
  'Sharding is required': GatewayCloseCodes.ShardingRequired,
  'Used an invalid API version': GatewayCloseCodes.InvalidAPIVersion,
  'Used invalid intents': GatewayCloseCodes.InvalidIntents,
  'Used disallowed intents': GatewayCloseCodes.DisallowedIntents,
};

/** The same for a start that failed. Other errors pass as they are. */
export function explainLogin(error: unknown): unknown {
  const isRefused =
    errorCode(error) === DiscordjsErrorCodes.TokenInvalid ||
    (error instanceof DiscordAPIError && error.status === 401);
  const closed = isRefused
    ? GatewayCloseCodes.AuthenticationFailed
    : TEXTS[error instanceof Error ? error.message : ''];
  return closed === undefined ? error : new StartError(explainClose(closed), { cause: error });
}
