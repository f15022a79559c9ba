import type { DoorName } from '../dispatch/contract.ts';
import type { Poster } from '../dispatch/poster.ts';

/** A way in: it translates a platform's events into requests and replies into its messages, and nothing else. */
export interface Door {
  readonly name: DoorName;
  /** Resolves when it takes requests. */
  start(): Promise<void>;
  /** Takes no new work and resolves when what was in flight is answered. */
  stop(): Promise<void>;
  /** Its hands for the daily thread, where the platform has such a thing. */
  readonly poster?: Poster;
  /** What is wrong at the moment, for the readiness page; undefined when all is well. */
  trouble(): string | undefined;
}
