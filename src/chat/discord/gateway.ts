import {
  type Client,
  CloseCodes,
  DiscordAPIError,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  GatewayIntentBits,
  type IIdentifyThrottler,
  type IShardingStrategy,
  type REST,
  SimpleIdentifyThrottler,
  SimpleShardingStrategy,
  type WebSocketOptions,
} from 'discord.js';
import * as v from 'valibot';
import type { DiscordConfig } from '../../config/config.ts';
import { type Backoff, doubling, HOUR, MINUTE, pauseAfter, SECOND } from '../../core/clock.ts';
import { StartError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { DropEvent } from '../door.ts';
import { Outage } from '../outage.ts';
import { Id, Interaction } from './interaction.ts';
import { makeClient } from './rest.ts';

const Server = v.object({ id: Id, unavailable: v.optional(v.boolean(), false) });
const Ready = v.object({
  guilds: v.array(Server),
  shard: v.optional(v.tuple([v.number(), v.pipe(v.number(), v.integer(), v.minValue(1))]), [0, 1]),
});
/** The start of a shard's session: which shard it is, and all servers it has. */
export type Ready = v.InferOutput<typeof Ready>;

/** The events that are read, and the parts of them. */
export const EVENTS = {
  INTERACTION_CREATE: Interaction,
  READY: Ready,
  GUILD_CREATE: Server,
  GUILD_DELETE: Server,
} as const;
type EventHandlers = {
  readonly [Name in keyof typeof EVENTS]: (data: v.InferOutput<(typeof EVENTS)[Name]>) => void;
};

/** The intent for events about servers. Interactions need none. */
const BOT_INTENTS = GatewayIntentBits.Guilds;

/**
 * Pauses before a reconnect. The library adds half a second of its own. A session that is resumed costs none of those that
 * Discord allows in a day, so people need not wait long after a network, or Discord, was in trouble for a while.
 */
const RECONNECT_BACKOFF: Backoff = { pauses: [0, ...doubling(SECOND, 8 * SECOND)], jitter: 0.3 };
/** Pauses before another session: Discord resets the token of a bot that asks for a thousand in a day. */
const IDENTIFY_BACKOFF: Backoff = { pauses: [0, ...doubling(SECOND, 10 * MINUTE)], jitter: 0.3 };
/** Milliseconds: the end of a shorter connection counts as one more failure in a row. */
const STABLE_AFTER_MS = MINUTE;

/** The state of one shard's connection. */
interface Shard {
  /** When its session began or was resumed; undefined while it is not connected. */
  readySince?: number | undefined;
  /** In a row, since a connection was stable. */
  failures: number;
  /** It does not reconnect, or request another session, before this time. */
  connectsAt: number;
  /** Whether it requested a session that has not begun. */
  isIdentifying?: boolean;
  /** The last error of its connection, which is about to close. */
  error?: Error | undefined;
}

interface GatewayOptions {
  readonly token: string;
  readonly makeRest: () => REST;
  readonly shards: DiscordConfig['shards'];
  readonly log: Log;
  readonly drop: DropEvent;
  readonly on: EventHandlers;
}

/** The client's own manager of connections. */
type Connections = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0];

