import { type Client, GatewayDispatchEvents, Status } from 'discord.js';
import type { ShardReady } from '../gateway/servers.ts';

/** The servers of this process, and whether Discord tells of what changes in them just now. */
export class Watched {
  readonly #client: Client;
  /** The shard that tells of each. */
  readonly #shards = new Map<string, number>();

  constructor(client: Client) {
    this.#client = client;
    client.ws.on(GatewayDispatchEvents.Ready, ({ guilds }: ShardReady, shard: number) => {
      for (const [id, teller] of this.#shards) if (teller === shard) this.#shards.delete(id);
      for (const { id } of guilds) this.#shards.set(id, shard);
    });
    client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: { id: string }, shard: number) => {
      this.#shards.set(id, shard);
    });
    // A removal or an outage: either way nothing is told until the server is there again.
    client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id }: { id: string }) => this.#shards.delete(id));
  }

  get ids(): readonly string[] {
    return [...this.#shards.keys()];
  }

  includes(server: string): boolean {
    return this.#shards.has(server);
  }

  /** Whether a change in this server would be told at once. */
  isTold(server: string): boolean {
    const shard = this.#shards.get(server);
    return shard !== undefined && this.#client.ws.shards.get(shard)?.status === Status.Ready;
  }
}
