import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { MINUTE } from '../../core/clock.ts';
import { PostFailure } from '../../dispatch/poster.ts';

/** Discord bans an address for a while after 10,000 invalid requests within this time. */
const WINDOW = 10 * MINUTE;

export interface GuardLimits {
  /** Refused requests in a window after which posting pauses for a whole window. */
  readonly posting: number;
  /** After so many, nothing is requested any more that no post depends on, so that it never stops the posting. */
  readonly checking: number;
}

/** A tenth of Discord's limit. Refusals in one server stop earlier, so fifty servers have to refuse at once. */
const EVERYWHERE: GuardLimits = { posting: 1_000, checking: 500 };
/** A channel that refuses a post is suspended after it: so many come only from a server that changes all the time. */
const IN_ONE_SERVER: GuardLimits = { posting: 20, checking: 10 };
const MAX_SERVERS = 5_000;

/** What of a response decides whether Discord counts it as invalid. */
interface CountedResponse {
  readonly status: number;
  readonly headers?: { get(name: string): string | null };
}

/**
 * Counts the requests that Discord counts as invalid, and pauses whatever can wait when there are too many of
 * them: for one server if they are about it, for the whole bot if they come from everywhere.
 */
export class InvalidRequestGuard {
  readonly #now: () => number;
  readonly #onPause: (server: string | undefined) => void;
  readonly #everywhere: Refusals;
  readonly #servers = new LRUCache<string, Refusals>({ max: MAX_SERVERS });
  /** The tenant that a request is about. */
  readonly #about = new AsyncLocalStorage<string>();

  /** @param onPause called with the tenant whose posts pause, or with undefined when all do */
  constructor(now: () => number, onPause: (tenant: string | undefined) => void) {
    this.#now = now;
    this.#onPause = onPause;
    this.#everywhere = new Refusals(EVERYWHERE);
  }

  /** Runs requests that are about one server. */
  about<Result>(tenant: string, act: () => Result): Result {
    return this.#about.run(tenant, act);
  }

  /** Counts a response as Discord does: 401, 403, and 429 unless other bots used up a shared limit. */
  count({ status, headers }: CountedResponse): void {
    if (status !== 401 && status !== 403 && status !== 429) return;
    if (status === 429 && headers?.get('x-ratelimit-scope') === 'shared') return;
    const now = this.#now();
    if (this.#everywhere.add(now)) this.#onPause(undefined);
    // A token that is refused, and a pace that is too high, are the bot's and not the server's.
    const tenant = this.#about.getStore();
    if (status !== 403 || tenant === undefined) return;
    const server = this.#servers.get(tenant) ?? new Refusals(IN_ONE_SERVER);
    this.#servers.set(tenant, server);
    if (server.add(now)) this.#onPause(tenant);
  }

  /** Throws while posting to this server is paused. */
  checkPosting(tenant: string): void {
    this.#check(tenant, 'posting');
  }

  /** Throws while nothing should be requested there that no post depends on. */
  checkOptional(tenant: string): void {
    this.#check(tenant, 'checking');
  }

  #check(tenant: string, what: keyof GuardLimits): void {
    const now = this.#now();
    const waits = [this.#everywhere, this.#servers.get(tenant)].map((of) => of?.waitFor(what, now) ?? 0);
    const wait = Math.max(...waits);
    if (wait > 0)
      throw new PostFailure('later', 'too many requests were refused lately', { retryAfter: wait });
  }
}

/** The refusals of the last window, and the pause that too many of them led to. */
class Refusals {
  readonly #limits: GuardLimits;
  /** Oldest first, and at most as many as the limit. */
  #moments: number[] = [];
  #pausedUntil = 0;

  constructor(limits: GuardLimits) {
    this.#limits = limits;
  }

  /** Whether a pause begins with it. */
  add(now: number): boolean {
    if (this.#pausedUntil > now) return false;
    this.#forget(now);
    this.#moments.push(now);
    if (this.#moments.length < this.#limits.posting) return false;
    this.#pausedUntil = now + WINDOW;
    this.#moments = [];
    return true;
  }

  /** Milliseconds. */
  waitFor(what: keyof GuardLimits, now: number): number {
    if (this.#pausedUntil > now) return this.#pausedUntil - now;
    if (what === 'posting') return 0;
    this.#forget(now);
    const [oldest] = this.#moments;
    return this.#moments.length < this.#limits.checking ? 0 : oldest! + WINDOW - now;
  }

  #forget(now: number): void {
    const first = this.#moments.findIndex((at) => at > now - WINDOW);
    this.#moments = first < 0 ? [] : this.#moments.slice(first);
  }
}
