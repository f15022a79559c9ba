import { type Client, GatewayDispatchEvents, Status } from 'discord.js';
import { makeTenant } from '../../../core/channel-ref.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Log } from '../../../core/log.ts';
import type { Store } from '../../../store/store.ts';
import { serverOf } from '../tenants.ts';

/** The event at the start of a shard's session: which shard it is, and all servers it has. */
interface ShardReady {
  readonly guilds: readonly { readonly id: string }[];
  readonly shard?: readonly [index: number, count: number];
}

/** The servers of this process, and whether Discord reports changes in them at the moment. */
export class Servers {
  readonly #client: Client;
  /** The shard of each server. No cache: what is in here is what Discord said, and all of it. */
  readonly #shards = new Map<string, number>();

  constructor(client: Client) {
    this.#client = client;
    client.ws.on(GatewayDispatchEvents.Ready, ({ guilds }: ShardReady, shard: number) => {
      for (const [id, itsShard] of this.#shards) if (itsShard === shard) this.#shards.delete(id);
      for (const { id } of guilds) this.#shards.set(id, shard);
    });
    client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: { id: string }, shard: number) => {
      this.#shards.set(id, shard);
    });
    // After a removal as in an outage, Discord reports no changes until the server is back.
    client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id }: { id: string }) => this.#shards.delete(id));
  }

  get ids(): readonly string[] {
    return [...this.#shards.keys()];
  }

  has(server: string): boolean {
    return this.#shards.has(server);
  }

  /** Whether a change in this server would be reported at once. */
  isWatched(server: string): boolean {
    const shard = this.#shards.get(server);
    return shard !== undefined && this.#client.ws.shards.get(shard)?.status === Status.Ready;
  }
}

export interface MembershipTools {
  readonly store: Store;
  readonly servers: Servers;
  readonly clock: Clock;
  readonly log: Log;
}

/** Records in the store which servers removed the bot, and which added it again. */
export function recordMemberships(client: Client, { store, servers, clock, log }: MembershipTools): void {
  const record = (recording: Promise<unknown>, failure: string) => {
    recording.catch((error: unknown) => log.error({ err: error, door: 'discord' }, failure));
  };
  // Discord never repeats a removal that happened while the bot was off, so each session starts by comparing.
  client.ws.on(GatewayDispatchEvents.Ready, (ready: ShardReady) => {
    const hasServer = (server: string) => servers.has(server);
    const compared = compareServers(store, ready, { at: clock.now(), hasServer }).then((removals) => {
      if (removals > 0) log.info({ door: 'discord', removals }, 'removed from servers while not connected');
    });
    record(compared, 'comparing the servers with those in the store failed');
  });
  client.ws.on(GatewayDispatchEvents.GuildDelete, (guild: { id: string; unavailable?: boolean }) => {
    // With `unavailable` it is an outage, without it a removal.
    if (guild.unavailable) return;
    record(
      store.tenant(makeTenant('discord', guild.id)).markRemoved(clock.now()),
      'recording a removal failed',
    );
  });
  client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: { id: string }) => {
    record(store.tenant(makeTenant('discord', id)).markPresent(), 'recording a server as present failed');
  });
}

/**
 * Compares the servers that Discord lists for a shard with those in the store, for removals and returns that
 * happened while nobody was listening. Servers with an outage are listed like all others; those of other
 * shards are left alone. Returns how many turned out to be removed.
 */
async function compareServers(
  store: Store,
  { guilds, shard = [0, 1] }: ShardReady,
  { at, hasServer }: { at: number; hasServer: (server: string) => boolean },
): Promise<number> {
  const listed = new Set(guilds.map(({ id }) => id));
  let removals = 0;
  for (const { tenant, removed } of await store.allTenants.tenants('discord')) {
    const id = serverOf(tenant);
    if (id === undefined || shardOf(id, shard[1]) !== shard[0]) continue;
    if (listed.has(id) && removed) await store.tenant(tenant).markPresent();
    // A server that added the bot while the store was being read is not in the list.
    if (listed.has(id) || removed || hasServer(id)) continue;
    await store.tenant(tenant).markRemoved(at);
    removals++;
  }
  return removals;
}

/** The shard that Discord assigns a server to. */
function shardOf(guild: string, shards: number): number {
  return Number((BigInt(guild) >> 22n) % BigInt(shards));
}
