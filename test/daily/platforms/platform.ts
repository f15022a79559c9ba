import type { ChannelRef } from '../../../src/core/channel-ref.ts';
import type { Clock } from '../../../src/core/clock.ts';
import type { Poster } from '../../../src/dispatch/poster.ts';
import type { Store } from '../../../src/store/store.ts';

/** A channel, and somebody who is reminded there. */
export interface Place extends ChannelRef {
  readonly person: string;
}

/** How often each key was posted in each channel, by `channelKey`, and which threads are there. */
export type Posts = ReadonlyMap<string, ReadonlyMap<string, number>>;
export interface Tally {
  readonly messages: Posts;
  readonly threads: Posts;
}

/** Counts by channel and key; without a channel of the test, it counts nothing. */
export function countPosts(all: Iterable<readonly [channel: string | undefined, key: string]>): Posts {
  const posts = new Map<string, Map<string, number>>();
  for (const [channel, key] of all) {
    if (channel === undefined) continue;
    const keys = posts.get(channel) ?? new Map<string, number>();
    posts.set(channel, keys.set(key, (keys.get(key) ?? 0) + 1));
  }
  return posts;
}

export interface ServedPlatform {
  readonly places: readonly Place[];
  /** What a child process needs to build its poster, as JSON. */
  readonly config: object;
  tally(): Tally;
  close(): Promise<void>;
}

/** A platform a test with several processes runs on: a server in the test's process, and a poster in its children. */
export interface PlatformModule {
  /** @param clock of the platform; real time by default */
  serve(options?: { readonly clock?: Clock }): Promise<ServedPlatform>;
  makePoster(config: unknown, store: Store): Poster;
}

/** What every poster needs of an app, and no more: the test's own store is the daily thread's. */
export const POSTER_APP = {
  clock: Date,
  lexicon: { find: () => undefined },
  log: { debug() {}, info() {}, warn() {}, error() {} },
  store: {
    tenant: () => ({ markPresent: async () => {}, markRemoved: async () => {} }),
    actions: { get: async () => undefined, put: async () => {} },
    applications: { get: async () => undefined },
    pace: { reserve: async () => 0, reserveUpTo: async () => true },
  },
};
