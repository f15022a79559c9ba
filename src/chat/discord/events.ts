import {
  ApplicationCommandType,
  type Client,
  GatewayDispatchEvents,
  InteractionType,
  SimpleShardingStrategy,
  type WebSocketManager,
} from 'discord.js';
import * as v from 'valibot';

/** Receives the name of an event that was dropped, and what was thrown. */
export type Drop = (event: string, error?: unknown) => void;

interface Packet {
  readonly t?: unknown;
  readonly d?: unknown;
}

/** Methods that the library marks as private; it has no hook for what its handling of an event throws. */
interface Shard {
  onMessage(data: unknown, isBinary: boolean): Promise<void>;
}
interface Handler {
  emit(event: string, ...args: unknown[]): boolean;
  handlePacket(packet?: Packet, shard?: unknown): boolean;
}

/**
 * The events whose effects on the library are needed: it learns who the bot is, and when all servers of a shard
 * have come. From everything else it would only make objects that nobody reads.
 */
const NEEDED: ReadonlySet<unknown> = new Set([
  GatewayDispatchEvents.Ready,
  GatewayDispatchEvents.Resumed,
  GatewayDispatchEvents.GuildCreate,
  GatewayDispatchEvents.GuildDelete,
]);

/** Runs shards in this process, and catches what a frame from the gateway makes them throw. */
export class GuardedShards extends SimpleShardingStrategy {
  readonly #drop: Drop;

  constructor(manager: ConstructorParameters<typeof SimpleShardingStrategy>[0], drop: Drop) {
    super(manager);
    this.#drop = drop;
  }

  override async spawn(ids: number[]): Promise<void> {
    await super.spawn(ids);
    const { shards } = this as unknown as { readonly shards: ReadonlyMap<number, Shard> };
    for (const shard of shards.values()) {
      const receive = shard.onMessage.bind(shard);
      shard.onMessage = (data, isBinary) =>
        receive(data, isBinary).catch((error: unknown) => this.#drop('frame', error));
    }
  }
}

/** Keeps malformed events from every listener, and the library from handling what nobody needs. Neither throws. */
export function guardEvents({ ws }: Client, drop: Drop): void {
  const handler = ws as WebSocketManager as unknown as Handler;
  const emit = handler.emit.bind(ws);
  const handlePacket = handler.handlePacket.bind(ws);
  handler.emit = (event, ...args) => {
    if (!isWellFormed(event, args[0])) {
      drop(event);
      return false;
    }
    try {
      return emit(event, ...args);
    } catch (error) {
      drop(event, error);
      return false;
    }
  };
  handler.handlePacket = (packet, shard) => {
    if (packet !== undefined && !(NEEDED.has(packet.t) && isWellFormed(String(packet.t), packet.d)))
      return true;
    try {
      return handlePacket(packet, shard);
    } catch (error) {
      drop(String(packet?.t), error);
      return false;
    }
  };
}

/**
 * The parts of Discord's events that this program or its library reads without looking. What else an event
 * holds may change; an event without these parts can't be processed.
 */
const Id = v.pipe(v.string(), v.regex(/^\d{1,20}$/));
const Bits = v.pipe(v.string(), v.regex(/^\d{1,40}$/));
const Person = v.object({ id: Id });
const Text = v.pipe(v.string(), v.maxLength(6_000));
const Moment = v.pipe(
  v.string(),
  v.check((text) => Number.isFinite(Date.parse(text))),
);

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
const Subcommands = v.pipe(
  v.array(v.object({ name: Text, type: v.number(), options: v.optional(Options) })),
  v.maxLength(25),
);
const Input = v.object({ custom_id: v.optional(Text), value: v.optional(v.unknown()) });
const Part = v.object({ component: v.optional(Input), components: v.optional(v.array(Input)) });
/** A message that a command was chosen on, of which nothing but these parts is read. */
const Chosen = v.object({
  id: Id,
  author: Person,
  content: Text,
  timestamp: Moment,
  edited_timestamp: v.nullish(Moment),
});
const MessageCommand = v.pipe(
  v.object({
    type: v.literal(ApplicationCommandType.Message),
    target_id: Id,
    resolved: v.object({ messages: v.record(v.string(), Chosen) }),
  }),
  v.check(({ target_id, resolved }) => target_id in resolved.messages),
);
const Command = v.union([
  MessageCommand,
  v.object({
    type: v.optional(v.literal(ApplicationCommandType.ChatInput)),
    options: v.optional(Subcommands),
  }),
]);
const Component = v.object({ custom_id: Text });
const Modal = v.object({ custom_id: Text, components: v.pipe(v.array(Part), v.maxLength(40)) });

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
  user: v.optional(Person),
  member: v.optional(
    v.object({ user: Person, permissions: v.optional(Bits), roles: v.optional(v.array(v.string())) }),
  ),
  guild_id: v.optional(Id),
  channel: v.optional(v.object({ id: Id, type: v.number(), parent_id: v.nullish(Id) })),
  app_permissions: v.optional(Bits),
  authorizing_integration_owners: v.record(v.string(), v.unknown()),
  locale: v.optional(v.pipe(v.string(), v.maxLength(20))),
  message: v.optional(
    v.object({ flags: v.optional(v.number()), interaction_metadata: v.nullish(v.object({ user: Person })) }),
  ),
};

const Interaction = v.pipe(
  v.variant('type', [
    v.object({ ...BASE, type: v.literal(InteractionType.ApplicationCommand), data: Command }),
    v.object({ ...BASE, type: v.literal(InteractionType.ApplicationCommandAutocomplete), data: Command }),
    v.object({ ...BASE, type: v.literal(InteractionType.MessageComponent), data: Component }),
    v.object({ ...BASE, type: v.literal(InteractionType.ModalSubmit), data: Modal }),
  ]),
  v.check(({ user, member }) => user !== undefined || member !== undefined),
);

const Server = v.object({ id: Id, unavailable: v.optional(v.boolean()) });
const InServer = v.object({ guild_id: v.optional(Id) });
const Ready = v.object({
  user: v.object({ id: Id }),
  application: v.object({ id: Id }),
  guilds: v.array(Server),
  shard: v.optional(v.tuple([v.number(), v.pipe(v.number(), v.integer(), v.minValue(1))])),
});

const SHAPES: ReadonlyMap<string, v.GenericSchema> = new Map<string, v.GenericSchema>([
  [GatewayDispatchEvents.InteractionCreate, Interaction],
  [GatewayDispatchEvents.Ready, Ready],
  [GatewayDispatchEvents.GuildCreate, Server],
  [GatewayDispatchEvents.GuildDelete, Server],
  [GatewayDispatchEvents.ChannelUpdate, InServer],
  [GatewayDispatchEvents.ChannelDelete, InServer],
  [GatewayDispatchEvents.GuildRoleUpdate, InServer],
  [GatewayDispatchEvents.GuildRoleDelete, InServer],
  [GatewayDispatchEvents.GuildMemberUpdate, InServer],
]);

/** Whether an event has what is read of it. Events that nothing listens to have no shape to keep to. */
export function isWellFormed(event: string, data: unknown): boolean {
  const shape = SHAPES.get(event);
  return shape === undefined || v.is(shape, data);
}
