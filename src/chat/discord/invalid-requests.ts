import { AsyncLocalStorage } from 'node:async_hooks';
import type { ResponseLike } from 'discord.js';
import { LRUCache } from 'lru-cache';
import { MINUTE } from '../../core/clock.ts';
import { expiring } from '../../core/concurrency.ts';
import type { App } from '../../dispatch/contract.ts';
import { PostFailure } from '../../dispatch/poster.ts';

/** Discord bans an address for a while after 10,000 invalid requests within this time. */
const INVALID_REQUESTS_WINDOW_MS = 10 * MINUTE;

/** `needed`: a post depends on it. `optional`: everything else, such as permissions, names, archiving and private messages. */
export type Purpose = 'needed' | 'optional';
/**
 * Refused requests in a window after which no more are sent: a tenth of Discord's limit, which counts all processes of an
 * address. Optional requests stop at half of it.
 */
const MAX_REFUSALS = 1_000;
/** Nothing more is posted in a channel that refused a post, so only a server whose permissions keep changing gets this many. */
const MAX_REFUSALS_PER_SERVER = 20;
const MAX_CACHED_SERVERS = 10_000;
/** The key of the refusals of all servers together. */
const ALL = '';

/**
 * Counts the requests that Discord counts as invalid, and pauses requests that can wait when there are too many: for one
 * server if they are about it, for the whole bot if they come from everywhere. The library's own count is not by server.
 */
export class InvalidRequestGuard {
  readonly #log: App['log'];
  /** Refusals by tenant. They expire ten minutes after the first. */
  readonly #refused: LRUCache<string, number>;
  readonly #tenant = new AsyncLocalStorage<string | undefined>();

  constructor({ clock, log }: Pick<App, 'clock' | 'log'>) {
    this.#log = log;
    // An entry lives for one millisecond longer than its ttl: hence the `- 1` here, and the `+ 1` below.
    const expiry = expiring(MAX_CACHED_SERVERS, INVALID_REQUESTS_WINDOW_MS - 1, clock);
    this.#refused = new LRUCache({ ...expiry, noUpdateTTL: true });
  }

  /**
   * Runs requests that are about one server, or about none.
   *
   * @throws PostFailure while nothing should be requested there for this purpose
   */
  run<Result>(tenant: string | undefined, purpose: Purpose, act: () => Result): Result {
    for (const whose of [ALL, tenant ?? ALL]) {
      const most = maxRefusals(whose) / (purpose === 'optional' ? 2 : 1);
      if ((this.#refused.get(whose) ?? 0) < most) continue;
      const retryAfter = this.#refused.getRemainingTTL(whose) + 1;
      throw new PostFailure('later', 'too many requests were refused lately', { retryAfter });
    }
    return this.#tenant.run(tenant, act);
  }

  /** Counts a response as Discord does: 401, 403, and 429 unless other bots used up a shared limit. */
  count({ status, headers }: Pick<ResponseLike, 'status'> & Partial<Pick<ResponseLike, 'headers'>>): void {
    if (status !== 401 && status !== 403 && status !== 429) return;
    if (status === 429 && headers?.get('x-ratelimit-scope') === 'shared') return;
    this.#add(ALL);
    const tenant = this.#tenant.getStore();
    // A refused token (401) and a rate limit (429) say nothing about the server.
    if (status === 403 && tenant !== undefined) this.#add(tenant);
  }

  #add(whose: string): void {
    const refusals = (this.#refused.get(whose) ?? 0) + 1;
    this.#refused.set(whose, refusals);
    // Logged once, by the refusal that reaches the maximum.
    if (refusals !== maxRefusals(whose)) return;
    if (whose === ALL)
      this.#log.error(
        { door: 'discord' },
        'Discord refuses most requests: posting pauses for up to ten minutes',
      );
    else
      this.#log.warn(
        { door: 'discord', tenant: whose },
        'Discord refuses most requests about this server: posting there pauses for up to ten minutes',
      );
  }
}

function maxRefusals(whose: string): number {
  return whose === ALL ? MAX_REFUSALS : MAX_REFUSALS_PER_SERVER;
}
