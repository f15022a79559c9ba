import {
  type Client,
  GatewayDispatchEvents,
  SimpleShardingStrategy,
  type WebSocketManager,
} from 'discord.js';
import { isWellFormed } from './event-shapes.ts';

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
