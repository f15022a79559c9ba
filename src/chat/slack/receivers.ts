import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App as BoltApp, type Receiver, type ReceiverEvent, SocketModeReceiver } from '@slack/bolt';
import * as v from 'valibot';
import { type Backoff, type Clock, doubling, MINUTE, pauseAfter } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { type HttpContext, makeRoutes, type Router, readBody } from '../../http/router.ts';
import type { SeenOnce } from '../door.ts';
import { boltLogger, readFailure, TOKEN_REFUSED } from './api.ts';
import { parseEvent, typeOf } from './events.ts';

/** Receives the type of a dropped event, and the error that was thrown. */
type Drop = (type: string, error?: unknown) => void;

type Body = ReceiverEvent['body'];
const Body = v.pipe(
  v.string(),
  v.parseJson(),
  v.custom<Body>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
);

export const EVENTS_PATH = '/slack/events';
/** Slack's largest payloads are views, of some tens of kilobytes. */
const MAX_BODY = 100 * 1024;

export interface HttpOptions {
  /** All secrets that are valid at the moment: two while they are changed. */
  readonly signingSecrets: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  readonly seen: SeenOnce;
  readonly drop: Drop;
}

/**
 * Receives Slack's requests over HTTP as a route of the program's own server. Bolt's receivers listen on a port
 * of their own, and its signature check takes one secret and accepts timestamps from the future.
 */
export class HttpReceiver implements Receiver {
  readonly routes: Router = makeRoutes();
  readonly #options: HttpOptions;
  #bolt: BoltApp | undefined;
  #isOpen = false;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.routes.post(EVENTS_PATH, (context) => this.#receive(context));
  }

  init(bolt: BoltApp): void {
    this.#bolt = bolt;
  }

  async start(): Promise<void> {
    this.#isOpen = true;
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
  }

  async #receive(context: HttpContext): Promise<Response> {
    const { signingSecrets, clock, drop } = this.#options;
    // Slack sends the event again, later or to another process.
    if (!this.#isOpen || this.#bolt === undefined) return context.body(null, 503);
    const raw = await readBody(context, MAX_BODY);
    const timestamp = context.req.header('x-slack-request-timestamp');
    const signature = context.req.header('x-slack-signature');
    const problem = signatureProblem({ timestamp, signature, body: raw }, signingSecrets, clock.now());
    if (problem !== undefined) {
      // Anybody may send such requests, and as many as they like.
      drop(`request that Slack did not sign (${problem})`);
      return context.body(null, 401);
    }
    const body = readRequest(raw.toString(), context.req.header('content-type') ?? '');
    if (body === undefined) return context.body(null, 400);
    if (body.type === 'url_verification') return context.json({ challenge: body.challenge });
    if (body.ssl_check !== undefined) return context.body(null, 200);
    const event = parseEvent(body);
    if (event === undefined) {
      drop(typeOf(body));
      // Slack would send an event again and again, and in the end no more events at all.
      return context.body(null, body.type === 'event_callback' ? 200 : 400);
    }
    if (await this.#isReplayed(body, Number(timestamp), signature)) return context.body(null, 200);
    // The response is the first acknowledgement; what was asked is answered after it.
    const response = Promise.withResolvers<Response>();
    const ack = async (content: unknown) => response.resolve(acknowledgement(context, content));
    this.#bolt.processEvent({ body, ack, customProperties: { event } }).then(
      // Nobody took it: it is a command or button of another version of the app.
      () => response.resolve(context.body(null, 404)),
      // Errors of listeners are caught before: it is Bolt that can't read the request.
      (error: unknown) => {
        drop(typeOf(body), error);
        response.resolve(context.body(null, 400));
      },
    );
    return response.promise;
  }

  /**
   * Whether this is a copy of a request that was processed: its signature is valid for five minutes. Events are
   * recognized by their ids, because Slack itself repeats them.
   */
  async #isReplayed(body: Body, timestamp: number, signature = ''): Promise<boolean> {
    if (body.type === 'event_callback' && typeof body.event_id === 'string') return false;
    const { seen, log } = this.#options;
    if (!(await seen.isRepeat(signature, (timestamp + FIVE_MINUTES + 1) * 1000))) return false;
    log.warn({ door: 'slack' }, 'a request came a second time; it was not processed again');
    return true;
  }
}

