import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  type ClientOptions,
  DefaultRestOptions,
  type InternalRequest,
  Options,
  type RateLimitData,
  RateLimitError,
  REST,
  RESTEvents,
  type RESTOptions,
  type RequestData,
  RequestMethod,
} from 'discord.js';
import * as v from 'valibot';
import type { DiscordConfig } from '../../config/config.ts';
import { ClockJumps, MINUTE, SECOND, timeoutAwake } from '../../core/clock.ts';
import { type CheckLease, PostFailure } from '../../dispatch/poster.ts';
import { afterWrite, codeOf, UNREADABLE } from './errors.ts';
import { WithId } from './interaction.ts';
import type { InvalidRequestGuard } from './invalid-requests.ts';
import { Departures, LINE, type Pace, RATE_LIMIT_SHARE, waitForTurn } from './pace.ts';

export type RestSettings = Pick<DiscordConfig, 'token'> &
  Partial<Pick<DiscordConfig, 'apiUrl' | 'requestsPerSecond'>>;

/**
 * The longest pause, in milliseconds, that a request waits out by itself. With a longer one it fails: the delivery queue, which
 * works on some dozens of posts at a time, tries a post again, and an answer would be useless by then.
 */
const MAX_WAIT_MS = 20 * SECOND;

/** Whether a request fails instead of waiting. A limit without a time to wait would be an endless loop of retries. */
function isTooLong({ retryAfter }: Pick<RateLimitData, 'retryAfter'>): boolean {
  return !(retryAfter > 0 && retryAfter <= MAX_WAIT_MS);
}

/**
 * Keeps its token after a 401, which may be a proxy's. discord.js drops it for the rest of the process.
 */
export class BotRest extends REST {
  readonly #clock = new ClockJumps(Date, performance);
  /** How often the clock was set. */
  #jumps = 0;

  constructor({ token, apiUrl }: RestSettings, guard?: InvalidRequestGuard, options?: Partial<RESTOptions>) {
    super({
      // The library keeps state for each route and interaction; it is deleted every minute.
      handlerSweepInterval: MINUTE,
      // Answers to interactions do not count among a bot's requests per second, and `PostingRest` keeps that limit by itself.
      globalRequestsPerSecond: Number.POSITIVE_INFINITY,
      // Thrown as an error, which `request` waits out.
      rejectOnRateLimit: async () => true,
      ...(apiUrl !== undefined && { api: apiUrl }),
      ...options,
    });
    this.setToken(token);
    this.on(RESTEvents.Response, (_, response) => {
      // Before the library reads the limits of this response.
      this.#startAnewAfterJump();
      guard?.count(response);
    });
  }

  /**
   * Waits out limits here: in the library, a request that was refused although its route had requests left can hold up
   * the others of its channel forever. What a limit refused was not done.
   */
  override async request(options: InternalRequest): Promise<unknown> {
    let waited = 0;
    for (;;) {
      this.#startAnewAfterJump();
      const jumps = this.#jumps;
      try {
        return await super.request(options);
      } catch (error) {
        this.#startAnewAfterJump();
        if (!(error instanceof RateLimitError)) throw error;
        // The clock was set meanwhile, so this wait is wrong. The limits are forgotten, and the request is sent at once.
        if (jumps !== this.#jumps) continue;
        waited += error.retryAfter;
        if (isTooLong(error) || waited > MAX_WAIT_MS || !this.onLimit(error)) throw error;
        await sleep(error.retryAfter);
      }
    }
  }

  /** Called with each limit that refused a request. @returns whether the request waits until it ends */
  protected onLimit(_limit: RateLimitError): boolean {
    return true;
  }

  /**
   * Forgets all limits when the clock was set, since the library keeps their ends by the wall clock. A limit that still holds is
   * learned from one 429.
   */
  #startAnewAfterJump(): void {
    if (this.#clock.take() === 0) return;
    this.#jumps += 1;
    this.handlers.clear();
    this.hashes.clear();
    this.globalRemaining = this.options.globalRequestsPerSecond;
  }

  override setToken(token: string | null): this {
    return token === null ? this : super.setToken(token);
  }

  /** Stops the library's timers, which would keep this object in memory. */
  close(): void {
    this.clearHashSweeper();
    this.clearHandlerSweeper();
  }
}

/** A client with this REST. It need not log in for requests, such as about the application, its commands and servers. */
export function makeClient(rest: REST, options: Partial<ClientOptions> = {}): Client {
  // The client makes a REST of its own first, which needs no timers.
  const unused = { hashSweepInterval: 0, handlerSweepInterval: 0 };
  // Users are all that it would cache, and in time they would be everybody who ever asked for something.
  const makeCache = Options.cacheWithLimits({ UserManager: 0 });
  const client = new Client({ intents: 0, makeCache, sweepers: {}, ...options, rest: unused });
  client.rest = rest;
  return client;
}

/** The lease check of the current request. discord.js may delay a request for seconds before sending it. */
const leaseChecks = new AsyncLocalStorage<CheckLease>();

const MAX_EDIT_WAIT_MS = 5 * SECOND;

/**
 * Whether an edit fails at once instead of waiting. Beside the limit of their route, edits of messages older than an hour have
 * one (30046), which the library calls a sublimit. Discord advises a pause that is far too short: a client that follows it
 * collects refused requests.
 */
function isRationed({ scope, sublimitTimeout, retryAfter }: RateLimitError): boolean {
  return (scope === 'user' && sublimitTimeout > 0) || retryAfter > MAX_EDIT_WAIT_MS;
}

/**
 * Requests of the daily thread. They are never retried: a post whose outcome is unknown must be looked for before it is
 * repeated. They leave evenly, below the limit of the whole bot, whose sliding second the library's bursts would exceed: after
 * the library's limits for its route, each request waits for a turn among all processes, then in this one, and then checks its
 * lease.
 */
export class PostingRest extends BotRest {
  readonly guard: InvalidRequestGuard;
  readonly #pace: Pace | undefined;
  readonly #departures: Departures;

