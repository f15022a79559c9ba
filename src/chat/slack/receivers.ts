import { setTimeout as sleep } from 'node:timers/promises';
import {
  type App as BoltApp,
  isValidSlackRequest,
  type Receiver,
  type ReceiverEvent,
  SocketModeReceiver,
} from '@slack/bolt';
import * as v from 'valibot';
import { type Backoff, type Clock, doubling, pauseAfter } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { readBody } from '../../http/body.ts';
import { type HttpContext, makeRoutes, type Router } from '../../http/router.ts';
import type { DropEvent } from '../door.ts';
import { Outage } from '../outage.ts';
import { boltLogger, clientOptions } from './api.ts';
import { type Failure, readFailure, refusalOf, START_ENDING_CODES } from './errors.ts';
import { kindOf } from './events.ts';
import { EVENTS_PATH } from './manifest.ts';

type Body = ReceiverEvent['body'];
const Body = v.pipe(v.string(), v.parseJson(), v.looseObject({}));

/** A shortcut comes with its message: up to 40,000 characters, as text and again as blocks, of up to nine bytes each in a URL. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface HttpOptions {
  /** All secrets that are valid at the moment: two while they are changed. */
  readonly signingSecrets: readonly string[];
  readonly clock: Clock;
  readonly drop: DropEvent;
}

/**
 * Receives Slack's requests as a route of the program's own server. Bolt's HTTPReceiver listens on a port of its own, reads
 * a body before it looks at the headers, knows one secret, and accepts timestamps from the future.
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
    // Slack sends the request again, later or to another process.
    if (!this.#isOpen || this.#bolt === undefined) return context.body(null, 503);
    const refuse = (reason: string) => {
      drop(`request that Slack did not sign (${reason})`);
      return context.body(null, 401);
    };
    const timestamp = context.req.header('x-slack-request-timestamp');
    const signature = context.req.header('x-slack-signature');
    const signed = { timestamp, signature };
    const problem = headersProblem(signed, clock.now());
    if (problem !== undefined) return refuse(problem);
    const text = (await readBody(context, MAX_BODY_BYTES)).toString();
    if (!isSignedBy(signingSecrets, { ...signed, body: text }, clock.now())) {
      drop('a request does not fit SLACK_SIGNING_SECRET');
      return context.body(null, 401);
    }
    const body = readRequest(text, context.req.header('content-type') ?? '');
    if (body?.type === 'url_verification') return context.json({ challenge: body.challenge });
    if (body?.ssl_check !== undefined) return context.body(null, 200);
    if (body === undefined) return context.body(null, 400);
    // The response is the first acknowledgement; what was asked is answered after it.
    const response = Promise.withResolvers<Response>();
    const ack = async (content?: object) =>
      response.resolve(content === undefined ? context.body(null, 200) : context.json(content));
    this.#bolt
      .processEvent({ body, ack, customProperties: { requestId: signature } })
      .catch((error: unknown) => drop(kindOf(body), error))
      // Nobody took it: it is malformed, or a command of another version of the app.
      .finally(() => response.resolve(context.body(null, 400)));
    return response.promise;
  }
}

/** The object in the body of a request; its content is not checked yet. */
function readRequest(text: string, type: string): Body | undefined {
  const form: Body = type.startsWith('application/json')
    ? { payload: text }
    : Object.fromEntries(new URLSearchParams(text));
  if (form.payload === undefined) return form;
  const parsed = v.safeParse(Body, form.payload);
  return parsed.success ? parsed.output : undefined;
}

/** Seconds that a signature is valid, before and after its timestamp. */
const SIGNATURE_VALID_SECONDS = 5 * 60;

interface SignatureHeaders {
  /** A header that was sent twice is joined with a comma, and refused. */
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/**
 * What is wrong with the headers of a request that should come from Slack, before any of its body is read. For logs, not
 * for its sender.
 *
 * @param now milliseconds since 1970
 */
export function headersProblem(
  { timestamp = '', signature = '' }: SignatureHeaders,
  now: number,
): 'headers' | 'timestamp' | undefined {
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return 'headers';
  const age = Math.floor(now / 1000) - Number(timestamp);
  return Math.abs(age) > SIGNATURE_VALID_SECONDS ? 'timestamp' : undefined;
}

/** Whether one of the secrets that are valid at the moment made the signature. */
export function isSignedBy(
  secrets: readonly string[],
  { timestamp, signature = '', body }: SignatureHeaders & { readonly body: string },
  now: number,
): boolean {
  const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) };
  const request = { body, headers, nowMilliseconds: now };
  return secrets.some((signingSecret) => isValidSlackRequest({ signingSecret, ...request }));
}

