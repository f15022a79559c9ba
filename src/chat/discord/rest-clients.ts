import { type RateLimitData, REST, RESTEvents, type RESTOptions } from 'discord.js';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { DiscordConfig } from '../../config/doors.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import { CODE } from './errors.ts';
import type { InvalidRequestGuard } from './invalid-request-guard.ts';

/** Milliseconds between two sweeps of what the library keeps for each route and interaction. */
export const SWEEP = MINUTE;
/** Discord's limit for a bot; the largest bots have a higher one. */
const REQUESTS_PER_SECOND = 50;

/** Only the token is required. */
export type RestSettings = Pick<DiscordConfig, 'token'> &
  Partial<Pick<DiscordConfig, 'apiUrl' | 'requestsPerSecond'>>;

/** The options for the client of the gateway, which makes requests of its own. */
export function gatewayRestOptions({ apiUrl, requestsPerSecond }: RestSettings): Partial<RESTOptions> {
  return {
    handlerSweepInterval: SWEEP,
    globalRequestsPerSecond: requestsPerSecond ?? REQUESTS_PER_SECOND,
    ...(apiUrl !== undefined && { api: apiUrl }),
  };
}

/**
 * Milliseconds. What Discord wants to have later is left to the queue of the daily thread: it has room for some dozens of
 * posts at a time, and those that wait for an hour would keep all others out.
 */
const LONGEST_WAIT = 20 * SECOND;

/** For the daily thread: no retries, for a post whose outcome is unknown must be looked for before it is repeated. */
export function makePostingRest(settings: RestSettings, guard: InvalidRequestGuard): REST {
  const oldEdits = new OldEdits();
  const rest = new REST({
    ...gatewayRestOptions(settings),
    version: '10',
    retries: 0,
    rejectOnRateLimit: async (limit) => limit.retryAfter > LONGEST_WAIT || oldEdits.giveUp(limit),
  });
  oldEdits.watch(rest);
  useToken(rest, settings.token, guard);
  return rest;
}

/** For answers to interactions, which Discord does not count among a bot's requests per second. */
export function makeAnsweringRest(settings: RestSettings, guard: InvalidRequestGuard): REST {
  const rest = new REST({
    ...gatewayRestOptions(settings),
    version: '10',
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
  });
  rest.on(RESTEvents.Response, (_, response) => guard.count(response));
  return rest;
}

/**
 * Sets a token that stays set. The library drops its token at the first 401 for as long as the process lives,
 * and one that came by mistake, from a proxy or in an outage, would silence the bot until its next start.
 */
export function useToken(rest: REST, token: string, guard: InvalidRequestGuard): void {
  rest.setToken(token);
  rest.setToken = () => rest;
  rest.on(RESTEvents.Response, (_, response) => guard.count(response));
}

/** Stops the library's timers, which would keep the process from ending. */
export function closeRest(rest: REST): void {
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
}

/** Milliseconds. A later edit is of no use, whatever it waits for. */
const LONGEST_EDIT_WAIT = 5_000;
/** The library asks whether to wait right after a refusal, so only those of this moment matter. */
const MOST_REFUSALS = 1_000;

const REFUSAL = v.object({ code: v.optional(v.number()) });

/**
 * Gives up edits that Discord rations: of messages older than an hour it takes only some each hour (30046),
 * and the pause that it advises is far too short. Who follows that advice retries over and over, and each
 * retry counts as an invalid request.
 */
class OldEdits {
  /** The code of the last refusal by path, from the response to the question of the library. */
  readonly #refusals = new LRUCache<string, Promise<number | undefined>>({ max: MOST_REFUSALS });

  /** Notes the code of each refused edit. */
  watch(rest: REST): void {
    rest.on(RESTEvents.Response, ({ method, path }, response) => {
      if (method !== 'PATCH' || response.status !== 429) return;
      const code = response.json().then(
        (body) => (v.is(REFUSAL, body) ? body.code : undefined),
        () => undefined,
      );
      this.#refusals.set(path, code);
    });
  }

  /** Whether to give up rather than wait: the answer to the library's `rejectOnRateLimit`. */
  async giveUp({ method, url, retryAfter }: Pick<RateLimitData, 'method' | 'url' | 'retryAfter'>) {
    if (method !== 'PATCH') return false;
    const [path] = /\/channels\/.*$/.exec(url) ?? [''];
    const code = await this.#refusals.get(path);
    this.#refusals.delete(path);
    return code === CODE.editCap || retryAfter > LONGEST_EDIT_WAIT;
  }
}
