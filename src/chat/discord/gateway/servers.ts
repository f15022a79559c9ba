import type { Store } from '../../../store/types.ts';
import { serverOf } from '../tenants.ts';

/** What a shard is told when it begins a session: which it is, and all servers it has. */
export interface ShardReady {
  readonly guilds: readonly { readonly id: string }[];
  readonly shard?: readonly [index: number, count: number];
}

/**
 * Compares the servers Discord lists for a shard with those we keep something of, for removals and returns
 * that happened while nobody was listening. Servers with an outage are listed like all others, and those of
 * other shards are not spoken of. Gives the number that turned out to be removed.
 */
export async function compareServers(
  store: Store,
  { guilds, shard = [0, 1] }: ShardReady,
  { at, isHere }: { at: number; isHere: (server: string) => boolean },
): Promise<number> {
  const listed = new Set(guilds.map(({ id }) => id));
  let removals = 0;
  for (const { tenant, removed } of await store.allTenants.tenants('discord')) {
    const id = serverOf(tenant);
    if (id === undefined || shardOf(id, shard[1]) !== shard[0]) continue;
    if (listed.has(id) && removed) await store.tenant(tenant).markPresent();
    // Whoever invited the bot while the store was being asked isn't in the list, and is there.
    if (listed.has(id) || removed || isHere(id)) continue;
    await store.tenant(tenant).markRemoved(at);
    removals++;
  }
  return removals;
}

/** The shard that Discord gives a server to. */
function shardOf(guild: string, shards: number): number {
  return Number((BigInt(guild) >> 22n) % BigInt(shards));
}