/** Slack renews each connection every few hours; the other one takes the requests meanwhile. */
const SOCKET_CONNECTIONS = 2;
/**
 * Milliseconds without a sign of the other side after which a connection is closed. With the library's 5,000, both would be
 * closed whenever this process had no processor for that long.
 */
const SILENCE_TIMEOUT_MS = 15_000;
const RECONNECT: Backoff = { pauses: doubling(500, 30_000), jitter: 0 };
/** Milliseconds: a connection that breaks sooner counts as one that could not be opened. */
const STABLE_AFTER_MS = 10_000;
/** Milliseconds for which a connection that is to be closed still takes requests, once the next one is open. */
const DRAIN_MS = 10_000;
/** Milliseconds to wait for the end of the connections: a peer that does not respond never closes its side. */
const CLOSE_TIMEOUT_MS = 2000;

export interface SocketOptions {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly log: Log;
  readonly drop: DropEvent;
}

/**
 * Socket Mode by Bolt's receivers, one for each connection. Opening, renewing and reopening them is ours: the library closes a
 * connection as soon as Slack announces its end, and so loses the requests that would still come over it. It also waits five
 * seconds before it reconnects, and ends the process when that fails for good.
 */
export class SocketReceiver implements Receiver {
  readonly #options: SocketOptions;
  readonly #open = new Set<Connection>();
  /** Belongs to the latest start: the door may be started again after a failure. */
  #stopping = new AbortController();
  #bolt: BoltApp | undefined;
  readonly #outage: Outage;
  #running: Promise<void>[] = [];

  constructor(options: SocketOptions) {
    this.#options = options;
    const effect = 'commands are not answered, daily threads are still posted';
    this.#outage = new Outage({ door: 'slack', log: options.log, what: 'Slack’s Socket Mode', effect });
  }

  init(bolt: BoltApp): void {
    this.#bolt = bolt;
  }