/** The object in a request, whose content is checked after that. */
function readRequest(raw: string, type: string): Body | undefined {
  const form: Body = type.startsWith('application/json')
    ? { payload: raw }
    : Object.fromEntries(new URLSearchParams(raw));
  if (form.payload === undefined) return form;
  const parsed = v.safeParse(Body, form.payload);
  return parsed.success ? parsed.output : undefined;
}

function acknowledgement(context: HttpContext, content: unknown): Response {
  if (content === undefined || content === '') return context.body(null, 200);
  return typeof content === 'string' ? context.text(content) : context.json(content);
}

/** Seconds that a signature is valid, before and after its timestamp. */
const FIVE_MINUTES = 5 * 60;

/** What is wrong with a request that should come from Slack. For logs, not for its sender. */
type SignatureProblem = 'headers' | 'timestamp' | 'signature';

interface SignedRequest {
  /** A header that was sent twice is joined with a comma, and refused. */
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  /** As it was received: a body that is parsed and written again has another signature. */
  readonly body: Buffer;
}

/**
 * Checks a request against every secret that is valid at the moment; there are two while they are changed.
 * Unlike Bolt's own check, it refuses timestamps from the future as well as old ones.
 *
 * @param now milliseconds since 1970
 * @returns undefined when Slack signed the request
 */
export function signatureProblem(
  { timestamp, signature, body }: SignedRequest,
  secrets: readonly string[],
  now: number,
): SignatureProblem | undefined {
  if (timestamp === undefined || signature === undefined) return 'headers';
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return 'headers';
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > FIVE_MINUTES) return 'timestamp';
  const given = Buffer.from(signature.slice(3), 'hex');
  // Every secret is tried, so that the time taken does not show which of them matches.
  const matches = secrets.map((secret) => {
    const hash = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();
    return timingSafeEqual(given, hash);
  });
  return matches.includes(true) ? undefined : 'signature';
}

/** Slack renews each connection every few hours; the other one takes the requests meanwhile. */
const CONNECTIONS = 2;
/** Milliseconds until one connection is renewed early: opened together, both would be renewed together. */
const RENEW_EARLY = 25 * MINUTE;
const TIMEOUT = 30_000;
/**
 * Milliseconds without a sign of the other side after which a connection is closed. With the library's 5,000, both would be
 * closed whenever this process had no processor for that long.
 */
const SILENCE = 15_000;
const RECONNECT: Backoff = { pauses: doubling(500, 30_000), jitter: 0 };
/** Milliseconds to wait for the end of the connections: a peer that does not respond never closes its side. */
const CLOSING = 2000;

type SocketClient = SocketModeReceiver['client'];

/**
 * Socket Mode with the clients of Bolt's receivers, but with reconnection of our own: the library waits five seconds
 * before it reconnects, and ends the process when that fails for good.
 */
export class SocketReceiver implements Receiver {
  readonly #log: Log;
  readonly #drop: Drop;
  readonly #clients: readonly SocketClient[];
  readonly #connected = new Set<SocketClient>();
  /** Of the last start: the door may be started again after a failure. */
  #stopping = new AbortController();
  #bolt: BoltApp | undefined;
  #running: Promise<void>[] = [];
  #renewal: NodeJS.Timeout | undefined;

