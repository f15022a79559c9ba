import { AsyncLocalStorage } from 'node:async_hooks';
import {
  Client,
  type ClientOptions,
  RESTJSONErrorCodes as CODE,
  DefaultRestOptions,
  type InternalRequest,
  type RateLimitData,
  REST,
  RESTEvents,
  type RESTOptions,
  type RequestData,
  RequestMethod,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { DiscordConfig } from '../../config/config.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { atMost } from '../../core/turns.ts';
import { type Permit, PostFailure } from '../../dispatch/poster.ts';
import type { Store } from '../../store/store.ts';
import { afterWrite } from './errors.ts';

/** Discord's limit for a bot; the largest bots have a higher one. */
export const REQUESTS_PER_SECOND = 50;

/** Only the token is required. */
export type RestSettings = Pick<DiscordConfig, 'token'> &
  Partial<Pick<DiscordConfig, 'apiUrl' | 'requestsPerSecond'>>;

/**
 * Milliseconds. Requests that Discord wants later are left to the queue of the daily thread: it has room for some dozens of
 * posts at a time, and posts that wait for an hour would keep all others out. An answer is of no use by then, and a start
 * would wait for hours where the commands of a day are used up.
 */
const MAX_WAIT_MS = 20 * SECOND;

/**
 * Keeps its token and its timers. The library drops its token at the first 401 for as long as the process lives, and one
 * that came by mistake, from a proxy or in an outage, would silence the bot until its next start. A client that could not
 * log in ends the timers of its REST.
 */
export class BotRest extends REST {
  /** @param rejects refuses to wait until something may be requested again */
  constructor(
    { token, apiUrl }: RestSettings,
    guard?: InvalidRequestGuard,
    options?: Partial<RESTOptions>,
    rejects?: (limit: RateLimitData) => Promise<boolean>,
  ) {
    // What the library keeps for each route and interaction is swept every minute.
    super({
      handlerSweepInterval: MINUTE,
      ...(apiUrl !== undefined && { api: apiUrl }),
      ...options,
      // Without a time to wait, the library would request again at once, for ever.
      rejectOnRateLimit: async (limit) =>
        !(limit.retryAfter > 0 && limit.retryAfter <= MAX_WAIT_MS) || (await rejects?.(limit)) === true,
    });
    this.setToken(token);
    this.on(RESTEvents.Response, (_, response) => guard?.count(response));
  }

  override setToken(token: string | null): this {
    return token === null ? this : super.setToken(token);
  }

  override clearHashSweeper(): void {}

  override clearHandlerSweeper(): void {}

  /** Stops the library's timers, which would keep it from being forgotten. */
  close(): void {
    super.clearHashSweeper();
    super.clearHandlerSweeper();
  }
}

/** A client with this REST. Until it logs in, it is the manager of an application and of its commands. */
export function makeClient(rest: REST, options: Partial<ClientOptions> = {}): Client {
  // It makes a REST of its own first, which needs no timers.
  const unused = { hashSweepInterval: 0, handlerSweepInterval: 0 };
  const client = new Client({ intents: 0, ...options, rest: unused });
  client.rest = rest;
  return client;
}

/** The permit of the request that is under way. The library may hold it up for seconds before it sends it. */
const permits = new AsyncLocalStorage<Permit>();

/** A later edit is of no use. */
const MAX_EDIT_WAIT_MS = 5_000;
/** The library asks whether to wait right after a refusal, so only the latest refusals matter. */
const MAX_REMEMBERED_REFUSALS = 1_000;
const REFUSAL = v.object({ code: v.optional(v.number()) });

/**
 * For the daily thread: no retries, for a post whose outcome is unknown must be looked for before it is repeated. Edits that
 * Discord rations are given up: of messages older than an hour it takes only some each hour (30046), and the pause that it
 * advises is far too short. A client that follows this advice retries over and over, and each retry counts as an invalid
 * request.
 */
export class PostingRest extends BotRest {
  readonly #turn: (() => Promise<void>) | undefined;

  /** @param turn waits until all processes together may send one more request */
  constructor(settings: RestSettings, guard: InvalidRequestGuard, turn?: () => Promise<void>) {
    /** The code of the last refused edit by path, kept from the response until the library asks. */
    const refusedEdits = new LRUCache<string, Promise<number | undefined>>({ max: MAX_REMEMBERED_REFUSALS });
    super(
      settings,
      guard,
      {
        globalRequestsPerSecond: settings.requestsPerSecond ?? REQUESTS_PER_SECOND,
        retries: 0,
        makeRequest: async (...request) => {
          await permits.getStore()?.();
          return DefaultRestOptions.makeRequest(...request);
        },
      },
      async ({ global, method, url, retryAfter }) => {
        // The library would send all requests that wait for the limit of the whole bot at once, without taking turns.
        if (global && turn !== undefined) return true;
        if (method !== 'PATCH') return false;
        const [path] = /\/channels\/.*$/.exec(url) ?? [''];
        const code = await refusedEdits.get(path);
        refusedEdits.delete(path);
        return (
          code === CODE.MaximumNumberOfEditsToMessagesOlderThanOneHourReached || retryAfter > MAX_EDIT_WAIT_MS
        );
      },
    );
    this.#turn = turn;
    this.on(RESTEvents.Response, ({ method, path }, response) => {
      if (method !== 'PATCH' || response.status !== 429) return;
      const body = response.json().catch(() => undefined);
      refusedEdits.set(
        path,
        body.then((refusal) => (v.is(REFUSAL, refusal) ? refusal.code : undefined)),
      );
    });
  }

  /** Creates a message or a forum's post. The permit is asked for last, right before the request leaves. */
  create(route: `/${string}`, data: RequestData, permit: Permit): Promise<unknown> {
    return permits.run(permit, () => this.post(route, data));
  }

  /** Only a request that may have changed something can fail with an unknown outcome. */
  override async request(options: InternalRequest): Promise<unknown> {
    await this.#turn?.();
    try {
      return await super.request(options);
    } catch (error) {
      throw options.method === RequestMethod.Get ? error : afterWrite(error);
    }
  }
}

/** Discord bans an address for a while after 10,000 invalid requests within this time. */
const INVALID_REQUESTS_WINDOW_MS = 10 * MINUTE;

/** `needed`: a post depends on it. `optional`: everything else, such as looking ahead, flags, and private messages. */
export type Purpose = 'needed' | 'optional';
/**
 * Refused requests in a window after which no more are sent for a whole window: a tenth of Discord's limit. Optional
 * requests are stopped by all refusals, and their refusals stop no needed ones.
 */
const EVERYWHERE: Readonly<Record<Purpose, number>> = { needed: 1_000, optional: 500 };
/** A channel is suspended after it refuses a post: only a server that changes all the time reaches this many refusals. */
const IN_ONE_SERVER: Readonly<Record<Purpose, number>> = { needed: 20, optional: 10 };
const MAX_CACHED_SERVERS = 5_000;
const PAUSES = 'Discord refuses most requests: posting pauses for ten minutes';

/**
 * Discord counts for an address, so each refusal takes a place in a line of all processes, which moves as fast as a process
 * may be refused. Milliseconds until its end.
 */
type SharedLine = (purpose: Purpose, perSecond: number) => Promise<number>;

/** The parts of a response by which Discord counts it as invalid. */
interface CountedResponse {
  readonly status: number;
  readonly headers?: { get(name: string): string | null };
}

/**
 * Counts the requests that Discord counts as invalid, and pauses requests that can wait when there are too many: for one
 * server if they are about it, for the whole bot if they come from everywhere.
 */
export class InvalidRequestGuard {
  readonly #now: () => number;
  readonly #log: Log;
  readonly #shared: SharedLine | undefined;
  readonly #everywhere = {
    needed: new Refusals(EVERYWHERE.needed),
    optional: new Refusals(EVERYWHERE.optional),
  };
  readonly #servers = new LRUCache<string, Refusals>(atMost(2 * MAX_CACHED_SERVERS));
  readonly #context = new AsyncLocalStorage<{ readonly tenant: string; readonly purpose: Purpose }>();

  constructor(now: () => number, log: Log, shared?: SharedLine) {
    this.#now = now;
    this.#log = log;
    this.#shared = shared;
  }

  /** Runs requests that are about one server. */
  about<Result>(tenant: string, act: () => Result, purpose: Purpose = 'needed'): Result {
    return this.#context.run({ tenant, purpose }, act);
  }

  /** Counts a response as Discord does: 401, 403, and 429 unless other bots used up a shared limit. */
  count({ status, headers }: CountedResponse): void {
    if (status !== 401 && status !== 403 && status !== 429) return;
    if (status === 429 && headers?.get('x-ratelimit-scope') === 'shared') return;
    const now = this.#now();
    const { tenant, purpose = 'needed' } = this.#context.getStore() ?? {};
    this.#everywhere.optional.add(now);
    this.#share('optional');
    if (purpose === 'needed') {
      if (this.#everywhere.needed.add(now)) this.#log.error({ door: 'discord' }, PAUSES);
      this.#share('needed');
    }
    // A token that is refused, and a pace that is too high, are the bot's and not the server's.
    if (status !== 403 || tenant === undefined) return;
    this.#of(tenant, 'optional').add(now);
    if (purpose === 'needed' && this.#of(tenant, 'needed').add(now))
      this.#log.warn(
        { door: 'discord', tenant },
        'Discord refuses most requests about this server: posting there pauses for ten minutes',
      );
  }

  /** Without the store, each process keeps to its own count. */
  #share(purpose: Purpose): void {
    const line = this.#shared?.(purpose, EVERYWHERE[purpose] / (INVALID_REQUESTS_WINDOW_MS / SECOND));
    line?.then(
      (length) => {
        const mine = this.#everywhere[purpose];
        if (length < INVALID_REQUESTS_WINDOW_MS || mine.pausedUntil > this.#now()) return;
        mine.pausedUntil = this.#now() + INVALID_REQUESTS_WINDOW_MS;
        if (purpose === 'needed') this.#log.error({ door: 'discord' }, PAUSES);
      },
      () => undefined,
    );
  }

  /** Throws while nothing should be requested there for this purpose. */
  check(tenant: string, purpose: Purpose): void {
    const now = this.#now();
    const until = Math.max(this.#everywhere[purpose].pausedUntil, this.#of(tenant, purpose).pausedUntil);
    if (until > now)
      throw new PostFailure('later', 'too many requests were refused lately', { retryAfter: until - now });
  }

  #of(tenant: string, purpose: Purpose): Refusals {
    const key = `${purpose} ${tenant}`;
    const refusals = this.#servers.get(key) ?? new Refusals(IN_ONE_SERVER[purpose]);
    this.#servers.set(key, refusals);
    return refusals;
  }
}

/** The refusals of the last window, and the pause that too many of them led to. */
class Refusals {
  readonly #most: number;
  /** Oldest first. */
  #moments: number[] = [];
  pausedUntil = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether a pause begins with it. */
  add(now: number): boolean {
    if (this.pausedUntil > now) return false;
    this.#moments = [
      ...this.#moments.slice(1 - this.#most).filter((at) => at > now - INVALID_REQUESTS_WINDOW_MS),
      now,
    ];
    if (this.#moments.length < this.#most) return false;
    this.pausedUntil = now + INVALID_REQUESTS_WINDOW_MS;
    this.#moments = [];
    return true;
  }
}

/** Requests that get their turns by one query. */
const MAX_TURNS_PER_QUERY = 16;
/** After a longer hold-up of this process, all requests whose turn it was would go at once. */
const LATE_AFTER_MS = 100;

interface Waiting {
  readonly go: () => void;
  /** It has missed a turn already, and does not go to the end of the line again. */
  readonly hasMissed?: boolean;
}

/**
 * Gives requests their turns, one after the other.
 *
 * @param reserve takes the next places in the line of all processes: milliseconds until the end of the last of them
 */
export function makeTurns(
  reserve: (places: number) => Promise<number>,
  perSecond: number,
): () => Promise<void> {
  const waiting: Waiting[] = [];
  let isReserving = false;
  const wait = (one: Waiting) => {
    waiting.push(one);
    if (!isReserving) void serve();
  };
  const call = (one: Waiting, turn: number) => {
    if (performance.now() < turn + LATE_AFTER_MS || one.hasMissed) one.go();
    else wait({ ...one, hasMissed: true });
  };
  const serve = async () => {
    isReserving = true;
    while (waiting.length > 0) {
      const some = waiting.splice(0, MAX_TURNS_PER_QUERY);
      // Without the store, each process keeps to the limit by itself, as its library does anyway.
      const ahead = await reserve(some.length).catch(() => 0);
      const now = performance.now();
      for (const [index, one] of some.entries()) {
        const left = Math.max(0, ahead - ((some.length - index) * SECOND) / perSecond);
        setTimeout(() => call(one, now + left), left);
      }
    }
    isReserving = false;
  };
  return () => new Promise((resolve) => wait({ go: resolve }));
}

/** Conversations that are opened in a second. Discord names no limit, but it has one, and thousands are reminded at eight. */
const CONVERSATIONS_PER_SECOND = 5;
/** How many need not wait for that. */
const CONVERSATION_BURST = 25;
const CONVERSATION_PAUSE_MS = 10 * MINUTE;
const OPENED = 'discord conversations';
/** Posts that were too many. They come back one after the other, in any process. */
const WAITING = 'discord conversations waiting';

type Pace = Pick<Store['pace'], 'reserve' | 'reserveUpTo'>;

/**
 * Takes a turn to open a private conversation, in the line of all processes. A post that has to wait is tried again at its
 * turn, and holds up no other.
 *
 * @throws PostFailure where a message has to wait
 */
export async function takePrivately(pace: Pace): Promise<void> {
  if (await pace.reserveUpTo(CONVERSATION_BURST, OPENED, CONVERSATIONS_PER_SECOND)) return;
  const wait = await pace.reserve(WAITING, 1, CONVERSATIONS_PER_SECOND);
  throw new PostFailure('later', 'too many private messages at once', { retryAfter: Math.ceil(wait) });
}

/** After Discord said that it was too fast. */
export async function pausePrivately(pace: Pace): Promise<void> {
  const places = (CONVERSATION_PAUSE_MS / SECOND) * CONVERSATIONS_PER_SECOND;
  for (const line of [OPENED, WAITING]) await pace.reserve(line, places, CONVERSATIONS_PER_SECOND);
}
