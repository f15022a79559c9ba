import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { type Clock, forwardOnly, MINUTE } from './clock.ts';
import { UserError } from './errors.ts';

interface Waiting {
  /** Settles with the last work in the line. */
  done: Promise<unknown>;
  /** Calls that have not ended, including the one under way. */
  length: number;
}

/**
 * Work that is done one at a time for each key, in the order in which it arrives.
 *
 * @example await turns.run(channelKey(channel), () => update(message))
 */
export class KeyedQueue {
  readonly #lines = new Map<string, Waiting>();

  /** Begins when everything that came before it has ended. Settles as `work` does. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(key) ?? { done: Promise.resolve(), length: 0 };
    line.length++;
    this.#lines.set(key, line);
    const done = line.done
      .catch(() => undefined)
      .then(work)
      .finally(() => {
        line.length--;
        if (line.length === 0) this.#lines.delete(key);
      });
    line.done = done;
    return done;
  }

  isBusy(key: string): boolean {
    return this.#lines.has(key);
  }

  /** Resolves when all work has ended, including what arrives in the meantime. */
  async done(): Promise<void> {
    while (this.#lines.size > 0) await Promise.allSettled([...this.#lines.values()].map(({ done }) => done));
  }

  /** Shares the latest work of the key, such as a lookup under way; begins `work` if there is none. */
  join<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(key);
    return line === undefined ? this.run(key, work) : (line.done as Promise<Result>);
  }
}

/** Asks once for all callers, and again only after that failed. */
export function askOnce<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | undefined;
  return () => {
    asking ??= ask().catch((error: unknown) => {
      asking = undefined;
      throw error;
    });
    return asking;
  };
}

/**
 * Options of an `lru-cache` with at most this many entries. With its option `max`, the cache would allocate the room
 * for all of them at once, which takes milliseconds and memory where few are ever used.
 *
 * @example new LRUCache<string, boolean>(atMost(20_000))
 */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}

/** The same for a cache whose entries expire after `ttl` milliseconds by this clock. */
export function expiring(entries: number, ttl: number, clock: Clock) {
  // By default, the cache reads the clock again only after a millisecond of real time.
  return { ...atMost(entries), ttl, ttlResolution: 0, perf: forwardOnly(clock) };
}

const MAX_KEYS = 10_000;

/** How often something may happen for each key in one minute of the clock, or in another span of it. */
export class RateLimit {
  readonly #counts = new LRUCache<string, { readonly span: number; count: number }>(atMost(MAX_KEYS));
  readonly #most: number;
  readonly #span: number;

  constructor(most: number, span: number = MINUTE) {
    this.#most = most;
    this.#span = span;
  }

  /** @throws UserError where it was too often */
  take(key: string, now: number): void {
    const span = Math.floor(now / this.#span);
    const known = this.#counts.get(key);
    const counted = known?.span === span ? known : { span, count: 0 };
    if (++counted.count > this.#most)
      throw new UserError('game.fast', 'That was too fast. Wait a minute, then go on.');
    this.#counts.set(key, counted);
  }
}

const background = new AsyncLocalStorage<true>();

/**
 * Runs work that nobody waits for, such as posting the day's puzzle, with everything that it starts, timers included. In
 * queues, it takes turns with people's requests.
 *
 * @example inBackground(() => daily.start())
 */
export function inBackground<Result>(act: () => Result): Result {
  return background.run(true, act);
}

/** One caller at a time. People's requests and the bot's own work take turns. */
export class FairLock {
  readonly #people: (() => void)[] = [];
  readonly #background: (() => void)[] = [];
  #isTaken = false;
  #wasInBackground = false;

  acquire(): Promise<void> {
    const isInBackground = background.getStore() === true;
    if (this.#isTaken) {
      const waiting = isInBackground ? this.#background : this.#people;
      return new Promise((resolve) => waiting.push(resolve));
    }
    this.#isTaken = true;
    this.#wasInBackground = isInBackground;
    return Promise.resolve();
  }

  release(): void {
    const same = this.#wasInBackground ? this.#background : this.#people;
    const other = this.#wasInBackground ? this.#people : this.#background;
    const next = other.length > 0 ? other : same;
    this.#wasInBackground = next === this.#background;
    const begin = next.shift();
    this.#isTaken = begin !== undefined;
    begin?.();
  }
}
