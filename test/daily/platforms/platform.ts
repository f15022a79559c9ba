import type { Poster } from '../../../src/dispatch/poster.ts';

/** What went wrong with one request of a door to its platform. */
export type Mischief = 'none' | 'late' | 'before' | 'after' | 'busy' | 'broken' | 'slow' | 'twice';

/** What was posted in the channels of a platform, after a test. */
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

/** A platform a test with several processes runs on: a server in the test's process, and a poster in its children. */
export interface PlatformModule {
  serve(): Promise<ServedPlatform>;
  makePoster(config: unknown): Promise<Poster>;
}
