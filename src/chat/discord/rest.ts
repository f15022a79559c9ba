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
  type ResponseLike,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { DiscordConfig } from '../../config/config.ts';
import { ClockJumps, MINUTE, SECOND, timeoutAwake } from '../../core/clock.ts';
import { expiring } from '../../core/concurrency.ts';
import type { App } from '../../dispatch/contract.ts';
import { type CheckLease, PostFailure } from '../../dispatch/poster.ts';
import type { Store } from '../../store/store.ts';
import { afterWrite, codeOf, UNREADABLE } from './errors.ts';
import { WithId } from './interaction.ts';

/** The share of the limit that is used: at exactly its pace, requests pile up where some arrive late, and are refused. */
const RATE_LIMIT_SHARE = 0.96;

/** Turns and limits that processes on several machines share in the store. */
type Pace = Store['pace'];

/** The settings of requests; only the token is required. */
export type RestSettings = Pick<DiscordConfig, 'token'> &
  Partial<Pick<DiscordConfig, 'apiUrl' | 'requestsPerSecond'>>;

/**
 * The longest pause, in milliseconds, that a request waits out by itself. If Discord asks for a longer one, the request fails,
 * and the delivery queue retries a post: it works on some dozens of posts at a time, and posts that wait for an hour would
 * block all others. Answers are useless by then, and a start would wait for hours if the day's limit on registering commands
 * is used up.
 */
const MAX_WAIT_MS = 20 * SECOND;

/** Also without a time to wait: the library would retry at once, in an endless loop. */
function isTooLong({ retryAfter }: Pick<RateLimitData, 'retryAfter'>): boolean {
  return !(retryAfter > 0 && retryAfter <= MAX_WAIT_MS);
}

/**
 * Keeps its token after a 401. discord.js drops it for the rest of the process, so a single 401 from a proxy or an outage
 * would silence the bot until its next start.
 */
export class BotRest extends REST {
  readonly #clock = new ClockJumps({ now: Date.now }, () => performance.now());
  /** How often the clock was set. */
  #jumps = 0;

  constructor({ token, apiUrl }: RestSettings, guard?: InvalidRequestGuard, options?: Partial<RESTOptions>) {
    super({
      // The library keeps state for each route and interaction; it is deleted every minute.
      handlerSweepInterval: MINUTE,
      // Answers to interactions do not count among a bot's requests per second, and `PostingRest` keeps to them by itself.
      globalRequestsPerSecond: Number.POSITIVE_INFINITY,
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
   * Waits out limits here. In the library, a request that was refused although its route had some left (`scope` shared, or a
   * limit of its own) can hold up the others of its channel for ever. What a limit refused was not done.
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
        if (jumps !== this.#jumps) continue;
        waited += error.retryAfter;
        if (isTooLong(error) || waited > MAX_WAIT_MS || !this.waitsFor(error)) throw error;
        await sleep(error.retryAfter);
      }
    }
  }

  /** Whether a request waits until this limit ends. */
  protected waitsFor(_limit: RateLimitError): boolean {
    return true;
  }

  /**
   * Forgets all limits when the clock was set. The library keeps the moments at which they end by the wall clock, so after a
   * clock that was ahead nothing would be sent until it gets there again. A limit that still holds is learned from one 429.
   */
  #startAnewAfterJump(): void {
    if (this.#clock.take() === 0) return;
    this.#jumps += 1;
    this.handlers.clear();
    this.hashes.clear();
    this.globalDelay = null;
    this.globalRemaining = Math.max(1, this.options.globalRequestsPerSecond);
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
  // It makes a REST of its own first, which needs no timers.
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
 * Whether an edit fails at once instead of waiting. Besides the limit of their route, edits have one of their own (30046),
 * which the library calls a sublimit.
 */
function isRationed({ scope, sublimitTimeout, retryAfter }: RateLimitError): boolean {
  return (scope === 'user' && sublimitTimeout > 0) || retryAfter > MAX_EDIT_WAIT_MS;
}

/** The line of all requests of a bot. */
const LINE = 'discord';

/** Lets requests of this process leave evenly, by a clock that nobody can set. A pause for one is a pause for all. */
class Departures {
  readonly #interval: number;
  #last = Promise.resolve();
  /** When the next one may leave. */
  #next = 0;

  constructor(perSecond: number) {
    this.#interval = SECOND / perSecond;
  }

  /** Resolves when it is the caller's turn. */
  turn(): Promise<void> {
    this.#last = this.#last.then(async () => {
      for (let left = this.#next - performance.now(); left > 0; left = this.#next - performance.now())
        await new Promise((resolve) => setTimeout(resolve, left));
      // A late one lets at most one more leave early: otherwise, a busy moment would end with many at once.
      this.#next = Math.max(this.#next, performance.now() - this.#interval) + this.#interval;
    });
    return this.#last;
  }

  pause(milliseconds: number): void {
    this.#next = Math.max(this.#next, performance.now() + milliseconds);
  }
}

/**
 * Requests of the daily thread. They are never retried: a post whose outcome is unknown must be looked for before it is
 * repeated. Edits beyond a limit of Discord's fail at once: it takes only some each hour of messages older than an hour
 * (30046), and the pause that it advises is far too short. A client that follows this advice retries over and over, and each
 * retry counts as an invalid request.
 *
 * They leave evenly, below the limit of the whole bot. The library would send all that a second allows at its beginning, which
 * Discord's sliding second refuses, and all that wait for a pause at the pause's end.
 */
export class PostingRest extends BotRest {
  readonly guard: InvalidRequestGuard;
  readonly requestsPerSecond: number;
  readonly #pace: Pace | undefined;
  readonly #departures: Departures;

  /** @param pace of all processes together; undefined where each keeps to the limit on its own */
  constructor(settings: RestSettings, guard: InvalidRequestGuard, pace?: Pace) {
    super(settings, guard, {
      retries: 0,
      makeRequest: async (url, request) => {
        const perSecond = this.requestsPerSecond * RATE_LIMIT_SHARE;
        if (pace !== undefined) await waitForTurn(() => pace.reserve(LINE, 1, perSecond), perSecond);
        await this.#departures.turn();
        await leaseChecks.getStore()?.();
        const signal = timeoutAwake(this.options.timeout);
        return DefaultRestOptions.makeRequest(url, { ...request, signal });
      },
    });
    this.guard = guard;
    this.requestsPerSecond = settings.requestsPerSecond ?? DefaultRestOptions.globalRequestsPerSecond;
    this.#pace = pace;
    this.#departures = new Departures(this.requestsPerSecond * RATE_LIMIT_SHARE);
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
      // Only a response that is no JSON, although it says so.
      throw error instanceof SyntaxError ? new PostFailure('later', UNREADABLE, { cause: error }) : error;
    }
  }

  protected override waitsFor(limit: RateLimitError): boolean {
    if (limit.method === RequestMethod.Patch && isRationed(limit)) return false;
    if (limit.global) {
      this.#departures.pause(limit.retryAfter);
      // Without the store, the other processes learn of it from their own requests.
      this.#pace?.pause(LINE, limit.retryAfter).catch(() => undefined);
    }
    return true;
  }
}

/** Resolves to undefined where Discord answers with one of these error codes. */
export async function unless<Result>(
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
  // Without the bot's token, nothing is written: a token is exchanged.
  if (auth === false) return true;
  if (method === RequestMethod.Delete) return answer instanceof ArrayBuffer && answer.byteLength === 0;
  return (method !== RequestMethod.Post && method !== RequestMethod.Patch) || v.is(WithId, answer);
}

/** Discord bans an address for a while after 10,000 invalid requests within this time. */
const INVALID_REQUESTS_WINDOW_MS = 10 * MINUTE;

/** `needed`: a post depends on it. `optional`: everything else, such as permissions, names, archiving and private messages. */
export type Purpose = 'needed' | 'optional';
/**
 * Refused requests in a window after which no more are sent. Optional ones stop at half of it. A tenth of Discord's limit,
 * which counts all processes of an address.
 */
const MAX_REFUSALS = 1_000;
/** Nothing more is posted in a channel that refused a post, so only a server whose permissions keep changing gets this many. */
const MAX_REFUSALS_PER_SERVER = 20;
const MAX_CACHED_SERVERS = 10_000;
/** The key of the refusals of all servers together. */
const ALL = '';

/**
 * Counts the requests that Discord counts as invalid, and pauses requests that can wait when there are too many: for one
 * server if they are about it, for the whole bot if they come from everywhere. The library counts all of a process together.
 */
export class InvalidRequestGuard {
  readonly #log: App['log'];
  /** Refusals by tenant. They expire ten minutes after the first. */
  readonly #refused: LRUCache<string, number>;
  readonly #tenant = new AsyncLocalStorage<string | undefined>();

