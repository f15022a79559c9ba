import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { type Clock, HOUR } from '../../../core/clock.ts';
import type { App } from '../../../dispatch/contract.ts';

/** Milliseconds that a request waits for the store. Slack waits three seconds for its acknowledgement. */
const PATIENCE = 1_000;
const MAX_REMEMBERED = 10_000;
/** Slack retries an event for a day at most. */
const EVENT_REMEMBERED = 26 * HOUR;

/** Recognizes what comes a second time, to this process or to another one with the same store. */
export class SeenOnce {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>;
  /** For an outage of the store, in which a second time is recognized by this process alone. */
  readonly #remembered: LRUCache<string, true>;

  constructor(app: Pick<App, 'store' | 'clock' | 'log'>) {
    this.#app = app;
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
    const marking = store.events.mark(`slack:${key}`, now, expiresAt).catch((error: unknown) => {
      log.warn({ door: 'slack', err: error }, 'what Slack sent could not be marked as processed');
      return true;
    });
    return !(await Promise.race([marking, sleep(PATIENCE, true, { ref: false })]));
  }
}

/**
 * Bolt's middleware that stops an event which was processed before: Slack's own retry, or a copy that somebody
 * recorded. Commands and buttons have no event id, and Slack never retries them.
 */
export function skipRepeatedEvents(clock: Clock, seen: SeenOnce): Middleware<AnyMiddlewareArgs> {
  return async ({ body, next }) => {
    const id = 'event_id' in body ? body.event_id : undefined;
    if (typeof id === 'string' && (await seen.isRepeat(id, clock.now() + EVENT_REMEMBERED))) return;
    await next();
  };
}
