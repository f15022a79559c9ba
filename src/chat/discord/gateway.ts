import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  DiscordAPIError,
  GatewayCloseCodes,
  GatewayIntentBits,
  InteractionType,
  PermissionsBitField,
  type REST,
} from 'discord.js';
import * as v from 'valibot';
import { type Backoff, doubling, MINUTE, pauseAfter, SECOND } from '../../core/clock.ts';
import { StartError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Asker } from '../../dispatch/contract.ts';
import type { OptionValue } from '../../reply/model/types.ts';
import type { DropEvent } from '../door.ts';

/** A Discord id becomes a part of addresses, tenants and keys, so nothing but digits is one. */
const Id = v.pipe(v.string(), v.regex(/^\d{1,20}$/));
const Permissions = v.pipe(
  v.string(),
  v.regex(/^\d{1,40}$/),
  v.transform((digits) => new PermissionsBitField(BigInt(digits))),
);
const Text = v.pipe(v.string(), v.maxLength(6_000));
const Moment = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
  v.finite(),
);
const User = v.object({ id: Id });

/** Discord allows 25 options, and an autocomplete option is among them. */
const Options = v.pipe(
  v.array(
    v.object({
      name: Text,
      type: v.number(),
      value: v.optional(v.union([Text, v.number(), v.boolean()])),
      focused: v.optional(v.boolean()),
    }),
  ),
  v.maxLength(25),
);
const Subcommand = v.object({ name: Text, type: v.number(), options: v.optional(Options, []) });
const Group = v.object({
  name: Text,
  type: v.literal(ApplicationCommandOptionType.SubcommandGroup),
  options: v.pipe(v.array(Subcommand), v.length(1)),
});

/** What was chosen in a list of commands. */
interface Invoked {
  /** The name of the subcommand, after the name of its group. */
  readonly path: readonly string[];
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The option that is being typed, when suggestions are requested. */
  readonly focused?: { readonly name: string; readonly value: string };
  /** The message that a command on messages was chosen on. */
  readonly message?: Asker['message'];
}

const MessageCommand = v.pipe(
  v.object({
    type: v.literal(ApplicationCommandType.Message),
    target_id: Id,
    resolved: v.object({
      messages: v.record(
        v.string(),
        v.object({
          id: Id,
          author: User,
          content: Text,
          timestamp: Moment,
          edited_timestamp: v.nullish(Moment),
        }),
      ),
    }),
  }),
  v.check(({ target_id, resolved }) => target_id in resolved.messages),
  v.transform(({ target_id, resolved }): Invoked => {
    const { id, author, content, timestamp, edited_timestamp: edited } = resolved.messages[target_id]!;
    const message = { id, author: author.id, text: content, at: edited ?? timestamp };
    return { path: [], options: {}, message };
  }),
);

const ChatCommand = v.pipe(
  v.object({
    type: v.optional(v.literal(ApplicationCommandType.ChatInput)),
    options: v.optional(v.pipe(v.array(v.union([Group, Subcommand])), v.maxLength(25)), []),
  }),
  v.transform(({ options: [chosen] }): Invoked => {
    const [subcommand] =
      chosen?.type === ApplicationCommandOptionType.SubcommandGroup ? chosen.options : [chosen];
    // Something that claims to be a group but is none was read as a subcommand, whose options have no options.
    if (subcommand?.type !== ApplicationCommandOptionType.Subcommand || !('options' in subcommand))
      return { path: [], options: {} };
    const path = chosen === subcommand ? [subcommand.name] : [chosen!.name, subcommand.name];
    const options: Record<string, OptionValue> = {};
    let focused: Invoked['focused'];
    for (const { name, value, focused: isFocused } of subcommand.options) {
      if (value === undefined) continue;
      if (isFocused) focused = { name, value: String(value) };
      else options[name] = value;
    }
    return { path, options, focused };
  }),
);

const Command = v.union([MessageCommand, ChatCommand]);

/** The packed action of a button, or of the choice made in a menu. */
const Component = v.pipe(
  v.object({ custom_id: Text, values: v.optional(v.array(Text), []) }),
  v.transform(({ custom_id, values: [chosen = custom_id] }) => ({ packed: chosen })),
);

