import { type Client, GatewayDispatchEvents, Status } from 'discord.js';
import { type Backoff, doubling, pauseAfter } from '../../core/backoff.ts';
import { makeTenant } from '../../core/channel-ref.ts';
import { type Clock, MINUTE, SECOND } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { Store } from '../../store/store.ts';
import type { StoreOwner } from './store-owner.ts';
import { serverOf } from './tenants.ts';

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
  readonly owner: StoreOwner;
  readonly servers: Servers;
  readonly clock: Clock;
  readonly log: Log;
}

/** Records in the store which servers removed the bot, and which added it again. */
export function recordMemberships(
  client: Client,
  { store, owner, servers, clock, log }: MembershipTools,
): void {
  const recordings = new Recordings(log);
  /** Servers that have removed the bot since their shard's session began. */
  const left = new Set<string>();
  /** The last comparison, which may make the store that of this application. */
  let compared: Promise<void> | undefined;
  // Discord never repeats a removal that happened while the bot was off, so each session starts by comparing.
  client.ws.on(GatewayDispatchEvents.Ready, (ready: ShardReady, shard: number) => {
    for (const { id } of ready.guilds) left.delete(id);
    const hasServer = (server: string) => servers.has(server);
    const hasLeft = (server: string) => left.has(server);
    const act = async () => {
      const { gone, isIn } = await compareServers(store, ready, { hasServer, hasLeft });
      const isOurs = await owner.isOurs(isIn);
      if (gone.length === 0) return;
      if (!isOurs) return log.warn({ door: 'discord', servers: gone.length }, NOT_OURS);
      // Not those that have added the bot while the store was being read.
      for (const id of gone)
        if (!hasServer(id)) await store.tenant(makeTenant('discord', id)).markRemoved(clock.now());
      log.info({ door: 'discord', removals: gone.length }, 'removed from servers while not connected');
    };
    const compare = () => {
      compared = act();
      return compared;
    };
    recordings.record(`shard ${shard}`, compare, 'comparing the servers with those in the store failed');
  });
  client.ws.on(GatewayDispatchEvents.GuildDelete, (guild: { id: string; unavailable?: boolean }) => {
    // With `unavailable` it is an outage, without it a removal.
    if (guild.unavailable) return;
    left.add(guild.id);
    const { markRemoved } = store.tenant(makeTenant('discord', guild.id));
    const at = clock.now();
    const record = async () => {
      await compared?.catch(() => undefined);
      if (await owner.isOurs(false)) await markRemoved(at);
    };
    recordings.record(guild.id, record, 'recording a removal failed');
  });
  client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: { id: string }) => {
    left.delete(id);
    const { markPresent } = store.tenant(makeTenant('discord', id));
    recordings.record(id, markPresent, 'recording a server as present failed');
  });
}

const NOT_OURS =
  'servers of the database do not have this bot, but none counts as removed, since the database may be of another application than DISCORD_TOKEN: docs/hosting.md, "Another Discord application", says what to do';

const AGAIN: Backoff = { pauses: doubling(2 * SECOND, 10 * MINUTE), jitter: 0 };

/**
 * Records until the store takes it, unless something newer is about the same. Discord says nothing again: a return that
 * is not recorded would end with all data of the server being erased while the bot is there.
 */
class Recordings {
  readonly #log: Log;
  /** Those that are under way or tried again later, by what they are about. */
  readonly #newest = new Map<string, () => Promise<unknown>>();

  constructor(log: Log) {
    this.#log = log;
  }

  record(about: string, act: () => Promise<unknown>, failure: string): void {
    this.#newest.set(about, act);
    void this.#attempt(about, act, failure, 1);
  }

  async #attempt(about: string, act: () => Promise<unknown>, failure: string, failures: number) {
    if (this.#newest.get(about) !== act) return;
    try {
      await act();
      if (this.#newest.get(about) === act) this.#newest.delete(about);
    } catch (error) {
      this.#log.error({ err: error, door: 'discord' }, failure);
      const pause = pauseAfter({ failures, random: Math.random }, AGAIN);
      setTimeout(() => void this.#attempt(about, act, failure, failures + 1), pause).unref();
    }
  }
}

/**
 * Compares the servers that Discord lists for a shard with those in the store, and records returns that happened while
 * nobody was listening. Servers with an outage are listed like all others; those of other shards are left alone. Returns
 * those that seem to have removed the bot, and whether it is in any that the store knows, if there are any.
 */
async function compareServers(
  store: Store,
  { guilds, shard = [0, 1] }: ShardReady,
  { hasServer, hasLeft }: Record<'hasServer' | 'hasLeft', (server: string) => boolean>,
): Promise<{ gone: readonly string[]; isIn: boolean }> {
  const listed = new Set(guilds.map(({ id }) => id));
  const gone: string[] = [];
  let known = 0;
  let kept = 0;
  for (const { tenant, removed } of await store.allTenants.tenants('discord')) {
    const id = serverOf(tenant);
    if (id === undefined) continue;
    if (!removed) known++;
    if (shardOf(id, shard[1]) !== shard[0]) continue;
    if (listed.has(id) && removed && !hasLeft(id)) await store.tenant(tenant).markPresent();
    // A server that added the bot while the store was being read is not in the list.
    if (listed.has(id) || hasServer(id)) kept++;
    else if (!removed) gone.push(id);
  }
  return { gone, isIn: kept > 0 || known === 0 };
}

/** The shard that Discord assigns a server to. */
function shardOf(guild: string, shards: number): number {
  return Number((BigInt(guild) >> 22n) % BigInt(shards));
}