  /** Resolves with the first connection; rejects when Slack does not accept the token. */
  start(): Promise<void> {
    this.#stopping = new AbortController();
    const first = Promise.withResolvers<void>();
    this.#running = Array.from({ length: SOCKET_CONNECTIONS }, () => this.#keepConnected(first));
    return first.promise.catch(async (error: unknown) => {
      await this.stop();
      throw error;
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#outage.cancel();
    const closed = [...this.#open].map((connection) => connection.close());
    const ended = Promise.all([...closed, ...this.#running]);
    await Promise.race([ended, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    this.#open.clear();
  }

  trouble(): string | undefined {
    return this.#open.size > 0 ? undefined : 'no connection to Slack';
  }

  /** Keeps one connection open until `stop`. */
  async #keepConnected(first: PromiseWithResolvers<void>): Promise<void> {
    const { signal } = this.#stopping;
    const { log } = this.#options;
    let last: Connection | undefined;
    let failures = 0;
    while (!signal.aborted) {
      let pause = 0;
      try {
        const connection = await connect(this.#options, this.#bolt!);
        if (signal.aborted) return void connection.close();
        this.#add(connection, signal);
        first.resolve();
        const openedAt = performance.now();
        if (last !== undefined) void closeLater(last, signal);
        last = connection;
        const cause = await Promise.race([connection.announced, connection.closed]);
        // Without a cause, Slack only renews it. With one, there may be too many connections, and reopening at once would add more.
        const isStable = cause === undefined || performance.now() - openedAt >= STABLE_AFTER_MS;
        failures = isStable ? 0 : failures + 1;
        if (!isStable) pause = pauseAfter({ failures, random: Math.random }, RECONNECT);
        if (!signal.aborted) log.info({ door: 'slack', cause, pause }, 'socket closed, connecting again');
      } catch (error) {
        if (START_ENDING_CODES.has(refusalOf(error))) first.reject(error);
        failures += 1;
        const failure = readFailure(error);
        const retryAfter = failure.kind === 'limited' ? failure.retryAfter : 0;
        pause = pauseAfter({ failures, random: Math.random, retryAfter }, RECONNECT);
        if (!signal.aborted) this.#reportFailedOpening(failure, failures, pause);
      }
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  /** Counts a connection as open until it is closed. */
  #add(connection: Connection, signal: AbortSignal): void {
    this.#open.add(connection);
    this.#outage.end();
    void connection.closed.then((cause) => {
      this.#open.delete(connection);
      if (this.#open.size === 0 && !signal.aborted)
        this.#outage.begin(`The last connection ended: ${cause}.`);
    });
  }

  #reportFailedOpening(failure: Failure, failures: number, pause: number): void {
    let why: string = failure.kind;
    if (failure.kind === 'refused') why = failure.code;
    else if (failure.kind !== 'limited') why = failure.details;
    if (this.#open.size === 0) this.#outage.begin(`A connection could not be opened: ${why}.`);
    // An operator reads of the first failure, and of an outage when no connection is left.
    const level = failures === 1 ? 'warn' : 'debug';
    this.#options.log[level]({ door: 'slack', failure, pause }, 'socket could not be opened');
  }
}

/** One open connection of Socket Mode. */
type Connection = Awaited<ReturnType<typeof connect>>;

async function connect({ appToken, apiUrl, log, drop }: SocketOptions, bolt: BoltApp) {
  const receiver = new SocketModeReceiver({
    appToken,
    autoReconnectEnabled: false,
    clientPingTimeout: SILENCE_TIMEOUT_MS,
    logger: boltLogger(log),
    installerOptions: { clientOptions: clientOptions(log, apiUrl) },
    customPropertiesExtractor: ({ envelope_id: requestId }) => ({ requestId, isSocket: true }),
    async processEventErrorHandler({ error, event }) {
      drop(kindOf(event.body), error);
      // Acknowledged, since Slack repeats it otherwise.
      return true;
    },
  });
  receiver.init(bolt);
  const { client } = receiver;
  let cause = 'the connection was closed';
  client.on('error', ({ message }: Error) => {
    cause = message || cause;
  });
  /** Resolves when requests no longer come over it, with the reason. */
  const closed = new Promise<string>((resolve) => client.once('disconnected', () => resolve(cause)));
  const announced = hideAnnouncement(client, drop);
  await client.start().catch((error: unknown) => {
    // The library rejects with nothing when the connection breaks before it is up.
    throw error ?? new Error(cause);
  });
  const close = () => {
    void client.disconnect();
    return closed;
  };
  return { announced, closed, close };
}

/** Closes a connection after it has taken what Slack has already sent. */
async function closeLater(connection: Connection, signal: AbortSignal): Promise<void> {
  await sleep(DRAIN_MS, undefined, { signal, ref: false }).catch(() => {});
  await connection.close();
}

const RENEWAL_REASONS = ['warning', 'refresh_requested'];
const Announcement = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ type: v.literal('disconnect'), reason: v.optional(v.string(), 'warning') }),
);

/**
 * Resolves when Slack announces the end, so that another connection has to take its place: with the reason, unless it is only
 * renewed. Hides this from the client, which would close the connection at once.
 */
function hideAnnouncement(
  client: SocketModeReceiver['client'],
  drop: DropEvent,
): Promise<string | undefined> {
  const announced = Promise.withResolvers<string | undefined>();
  const listeners = client.listeners('ws_message') as ((...given: unknown[]) => unknown)[];
  client.removeAllListeners('ws_message');
  client.on('ws_message', async (...given: unknown[]) => {
    const { success, output } = v.safeParse(Announcement, given[0]);
    if (success)
      return announced.resolve(RENEWAL_REASONS.includes(output.reason) ? undefined : output.reason);
    // Nobody else would catch what its handler rejects with.
    await Promise.all(listeners.map((listener) => listener(...given))).catch((error: unknown) =>
      drop('ws_message', error),
    );
  });
  return announced.promise;
}