  constructor({ clock, log }: Pick<App, 'clock' | 'log'>) {
    this.#log = log;
    // An entry lives for one millisecond longer than its ttl.
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

/** A process that was blocked for longer waits for another turn; otherwise all its overdue requests would be sent at once. */
const LATE_AFTER_MS = 100;

/**
 * Waits for a turn among the requests of all processes, and for another one after a turn that was missed.
 *
 * @param reserve reserves the next turn; resolves to the milliseconds until its end
 */
export async function waitForTurn(reserve: () => Promise<number>, perSecond: number): Promise<void> {
  for (let turns = 0; turns < 2; turns++) {
    // Each process keeps to the limit on its own if the store fails, as discord.js does anyway.
    const end = await reserve().catch(() => 0);
    const left = Math.max(0, end - SECOND / perSecond);
    const turn = performance.now() + left;
    await new Promise((resolve) => setTimeout(resolve, left));
    if (performance.now() < turn + LATE_AFTER_MS) return;
  }
}

/** Discord does not document its limit, and thousands of reminders are due at eight. */
const CONVERSATIONS_PER_SECOND = 5;
/** Conversations that may be opened without waiting. */
const CONVERSATION_BURST = 25;
const CONVERSATION_PAUSE_MS = 10 * MINUTE;
const CONVERSATION_LINE = 'discord conversations';
/** The queue of posts beyond the burst. They are retried one at a time, by any process. */
const WAITING_LINE = 'discord conversations waiting';

/**
 * Reserves the opening of a private conversation, among those of all processes. A post that has to wait is retried at its
 * turn, and holds up no other.
 *
 * @throws PostFailure where a message has to wait
 */
export async function reserveConversation(pace: Pace): Promise<void> {
  if (await pace.reserveUpTo(CONVERSATION_BURST, CONVERSATION_LINE, CONVERSATIONS_PER_SECOND)) return;
  const wait = await pace.reserve(WAITING_LINE, 1, CONVERSATIONS_PER_SECOND);
  throw new PostFailure('later', 'too many private messages at once', { retryAfter: Math.ceil(wait) });
}

/** Pauses both queues after Discord said that conversations were opened too fast. */
export async function pauseConversations(pace: Pace): Promise<void> {
  for (const line of [CONVERSATION_LINE, WAITING_LINE]) await pace.pause(line, CONVERSATION_PAUSE_MS);
}
