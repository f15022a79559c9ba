import { type Client, GatewayDispatchEvents, Status } from 'discord.js';
import type { ShardReady } from './servers.ts';

/** The servers of this process, and whether Discord tells of what changes in them just now. */
export class Watched {
  readonly #client: Client;
  /** The shard that tells of each. */
  readonly #shards = new Map<string, number>();
  /** Those with an outage, or not heard of since their shard began its session. */
  readonly #silent = new Set<string>();

  constructor(client: Client) {
    this.#client = client;
    client.ws.on(GatewayDispatchEvents.Ready, ({ guilds }: ShardReady, shard: number) => {
      for (const [id, teller] of this.#shards) if (teller === shard) this.#forget(id);
      for (const { id } of guilds) {
        this.#shards.set(id, shard);
        this.#silent.add(id);
      }
    });
    client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: { id: string }, shard: number) => {
      this.#shards.set(id, shard);
      this.#silent.delete(id);
    });
    client.ws.on(GatewayDispatchEvents.GuildDelete, (guild: { id: string; unavailable?: boolean }) => {
      if (guild.unavailable) this.#silent.add(guild.id);
      else this.#forget(guild.id);
    });
  }

  #forget(server: string): void {
    this.#shards.delete(server);
    this.#silent.delete(server);
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
    if (shard === undefined || this.#silent.has(server)) return false;
    return this.#client.ws.shards.get(shard)?.status === Status.Ready;
  }
}
