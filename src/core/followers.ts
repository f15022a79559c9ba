import { LRUCache } from 'lru-cache';
import { atMost } from './cache.ts';

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
const MOST = 5_000;
/** Milliseconds in which changes are shown together: platforms take about one change of a message in a second. */
const PAUSE = 1_000;

/** Updates what one place shows when it changes in another place. Each key has one follower, the latest. */
export class Followers {
  readonly #followed = new LRUCache<string, Followed>({
    ...atMost(MOST),
    dispose: ({ timer }) => clearTimeout(timer),
  });

  follow(key: string, follower: Follower): void {
    this.#followed.set(key, { follower }, { ttl: follower.lasts });
  }

  changed(key: string): void {
    const followed = this.#followed.get(key);
    if (followed === undefined) return;
    if (followed.isShowing) followed.isStale = true;
    else followed.timer ??= setTimeout(() => void this.#show(key, followed), PAUSE).unref();
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
