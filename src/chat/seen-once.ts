import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { App, DoorName } from '../dispatch/contract.ts';

/** Milliseconds that a request waits for the store. Platforms wait three seconds for its acknowledgement. */
const PATIENCE = 1_000;
const MAX_REMEMBERED = 10_000;

/** Recognizes what a platform sends a second time, to this process or to another one with the same store. */
export class SeenOnce {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>;
  readonly #door: DoorName;
  /** For an outage of the store, in which a second time is recognized by this process alone. */
  readonly #remembered: LRUCache<string, true>;

  constructor(app: Pick<App, 'store' | 'clock' | 'log'>, door: DoorName) {
    this.#app = app;
    this.#door = door;
    this.#remembered = new LRUCache({ max: MAX_REMEMBERED, ttl: 1, ttlResolution: 0, perf: app.clock });
  }

  /**
   * False for the first call with a key until it expires. When the store does not answer it is false as well:
   * processing something twice is better than never.
   *
   * @param expiresAt milliseconds since 1970
   */
  async isRepeat(key: string, expiresAt: number): Promise<boolean> {
    const { store, clock, log } = this.#app;
    const now = clock.now();
    if (this.#remembered.has(key)) return true;
    this.#remembered.set(key, true, { ttl: Math.max(1, expiresAt - now) });
    const marking = store.events.mark(`${this.#door}:${key}`, now, expiresAt).catch((error: unknown) => {
      log.warn({ door: this.#door, err: error }, 'what a platform sent could not be marked as processed');
      return true;
    });
    return !(await Promise.race([marking, sleep(PATIENCE, true, { ref: false })]));
  }
}
