import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { MINUTE } from './clock.ts';
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
 * @example await turns.run(playerKey(person), () => play(move))
 */
export class Turns {
  readonly #lines = new Map<string, Waiting>();
  readonly #most: number;

  /** @param most calls that may be under way and wait for one key; one more is refused with a `UserError` */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** Begins when everything that came before it has ended. Settles as `work` does. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(key) ?? { done: Promise.resolve(), length: 0 };
    if (line.length >= this.#most) {
      return Promise.reject(new UserError('game.waiting', 'That was too fast. Wait a moment, then go on.'));
    }
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

  /** Joins the last work of the key, such as a lookup that is under way; begins `work` if there is none. */
  join<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(key);
    return line === undefined ? this.run(key, work) : (line.done as Promise<Result>);
  }
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

/** Keys that are counted at a time. */
const MOST_KEYS = 10_000;

/** How often something may happen for each key in one minute of the clock. */
export class PerMinute {
  readonly #counts = new LRUCache<string, { readonly minute: number; count: number }>(atMost(MOST_KEYS));
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws UserError where it was too often */
  take(key: string, now: number): void {
    const minute = Math.floor(now / MINUTE);
    const known = this.#counts.get(key);
    const counted = known?.minute === minute ? known : { minute, count: 0 };
    if (++counted.count > this.#most)
      throw new UserError('game.fast', 'That was too fast. Wait a minute, then go on.');
    this.#counts.set(key, counted);
  }
}

const background = new AsyncLocalStorage<true>();

/**
 * Runs work that nobody waits for, such as the daily threads, with everything that it starts, timers included. In queues,
 * it takes turns with people's requests.
 *
 * @example inBackground(() => daily.start())
 */
export function inBackground<Result>(act: () => Result): Result {
  return background.run(true, act);
}

/** One caller at a time. People's requests and the bot's own work take turns. */
export class FairTurns {
  readonly #people: (() => void)[] = [];
  readonly #background: (() => void)[] = [];
  #isTaken = false;
  #wasInBackground = false;

  take(): Promise<void> {
    const isInBackground = background.getStore() === true;
    if (this.#isTaken) {
      const waiting = isInBackground ? this.#background : this.#people;
      return new Promise((resolve) => waiting.push(resolve));
    }
    this.#isTaken = true;
    this.#wasInBackground = isInBackground;
    return Promise.resolve();
  }

  give(): void {
    const [first, second] = this.#wasInBackground
      ? [this.#people, this.#background]
      : [this.#background, this.#people];
    const next = first.length > 0 ? first : second;
    this.#wasInBackground = next === this.#background;
    const begin = next.shift();
    this.#isTaken = begin !== undefined;
    begin?.();
  }
}

/** Shows something that may change elsewhere, such as a message in a chat. */
export interface Follower {
  /** Shows it as it is now. False if that has to wait, because something else is under way there. */
  show(): Promise<boolean>;
  /** Milliseconds for which what it shows can still be changed. */
  readonly lasts: number;
}

interface Followed {
  readonly follower: Follower;
  timer?: NodeJS.Timeout;
  isShowing?: true;
  /** It changed again while it was shown. */
  isStale?: true;
}

/** Followers at most; the one that began longest ago is dropped first. */
const MOST_FOLLOWERS = 5_000;
/** Milliseconds in which changes are shown together: platforms take about one change of a message in a second. */
const SHOWN_TOGETHER = 1_000;

/** Updates what one place shows when it changes in another place. Each key has one follower, the latest. */
export class Followers {
  readonly #followed = new LRUCache<string, Followed>({
    ...atMost(MOST_FOLLOWERS),
    dispose: ({ timer }) => clearTimeout(timer),
  });

  follow(key: string, follower: Follower): void {
    this.#followed.set(key, { follower }, { ttl: follower.lasts });
  }

  changed(key: string): void {
    const followed = this.#followed.get(key);
    if (followed === undefined) return;
    if (followed.isShowing) followed.isStale = true;
    else followed.timer ??= setTimeout(() => void this.#show(key, followed), SHOWN_TOGETHER).unref();
  }

  /** Shows nothing from now on. */
  stop(): void {
    this.#followed.clear();
  }

  async #show(key: string, followed: Followed): Promise<void> {
    delete followed.timer;
    followed.isShowing = true;
    try {
      if (!(await followed.follower.show())) followed.isStale = true;
    } catch {
      // A message that can't be changed any more is left as it is; `show` has logged why.
      if (this.#followed.peek(key) === followed) this.#followed.delete(key);
    }
    delete followed.isShowing;
    if (!followed.isStale) return;
    delete followed.isStale;
    this.changed(key);
  }
}
