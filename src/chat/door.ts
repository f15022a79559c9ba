import type { DoorName } from '../dispatch/contract.ts';
import type { Poster } from '../dispatch/poster.ts';

/** The adapter of one platform: turns events into requests and replies into messages, and posts the daily thread. */
export interface Door {
  readonly name: DoorName;
  /** Resolves when it accepts requests. */
  start(): Promise<void>;
  /** Accepts no new requests, and resolves when those in flight are answered. */
  stop(): Promise<void>;
  /** Posts the daily thread, where the platform can. */
  readonly poster?: Poster;
  /** What is wrong at the moment, for the readiness page; undefined when nothing is. */
  trouble(): string | undefined;
}