  /** @param pace of all processes together; undefined where each keeps to the limit on its own */
  constructor(settings: RestSettings, guard: InvalidRequestGuard, pace?: Pace) {
    const { requestsPerSecond = DefaultRestOptions.globalRequestsPerSecond } = settings;
    const perSecond = requestsPerSecond * RATE_LIMIT_SHARE;
    const departures = new Departures(perSecond);
    super(settings, guard, {
      retries: 0,
      makeRequest: async (url, request) => {
        if (pace !== undefined) await waitForTurn(() => pace.reserve(LINE, perSecond), perSecond);
        await departures.turn();
        await leaseChecks.getStore()?.();
        const signal = timeoutAwake(this.options.timeout);
        return DefaultRestOptions.makeRequest(url, { ...request, signal });
      },
    });
    this.guard = guard;
    this.#pace = pace;
    this.#departures = departures;
  }

  /** Creates a message or a forum's post. The lease is checked last, right before the request leaves. */
  create(route: `/${string}`, data: RequestData, checkLease: CheckLease): Promise<unknown> {
    return leaseChecks.run(checkLease, () => this.post(route, data));
  }

  /** Only a request that may have changed something can fail with an unknown outcome. */
  override async request(options: InternalRequest): Promise<unknown> {
    try {
      const answer = await super.request(options);
      if (!isReadable(answer, options)) throw new PostFailure('unknown', UNREADABLE);
      return answer;
    } catch (error) {
      if (options.method !== RequestMethod.Get) throw afterWrite(error);
      // A syntax error is a response that says that it is JSON, and is not.
      throw error instanceof SyntaxError ? new PostFailure('later', UNREADABLE, { cause: error }) : error;
    }
  }

  protected override onLimit(limit: RateLimitError): boolean {
    if (limit.method === RequestMethod.Patch && isRationed(limit)) return false;
    if (limit.global) {
      this.#departures.pause(limit.retryAfter);
      // Without the store, the other processes learn of it from their own requests.
      this.#pace?.pause(LINE, limit.retryAfter).catch(() => undefined);
    }
    return true;
  }
}

/** The answer of Discord, or undefined if that is an error with one of these codes. */
export async function ignoring<Result>(
  codes: readonly number[],
  asking: Promise<Result>,
): Promise<Result | undefined> {
  return asking.catch((error: unknown) => {
    if (codes.includes(codeOf(error) ?? 0)) return undefined;
    throw error;
  });
}

/**
 * Whether an answer shows that a write was done: Discord sends what was written, with its id, and nothing after a deletion.
 * A proxy's page says nothing about the request. What is read is checked where it is used.
 */
function isReadable(answer: unknown, { method, auth }: InternalRequest): boolean {
  // Without the bot's token, a request exchanges a token or answers a person, who asks again.
  if (auth === false) return true;
  if (method === RequestMethod.Delete) return answer instanceof ArrayBuffer && answer.byteLength === 0;
  return (method !== RequestMethod.Post && method !== RequestMethod.Patch) || v.is(WithId, answer);
}
