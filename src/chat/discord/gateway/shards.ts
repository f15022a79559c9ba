import type { ClientOptions } from 'discord.js';

/**
 * Which part of a large bot's servers this process serves.
 *
 * @example readShards('0-3/16') // { shards: [0, 1, 2, 3], shardCount: 16 }
 */
export function readShards(text: string): Pick<ClientOptions, 'shards' | 'shardCount'> {
  if (text === 'auto') return { shards: 'auto' };
  const match = /^(\d{1,5})(?:-(\d{1,5}))?\/(\d{1,5})$/.exec(text);
  const [from, to, count] = [match?.[1], match?.[2] ?? match?.[1], match?.[3]].map(Number);
  if (from === undefined || to === undefined || count === undefined || !(from <= to && to < count))
    throw new RangeError(`DISCORD_SHARDS should be auto, or a slice such as 0-3/16, not "${text}"`);
  return { shards: Array.from({ length: to - from + 1 }, (_, at) => from + at), shardCount: count };
}