/** Keeps the connections to Discord's gateway, with the client of discord.js. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #shards = new Map<number, Shard>();
  readonly #outage: Outage;
  /** Undefined before a start, and after one that failed. */
  #client: Client | undefined;
  #strategy: SimpleShardingStrategy | undefined;
  #isStopping = false;
  /** Why the gateway does not reconnect, after a close code that is fatal. */
  #closedFor: string | undefined;

  constructor(options: GatewayOptions) {
    const { log } = options;
    const effect = 'commands are not answered, daily threads are still posted';
    this.#options = options;
    this.#outage = new Outage({ door: 'discord', log, what: 'Discord’s gateway', effect });
  }

  async start(): Promise<void> {
    this.#closedFor = undefined;
    // An outage is reported only after two minutes, so a start that succeeds soon reports nothing.
    this.#outage.begin('No connection was made.');
    const { makeRest, shards, token } = this.#options;
    const client: Client = makeClient(makeRest(), {
      intents: BOT_INTENTS,
      ...shards,
      // `#receive` removes the servers that the client would wait for.
      waitGuildTimeout: 0,
      ws: {
        buildStrategy: (connections) => this.#watch(connections, client),
        buildIdentifyThrottler: (connections) => this.#makeThrottler(connections),
      },
    });
    this.#client = client;
    try {
      await client.login(token);
    } catch (error) {
      // Starting is retried, and each failure is logged with its reason.
      this.#outage.cancel();
      this.#client = undefined;
      throw this.#closedFor === undefined ? error : new StartError(this.#closedFor, { cause: error });
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#outage.cancel();
    await destroyClient(this.#client, this.#strategy);
  }

  trouble(): string | undefined {
    if (this.#areAllConnected()) return undefined;
    return this.#closedFor ?? 'The Discord gateway is not connected.';
  }

  #areAllConnected(): boolean {
    const shards = [...this.#shards.values()];
    return shards.length > 0 && shards.every(({ readySince }) => readySince !== undefined);
  }

  #shard(id: number): Shard {
    const shard = this.#shards.get(id) ?? { failures: 0, connectsAt: 0 };
    this.#shards.set(id, shard);
    return shard;
  }

  /** Delays the client's reconnects, which it would make every half second, and follows its connections. */
  #watch(connections: Connections, client: Client): IShardingStrategy {
    const { options } = connections;
    const { retrieveSessionInfo } = options;
    // discord.js calls this before each connection, so the delay is made here. Before a new session, `#makeThrottler` delays once
    // more: the connection may have failed in between.
    options.retrieveSessionInfo = async (id) => {
      const { connectsAt = 0 } = this.#shards.get(id) ?? {};
      if (connectsAt > 0) await sleep(connectsAt - performance.now());
      // Never resolves after a stop, so that a waiting shard does not reconnect.
      return this.#isStopping || client !== this.#client
        ? new Promise(() => undefined)
        : retrieveSessionInfo(id);
    };
    const onConnected = ({ shardId }: { shardId: number }) => {
      Object.assign(this.#shard(shardId), { readySince: performance.now(), isIdentifying: false });
      if (this.#areAllConnected()) this.#outage.end();
      // Many shards take minutes, as they start one after the other: the wait before an outage is reported begins anew with each.
      else if (!client.isReady()) this.#outage.restart();
    };
    connections.on('ready', onConnected);
    connections.on('resumed', onConnected);
    connections.on('error', ({ error, shardId }: { error: Error; shardId: number }) => {
      this.#shard(shardId).error = error;
    });
    connections.on('closed', ({ code, shardId }: { code: number; shardId: number }) =>
      this.#onClosed(code, shardId),
    );
    // The client listens after this, and gets what `#receive` leaves of an event.
    connections.on('dispatch', this.#receive);
    this.#strategy = new SimpleShardingStrategy(connections);
    return this.#strategy;
  }

  /** Limits session starts: as many at once as Discord allows, each a while after one that failed, and none beyond the day's limit. */
  async #makeThrottler(connections: Connections): Promise<IIdentifyThrottler> {
    const { session_start_limit: limit } = await connections.fetchGatewayInformation();
    const together = new SimpleIdentifyThrottler(limit.max_concurrency);
    return {
      waitForIdentify: async (id, signal) => {
        const shard = this.#shard(id);
        // The session that was asked for before neither began nor was reported as closed: the library reports no close of a
        // connection that was no longer open. It counts as closed here.
        if (shard.isIdentifying) this.#onClosed(NO_SESSION_CODE, id);
        await sleep(shard.connectsAt - performance.now());
        // Before the first sessions, the library itself compares them with the day's limit.
        if (shard.failures > 0) await this.#waitForSession(connections);
        signal.throwIfAborted();
        await together.waitForIdentify(id, signal);
        shard.isIdentifying = true;
      },
    };
  }

  /** Asks Discord anew, and waits while it allows no more sessions. */
  async #waitForSession(connections: Connections): Promise<void> {
    const read = await connections.fetchGatewayInformation(true).catch(() => undefined);
    const { remaining = 1, reset_after: wait = 0 } = read?.session_start_limit ?? {};
    if (remaining > 0) return;
    this.#outage.begin(`Discord allows no more sessions for ${Math.ceil(wait / HOUR)} h.`);
    await sleep(Math.max(wait, SECOND));
  }

  /**
   * Handles every event instead of the client, which only gets the start of a session, without its servers, and the event
   * that one was resumed, which needs no handling here. The client would keep all servers, channels and roles in memory,
   * which nobody reads, and a malformed event would end the process.
   */
  readonly #receive = ({ data: packet }: { readonly data: GatewayDispatchPayload }): void => {
    const { drop, on } = this.#options;
    const { t: name, d: data } = packet;
    let isHandled = false;
    if (Object.hasOwn(EVENTS, name)) {
      const known = name as keyof EventHandlers;
      try {
        const read = v.safeParse(EVENTS[known], data);
        isHandled = read.success;
        if (read.success) on[known](read.output as never);
        else drop(name);
      } catch (error) {
        drop(name, error);
      }
    }
    if (packet.t === GatewayDispatchEvents.Ready && isHandled) packet.d.guilds = [];
    // The client ignores events of a name that it does not know.
    else if (name !== GatewayDispatchEvents.Resumed) Object.assign(packet, { t: 'UNUSED', d: undefined });
  };

  #onClosed(code: number, id: number): void {
    const { log } = this.#options;
    const shard = this.#shard(id);
    const { error, readySince } = shard;
    const wasStable = readySince !== undefined && performance.now() - readySince >= STABLE_AFTER_MS;
    shard.failures = wasStable ? 1 : shard.failures + 1;
    Object.assign(shard, { readySince: undefined, isIdentifying: false, error: undefined });
    if (this.#isStopping) return;
    const meaning = FATAL_CLOSE_CODES[code];
    if (meaning !== undefined) {
      this.#closedFor = meaning;
      this.#outage.cancel();
      const posts = meaning === TOKEN ? 'and nothing is posted' : 'daily threads are still posted';
      log.error(
        { door: 'discord', shard: id, code },
        `The gateway closed and does not reconnect: commands are not answered, ${posts}. ${meaning}`,
      );
      return;
    }
    const hasNoSession = code === NO_SESSION_CODE;
    const backoff = hasNoSession ? IDENTIFY_BACKOFF : RECONNECT_BACKOFF;
    const pause = pauseAfter({ failures: shard.failures, random: Math.random }, backoff);
    shard.connectsAt = performance.now() + pause;
    const said = error === undefined ? '' : `: ${error.message}`;
    this.#outage.begin(hasNoSession ? NO_SESSION : `The last connection ended with code ${code}${said}.`);
    log.info({ door: 'discord', shard: id, code, pause, err: error }, 'the gateway reconnects');
  }
}