const Input = v.object({ custom_id: v.optional(Text, ''), value: v.optional(v.unknown()) });
const Modal = v.pipe(
  v.object({
    custom_id: Text,
    components: v.pipe(
      v.array(v.object({ component: v.optional(Input), components: v.optional(v.array(Input), []) })),
      v.maxLength(40),
    ),
  }),
  v.transform(({ custom_id, components }) => {
    const inputs = components.flatMap(({ component, components: row }) => component ?? row);
    const filled = inputs.flatMap(({ custom_id: name, value }) =>
      typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
    );
    return { packed: custom_id, filled: Object.fromEntries(filled) };
  }),
);

const BASE = {
  id: Id,
  application_id: Id,
  // It becomes a part of an address, and half of a surrogate pair can't.
  token: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(2_000),
    v.check((token) => token.isWellFormed()),
  ),
  user: v.optional(User),
  member: v.optional(
    v.object({
      user: User,
      permissions: v.optional(Permissions, '0'),
      roles: v.optional(v.array(v.string()), []),
    }),
  ),
  guild_id: v.optional(Id),
  channel_id: v.optional(Id),
  channel: v.optional(v.object({ id: Id, type: v.number(), parent_id: v.nullish(Id) })),
  app_permissions: v.optional(Permissions, '0'),
  authorizing_integration_owners: v.record(v.string(), v.unknown()),
  locale: v.optional(v.pipe(v.string(), v.maxLength(20)), 'en-US'),
  /** The message with the button. */
  message: v.optional(
    v.object({
      id: v.optional(Id),
      flags: v.optional(v.number(), 0),
      interaction_metadata: v.nullish(v.object({ user: User })),
    }),
  ),
};

/** The parts of an interaction that are read. Discord may change the rest without notice. */
const Interaction = v.pipe(
  v.variant('type', [
    v.object({ ...BASE, type: v.literal(InteractionType.ApplicationCommand), data: Command }),
    v.object({ ...BASE, type: v.literal(InteractionType.ApplicationCommandAutocomplete), data: Command }),
    v.object({ ...BASE, type: v.literal(InteractionType.MessageComponent), data: Component }),
    v.object({ ...BASE, type: v.literal(InteractionType.ModalSubmit), data: Modal }),
  ]),
  v.check(({ user, member }) => user !== undefined || member !== undefined),
  v.check(({ channel, channel_id }) => channel !== undefined || channel_id !== undefined),
  v.transform((interaction) => ({
    ...interaction,
    person: (interaction.member?.user ?? interaction.user)!.id,
    channel: interaction.channel ?? { id: interaction.channel_id!, type: ChannelType.GuildText },
  })),
);
export type Interaction = v.InferOutput<typeof Interaction>;

const Server = v.object({ id: Id, unavailable: v.optional(v.boolean(), false) });
const InServer = v.object({ guild_id: v.optional(Id) });
const Ready = v.object({
  guilds: v.array(Server),
  shard: v.optional(v.tuple([v.number(), v.pipe(v.number(), v.integer(), v.minValue(1))]), [0, 1]),
});
/** The start of a shard's session: which shard it is, and all servers it has. */
export type Ready = v.InferOutput<typeof Ready>;

const event = <Name extends string, Data extends v.GenericSchema>(name: Name, data: Data) =>
  v.object({ name: v.literal(name), data });
const EVENTS = [
  event('INTERACTION_CREATE', Interaction),
  event('READY', Ready),
  event('GUILD_CREATE', Server),
  event('GUILD_DELETE', Server),
  // After these the bot's permissions may differ. Its own membership needs no further intent.
  event('CHANNEL_UPDATE', InServer),
  event('CHANNEL_DELETE', InServer),
  event('GUILD_ROLE_CREATE', InServer),
  event('GUILD_ROLE_UPDATE', InServer),
  event('GUILD_ROLE_DELETE', InServer),
  event('GUILD_MEMBER_UPDATE', InServer),
] as const;
const Event = v.variant('name', EVENTS);
const USED: ReadonlySet<string> = new Set(EVENTS.map(({ entries }) => entries.name.literal));

export type GatewayEvent = v.InferOutput<typeof Event>;

/** The parts of an event that are read; `malformed` if one of them is missing, `unused` if nothing of the event is read. */
export function readEvent(name: string, data: unknown): GatewayEvent | 'malformed' | 'unused' {
  if (!USED.has(name)) return 'unused';
  const read = v.safeParse(Event, { name, data });
  return read.success ? read.output : 'malformed';
}

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