  constructor(options: {
    readonly appToken: string;
    readonly apiUrl: string | undefined;
    readonly log: Log;
    readonly drop: Drop;
  }) {
    const { appToken, apiUrl, log, drop } = options;
    this.#log = log;
    this.#drop = drop;
    this.#clients = Array.from({ length: CONNECTIONS }, () => {
      const { client } = new SocketModeReceiver({
        appToken,
        autoReconnectEnabled: false,
        clientPingTimeout: SILENCE,
        logger: boltLogger(log),
        installerOptions: {
          clientOptions: {
            retryConfig: { retries: 0 },
            rejectRateLimitedCalls: true,
            timeout: TIMEOUT,
            slackApiUrl: apiUrl,
          },
        },
      });
      guardMessages(client, drop);
      // In place of the receiver's own listener, which would pass on unchecked messages.
      client.removeAllListeners('slack_event');
      client.on('slack_event', ({ body, ack }: Delivery) => this.#receive(body, ack));
      return client;
    });
  }

  init(bolt: BoltApp): void {
    this.#bolt = bolt;
  }

  /** Resolves with the first connection; rejects when Slack does not accept the token. */
  start(): Promise<void> {
    this.#stopping = new AbortController();
    return new Promise((resolve, reject) => {
      let isStarted = false;
      const onFirst = (error?: unknown) => {
        if (error === undefined) {
          isStarted = true;
          resolve();
        } else if (!isStarted) void this.stop().then(() => reject(error));
      };
      this.#running = this.#clients.map((client) => this.#keepConnected(client, onFirst));
      this.#renewal = setTimeout(() => void this.#clients.at(-1)?.disconnect(), RENEW_EARLY);
      this.#renewal.unref();
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#renewal);
    for (const client of this.#clients) void client.disconnect();
    await Promise.race([Promise.all(this.#running), sleep(CLOSING, undefined, { ref: false })]);
    this.#connected.clear();
  }

  trouble(): string | undefined {
    return this.#connected.size === 0 ? 'no connection to Slack' : undefined;
  }

  /** Never rejects. */
  async #receive(body: Body, ack: Delivery['ack']): Promise<void> {
    try {
      const event = parseEvent(body);
      if (event !== undefined)
        return await this.#bolt?.processEvent({ body, ack, customProperties: { event } });
      this.#drop(typeOf(body));
      // Slack would send an event again and again, and in the end no more events at all.
      if (typeOf(body) === 'event_callback') await ack();
    } catch (error) {
      this.#drop(typeOf(body), error);
    }
  }

  /** Connects again and again until `stop`. Calls `onFirst` with the outcome of the first attempt. */
  async #keepConnected(client: SocketClient, onFirst: (error?: unknown) => void): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await client.start();
        const closed = new Promise<void>((resolve) => client.once('disconnected', () => resolve()));
        failures = 0;
        this.#connected.add(client);
        onFirst();
        await closed;
        if (!signal.aborted) this.#log.info({ door: 'slack' }, 'socket closed, connecting again');
      } catch (error) {
        const failure = readFailure(error);
        if (failure.kind === 'refused' && TOKEN_REFUSED.has(failure.code)) onFirst(error);
        this.#log.warn({ door: 'slack', failure }, 'socket could not be opened');
        failures += 1;
      }
      this.#connected.delete(client);
      const pause = failures === 0 ? 0 : pauseAfter({ failures, random: Math.random }, RECONNECT);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }
}

/** The event that the client emits for a message of Slack. */
interface Delivery {
  readonly body: Body;
  readonly ack: (content?: unknown) => Promise<void>;
}

/** The parts of a message that the client reads without a check. */
export const SocketMessage = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant('type', [
    v.object({ type: v.picklist(['hello', 'disconnect']) }),
    v.object({
      type: v.picklist(['slash_commands', 'interactive', 'options']),
      envelope_id: v.string(),
      payload: v.record(v.string(), v.unknown()),
    }),
    v.object({
      type: v.literal('events_api'),
      envelope_id: v.string(),
      payload: v.looseObject({ event: v.looseObject({ type: v.string() }) }),
    }),
  ]),
);

/**
 * Keeps malformed messages of Slack from the client, whose handlers would reject without anybody to catch it,
 * and catches what they throw all the same. The client also emits each event under the name that Slack gave it,
 * which must not be one of its own names, such as `error`.
 */
function guardMessages(client: SocketClient, drop: Drop): void {
  const listeners = client.listeners('ws_message') as ((...given: unknown[]) => unknown)[];
  client.removeAllListeners('ws_message');
  client.on('ws_message', async (data: unknown, ...given: unknown[]) => {
    try {
      const text = typeof data === 'string' ? data : new TextDecoder().decode(data as Uint8Array);
      const { success, output } = v.safeParse(SocketMessage, text);
      if (!success) return drop('message');
      const name = output.type === 'events_api' ? output.payload.event.type : undefined;
      if (name !== undefined && (name === 'error' || client.listenerCount(name) > 0)) return drop('event');
      await Promise.all(listeners.map((listener) => listener(data, ...given)));
    } catch (error) {
      drop('ws_message', error);
    }
  });
}
