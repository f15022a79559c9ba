import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { channelKey } from '../../core/channel-ref.ts';
import { atMost } from '../../core/concurrency.ts';
import type { App, Asker } from '../../dispatch/contract.ts';
import type { Membership } from '../../dispatch/poster.ts';

/** The longest that a move waits for an answer, in milliseconds. A later answer counts for the next move. */
const LOOK_UP_TIMEOUT_MS = 3_000;
const MAX_CACHED_MEMBERSHIPS = 10_000;

/**
 * Looks up whether people may still use the channels of their links. A failure is cached too, so that each person costs one
 * request at a time.
 */
export class Memberships {
  readonly #app: Pick<App, 'posterOf' | 'clock' | 'log'>;
  readonly #known = new LRUCache<string, { at: number; membership: Promise<Membership | undefined> }>(
    atMost(MAX_CACHED_MEMBERSHIPS),
  );

  constructor(app: Pick<App, 'posterOf' | 'clock' | 'log'>) {
    this.#app = app;
  }

  /**
   * Undefined if nobody can say now.
   *
   * @param maxAge milliseconds for which an earlier answer is good enough
   */
  async of({ door, who, where }: Asker, maxAge: number): Promise<Membership | undefined> {
    const { posterOf, clock, log } = this.#app;
    const { tenant, channel } = where;
    const key = channelKey({ tenant, channel }, who.id);
    const now = clock.now();
    let known = this.#known.get(key);
    if (known === undefined || now < known.at || now - known.at >= maxAge) {
      const asking = posterOf(door)?.membershipOf({ tenant, channel }, who.id);
      const membership = Promise.resolve(asking).catch((error: unknown) => {
        log.info({ door, reason: String(error) }, 'a person could not be looked up');
        return undefined;
      });
      known = { at: now, membership };
      this.#known.set(key, known);
    }
    return Promise.race([known.membership, setTimeout(LOOK_UP_TIMEOUT_MS, undefined, { ref: false })]);
  }
}
