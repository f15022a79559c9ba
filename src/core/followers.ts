import { LRUCache } from 'lru-cache';
import { atMost } from './cache.ts';

/** What shows something that may change elsewhere, such as a message in a chat. */
export interface Follower {
  /** Shows it as it is now. False if that has to wait, because something else is under way there. */
  show(): Promise<boolean>;
  /** Milliseconds from now on in which it can be changed. */
  readonly lasts: number;
}

interface Followed {
  readonly follower: Follower;
  timer?: NodeJS.Timeout;
  isShowing?: true;
  /** It changed again while it was shown. */
  isStale?: true;
}

/** Those who show something at the same time; the one who followed longest ago is left out first. */
const MOST = 5_000;
/** Milliseconds in which changes are shown together: platforms take about one change of a message in a second. */
const PAUSE = 1_000;

/** Lets what is shown in one place follow what changes in another. For each key, the one that followed last. */
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
      // What can't be changed any more is left as it is. Who shows it has logged why.
      if (this.#followed.peek(key) === followed) this.#followed.delete(key);
    }
    delete followed.isShowing;
    if (!followed.isStale) return;
    delete followed.isStale;
    this.changed(key);
  }
}
