import { LRUCache } from 'lru-cache';
import { MINUTE } from '../core/clock.ts';
import type { Log } from '../core/log.ts';

/** Milliseconds between two log lines about events of the same name. */
const QUIET = 10 * MINUTE;
/** Names are the platform's, and may be anything. */
const MAX_NAMES = 100;
const LONGEST_NAME = 60;

/**
 * Logs events of a platform that could not be processed. A platform that changes the shape of an event sends
 * thousands of them: the first of each name is logged, and then one every ten minutes, with their number.
 */
export class DroppedEvents {
  readonly #log: Log;
  readonly #door: string;
  /** The kinds that were logged lately. */
  readonly #logged: LRUCache<string, true>;
  /** The number of all dropped events, logged or not. */
  count = 0;

  constructor(log: Log, door: string) {
    this.#log = log;
    this.#door = door;
    this.#logged = new LRUCache({ max: MAX_NAMES, ttl: QUIET });
  }

  /** @param error what was thrown, if anything was; what the event holds is never logged */
  readonly drop = (name: unknown, error?: unknown): void => {
    this.count++;
    const event = String(name).slice(0, LONGEST_NAME);
    if (this.#logged.has(event)) return;
    this.#logged.set(event, true);
    this.#log.warn(
      { door: this.#door, event, dropped: this.count, ...(error !== undefined && { err: error }) },
      'an event of the platform was dropped: it could not be processed',
    );
  };
}