/** Destroys a client at any time, which the library (@discordjs/ws 1.2.3) does only if it is connected. This needs private fields. */
async function destroyClient(client?: Client, strategy?: SimpleShardingStrategy): Promise<void> {
  const shards = [...(strategy?.['shards'].values() ?? [])];
  // The library leaves connections open that are still being made, and their errors uncaught.
  const connections = shards.flatMap((shard) => shard['connection'] ?? []);
  const connecting = connections.filter(({ readyState }) => readyState === WebSocket.CONNECTING);
  for (const connection of connecting) connection.addEventListener('error', () => undefined);
  // `destroy()` would abort what a shard waits for. That wait then destroys the shard, too, and the first call never ends.
  for (const shard of shards) shard['timeoutAbortControllers'].clear();
  await client?.destroy();
  for (const connection of connecting) connection.close();
}

async function sleep(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** With this code the library closes, and reports it, after INVALID SESSION, or if IDENTIFY is not answered. */
const NO_SESSION_CODE = CloseCodes.Normal;
const NO_SESSION = 'Discord begins no session: it answers IDENTIFY with INVALID SESSION, or not at all.';
const TOKEN =
  'Discord does not accept DISCORD_TOKEN. Copy the token from the page "Bot" of your application in the Discord ' +
  'Developer Portal, or reset it there if it was lost, set DISCORD_TOKEN to it and restart the bot.';
const SHARDS = 'Discord does not accept DISCORD_SHARDS. Correct it, or set it to auto, and restart the bot.';
const MORE_SHARDS =
  'The bot is in too many servers for one connection. Set DISCORD_SHARDS to auto, or divide the servers among ' +
  'processes as docs/hosting.md says, and restart the bot.';
const UPDATE =
  'Discord no longer accepts the version of its gateway, or the intents, that this bot asks for. Update the bot and restart it.';

/** Close codes that need a person to change something: reconnecting would only be refused again. */
const FATAL_CLOSE_CODES: Readonly<Partial<Record<number, string>>> = {
  [GatewayCloseCodes.AuthenticationFailed]: TOKEN,
  [GatewayCloseCodes.InvalidShard]: SHARDS,
  [GatewayCloseCodes.ShardingRequired]: MORE_SHARDS,
  [GatewayCloseCodes.InvalidAPIVersion]: UPDATE,
  [GatewayCloseCodes.InvalidIntents]: UPDATE,
  [GatewayCloseCodes.DisallowedIntents]: UPDATE,
};

/** Throws an error that says what to do about a refused token (401). Other errors pass as they are. */
export function explainRefusedToken(error: unknown): never {
  const isRefused = error instanceof DiscordAPIError && error.status === 401;
  throw isRefused ? new StartError(TOKEN, { cause: error }) : error;
}
