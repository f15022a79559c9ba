import { type Client, GatewayDispatchEvents, Status } from 'discord.js';
import type { ShardReady } from './servers.ts';

/** The servers of this process, and whether Discord tells of what changes in them just now. */
export class Watched {
  readonly #client: Client;
  /** The shard that tells of each; none during an outage of the server. */
  readonly #shards = new Map<string, number | undefined>();

  constructor(client: Client) {
    this.#client = client;
    client.ws.on(GatewayDispatchEvents.Ready, ({ guilds }: ShardReady, shard: number) => {
      for (const [id, teller] of this.#shards) if (teller === shard) this.#shards.delete(id);
      for (const { id } of guilds) this.#shards.set(id, undefined);
    });
    client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: { id: string }, shard: number) => {
      this.#shards.set(id, shard);
    });
    client.ws.on(GatewayDispatchEvents.GuildDelete, (guild: { id: string; unavailable?: boolean }) => {
      if (guild.unavailable) this.#shards.set(guild.id, undefined);
      else this.#shards.delete(guild.id);
    });
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
