import type { ChannelRef } from '../../../src/core/channel-ref.ts';
import type { Clock } from '../../../src/core/clock.ts';
import type { DailyOptions } from '../../../src/daily/daily.ts';
import type { Poster, PrivatePost } from '../../../src/dispatch/poster.ts';
import type { Store } from '../../../src/store/store.ts';

/** What went wrong with one request of a door to its platform. */
export type Mischief = 'none' | 'late' | 'before' | 'after' | 'busy' | 'broken' | 'slow' | 'twice';

/** What was posted in the channels of a platform and sent to the person of each, after a test. */
export interface Tally {
  /** Messages of each delivery's key, by channel. */
  readonly messages: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Threads of each channel. */
  readonly threads: ReadonlyMap<string, number>;
  readonly requests: number;
}

export interface ServedPlatform {
  /** What a child process needs to build its poster, as JSON. */
  readonly config: unknown;
  tally(): Tally | Promise<Tally>;
  /** Called in the middle of each request, before and after the platform acts. */
  onRequest: (when: 'before' | 'after') => void;
  /** Chooses what goes wrong. */
  mischief: () => Mischief;
  close(): Promise<void>;
}

/** What a process delivers with. */
export type DeliveryTools = Pick<
  DailyOptions,
  'posters' | 'puzzles' | 'answerSteps' | 'reviews' | 'handlers'
>;

/** A platform a test with several processes runs on: a server in the test's process, and a poster in its children. */
export interface PlatformModule {
  /** @param clock of the platform; real time by default */
  serve(clock?: Clock): Promise<ServedPlatform>;
  /** All its private messages go to the person of the channel. */
  makePoster(config: unknown): Promise<Poster>;
}

/** What child processes need of a module: a poster, for made-up boards and steps, or all that they deliver with. */
export type ChildModule =
  | Pick<PlatformModule, 'makePoster'>
  | { makeTools(config: unknown, store: Store, clock: ChildClock): Promise<DeliveryTools> };

/** A clock that is set. */
interface ChildClock {
  time: number;
  now(): number;
}

/** What every poster needs of an app, and no more: the test's own store is the daily thread's. */
export const POSTER_APP = {
  clock: Date,
  lexicon: { find: () => undefined },
  log: { debug() {}, info() {}, warn() {}, error() {} },
  store: {
    tenant: () => ({ markPresent: async () => {}, markRemoved: async () => {} }),
    actions: { get: async () => undefined, put: async () => {} },
  },
};

/** A door whose posts go through other posters, and perhaps to other channels and people than the store knows. */
export function rerouted(
  door: string,
  posterOf: (channel: ChannelRef) => Poster,
  channelOf = (channel: ChannelRef) => channel,
  personOf = ({ person }: PrivatePost) => person,
): Poster {
  const there = <Post extends { readonly channel: ChannelRef }>(post: Post): Post => ({
    ...post,
    channel: channelOf(post.channel),
  });
  return {
    door,
    open: (post) => posterOf(post.channel).open(there(post)),
    post: (post) => posterOf(post.channel).post(there(post)),
    postPrivately: (post) => posterOf(post.channel).postPrivately({ ...there(post), person: personOf(post) }),
    archive: (channel, thread) => posterOf(channel).archive(channelOf(channel), thread),
    edit: (channel, message, reply, key) => posterOf(channel).edit(channelOf(channel), message, reply, key),
    missingRequirements: (channel, lacked) =>
      posterOf(channel).missingRequirements(channelOf(channel), lacked),
    membershipOf: (channel, person) => posterOf(channel).membershipOf(channelOf(channel), person),
    notify: (channel, person, reply) => posterOf(channel).notify(channelOf(channel), person, reply),
  };
}
