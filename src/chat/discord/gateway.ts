import { DiscordAPIError, type REST } from '@discordjs/rest';
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { GatewayCloseCodes, GatewayIntentBits } from 'discord-api-types/v10';
import { type Backoff, doubling, MINUTE, pauseAfter, SECOND } from '../../core/clock.ts';
import { StartError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { DropEvent } from '../door.ts';
import { type GatewayEvent, readEvent } from './events.ts';

/** Interactions come without any intent; this one brings changes in servers. */
export const BOT_INTENTS = GatewayIntentBits.Guilds;

/** The gateway's library adds half a second of its own. */
const RECONNECTING: Backoff = { pauses: [0, ...doubling(SECOND, MINUTE)], jitter: 0.3 };
/** Milliseconds that a connection has to last, or its end counts as one more failure in a row. */
const STABLE = MINUTE;

interface Shard {
  session: SessionInfo | null;
  /** When its session began or was resumed; undefined while it isn't connected. */
  readySince: number | undefined;
  failures: number;
  /** Milliseconds to wait before it connects again. */
  pause: number;
}

interface GatewayOptions {
  readonly token: string;
  readonly rest: REST;
  /** As `readShards` reads it. */
  readonly shards: string;
  readonly log: Log;
  readonly drop: DropEvent;
  readonly onEvent: (event: GatewayEvent, shard: number) => void;
}

/**
 * The connections to Discord's gateway, by discord.js's own manager of them. The whole client of discord.js would make
 * an object of each server, channel and role, which nobody reads here, and costs 20 MB more. The package discord.js
 * stays a dependency because it names the versions of its managers that go together.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #manager: WebSocketManager;
  readonly #shards = new Map<number, Shard>();
  /** The errors of a connection that is about to close. */
  #error: Error | undefined;
  #isStopping = false;
  /** Why the gateway does not reconnect, if it doesn't. */
  #closedFor: string | undefined;

  constructor(options: GatewayOptions) {
    const { token, rest, shards } = options;
    this.#options = options;
    this.#manager = new WebSocketManager({
      token,
      rest,
      intents: BOT_INTENTS,
      ...readShards(shards),
      retrieveSessionInfo: (id) => this.#sessionOf(id),
      updateSessionInfo: (id, session) => {
        this.#shard(id).session = session;
      },
    });
    this.#listen();
  }

  /** Resolves when all shards are connected. */
  async start(): Promise<void> {
    this.#closedFor = undefined;
    try {
      await this.#manager.connect();
    } catch (error) {
      if (this.#closedFor === undefined) throw explainRefusedToken(error);
      throw new StartError(this.#closedFor, { cause: error });
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#manager.destroy();
  }

  isConnected(shard: number): boolean {
    return this.#shards.get(shard)?.readySince !== undefined;
  }

  trouble(): string | undefined {
    const ids = [...this.#shards.keys()];
    if (ids.length > 0 && ids.every((id) => this.isConnected(id))) return undefined;
    return this.#closedFor ?? 'The Discord gateway is not connected.';
  }

  #shard(id: number): Shard {
    const known = this.#shards.get(id);
    if (known !== undefined) return known;
    const shard = { session: null, readySince: undefined, failures: 0, pause: 0 };
    this.#shards.set(id, shard);
    return shard;
  }

  /** The manager calls this before it connects, which is the moment to wait in: its own pause is always the same. */
  async #sessionOf(id: number): Promise<SessionInfo | null> {
    const shard = this.#shard(id);
    const { pause } = shard;
    shard.pause = 0;
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause).unref());
    // Without an answer, a shard that waits to connect again does not do so after the stop.
    if (this.#isStopping) return new Promise(() => undefined);
    return shard.session;
  }

  #listen(): void {
    const manager = this.#manager;
    const onConnected = ({ shardId }: { shardId: number }) => {
      this.#shard(shardId).readySince = performance.now();
    };
    manager.on(WebSocketShardEvents.Ready, onConnected);
    manager.on(WebSocketShardEvents.Resumed, onConnected);
    manager.on(WebSocketShardEvents.Dispatch, ({ data: { t, d }, shardId }) => this.#receive(t, d, shardId));
    manager.on(WebSocketShardEvents.Error, ({ error }) => {
      this.#error = error;
    });
    manager.on(WebSocketShardEvents.Closed, ({ code, shardId }) => this.#onClosed(code, shardId));
  }

  /** Never throws: the library does not expect it. */
  #receive(name: string, data: unknown, shard: number): void {
    const { drop, onEvent } = this.#options;
    try {
      const event = readEvent(name, data);
      if (event === 'malformed') drop(name);
      else if (event !== 'unused') onEvent(event, shard);
    } catch (error) {
      drop(name, error);
    }
  }

  #onClosed(code: number, id: number): void {
    const { log } = this.#options;
    const shard = this.#shard(id);
    const { readySince, failures } = shard;
    shard.readySince = undefined;
    if (this.#isStopping) return;
    const meaning = FATAL[code];
    if (meaning !== undefined) {
      this.#closedFor = meaning;
      const posts = meaning === TOKEN ? 'and nothing is posted' : 'daily threads are still posted';
      log.error(
        { door: 'discord', shard: id, code },
        `The gateway closed and does not reconnect: commands are not answered, ${posts}. ${meaning}`,
      );
      return;
    }
    const wasStable = readySince !== undefined && performance.now() - readySince >= STABLE;
    shard.failures = wasStable ? 1 : failures + 1;
    shard.pause = pauseAfter({ failures: shard.failures, random: Math.random }, RECONNECTING);
    log.info(
      { door: 'discord', shard: id, code, pause: shard.pause, err: this.#error },
      'the gateway reconnects',
    );
    this.#error = undefined;
  }
}

/**
 * Which part of a large bot's servers this process serves.
 *
 * @example readShards('0-3/16') // { shardIds: [0, 1, 2, 3], shardCount: 16 }
 */
export function readShards(text: string): { shardIds: number[] | null; shardCount: number | null } {
  if (text === 'auto') return { shardIds: null, shardCount: null };
  const match = /^(\d{1,5})(?:-(\d{1,5}))?\/(\d{1,5})$/.exec(text);
  const [from, to, count] = [match?.[1], match?.[2] ?? match?.[1], match?.[3]].map(Number);
  if (from === undefined || to === undefined || count === undefined || !(from <= to && to < count))
    throw new RangeError(`DISCORD_SHARDS should be auto, or a slice such as 0-3/16, not "${text}"`);
  return { shardIds: Array.from({ length: to - from + 1 }, (_, at) => from + at), shardCount: count };
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

/** After these codes the gateway does not reconnect, since it would be closed again: a person has to change something. */
const FATAL: Readonly<Partial<Record<number, string>>> = {
  [GatewayCloseCodes.AuthenticationFailed]: TOKEN,
  [GatewayCloseCodes.InvalidShard]: SHARDS,
  [GatewayCloseCodes.ShardingRequired]: MORE_SHARDS,
  [GatewayCloseCodes.InvalidAPIVersion]: VERSION,
  [GatewayCloseCodes.InvalidIntents]: INTENTS,
  [GatewayCloseCodes.DisallowedIntents]: INTENTS,
};

/** Turns the failure of the first request because of its token into advice. Other errors pass as they are. */
export function explainRefusedToken(error: unknown): unknown {
  const isRefused = error instanceof DiscordAPIError && error.status === 401;
  return isRefused ? new StartError(TOKEN, { cause: error }) : error;
}
