import { setTimeout as sleep } from 'node:timers/promises';
import { type App as BoltApp, type Receiver, SocketModeReceiver } from '@slack/bolt';
import * as v from 'valibot';
import { type Backoff, doubling, pauseAfter } from '../../../core/backoff.ts';
import { MINUTE } from '../../../core/clock.ts';
import type { Log } from '../../../core/log.ts';
import { boltLogger } from '../api/bolt-logger.ts';
import { readFailure } from '../api/errors.ts';
import { isWellFormed, kindOf } from './payloads.ts';

export interface SocketOptions {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly log: Log;
  readonly drop: Drop;
}

/** Slack renews each connection every few hours; the other one takes the requests meanwhile. */
const CONNECTIONS = 2;
/** Milliseconds until one connection is renewed early: opened together, both would be renewed together. */
const RENEW_EARLY = 25 * MINUTE;
const TIMEOUT = 30_000;
/**
 * Milliseconds without a sign of the other side after which a connection is closed. After the library's 5,000, both
 * would be closed whenever this process itself had no processor for as long.
 */
const SILENCE = 15_000;
const RECONNECT: Backoff = { pauses: doubling(500, 30_000), jitter: 0 };
/** Milliseconds to wait for the end of the connections: a peer that does not respond never closes its side. */
const CLOSING = 2000;
/** Errors of `apps.connections.open` that do not go away when it is called again. */
const PERMANENT_ERRORS = new Set([
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'not_allowed_token_type',
  'missing_scope',
]);

/**
 * Socket Mode with Bolt's receivers, but with reconnection of our own: the library waits five seconds before it
 * reconnects, and ends the process when that fails for good.
 */
export class SocketReceiver implements Receiver {
  readonly #log: Log;
  readonly #receivers: readonly SocketModeReceiver[];
  readonly #connected = new Set<SocketModeReceiver>();
  readonly #stopping = new AbortController();
  #running: Promise<void>[] = [];
  #renewal: NodeJS.Timeout | undefined;

  constructor(options: SocketOptions) {
    this.#log = options.log;
    this.#receivers = Array.from({ length: CONNECTIONS }, () => makeReceiver(options));
  }

  init(bolt: BoltApp): void {
    for (const receiver of this.#receivers) receiver.init(bolt);
  }

  /** Resolves with the first connection; rejects when Slack does not accept the token. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const onFirst = (error?: unknown) => (error === undefined ? resolve() : reject(error));
      this.#running = this.#receivers.map((receiver) => this.#keepConnected(receiver, onFirst));
      this.#renewal = setTimeout(() => void this.#receivers.at(-1)?.client.disconnect(), RENEW_EARLY);
      this.#renewal.unref();
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#renewal);
    for (const receiver of this.#receivers) void receiver.client.disconnect();
    await Promise.race([Promise.all(this.#running), sleep(CLOSING, undefined, { ref: false })]);
    this.#connected.clear();
  }

  trouble(): string | undefined {
    return this.#connected.size === 0 ? 'no connection to Slack' : undefined;
  }

  /** Connects again and again until `stop`. Calls `onFirst` with the outcome of the first attempt. */
  async #keepConnected(receiver: SocketModeReceiver, onFirst: (error?: unknown) => void): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await receiver.start();
        const closed = new Promise<void>((resolve) => receiver.client.once('disconnected', () => resolve()));
        failures = 0;
        this.#connected.add(receiver);
        onFirst();
        await closed;
        if (!signal.aborted) this.#log.info({ door: 'slack' }, 'socket closed, connecting again');
      } catch (error) {
        const failure = readFailure(error);
        if (failure.kind === 'refused' && PERMANENT_ERRORS.has(failure.code)) onFirst(error);
        this.#log.warn({ door: 'slack', failure }, 'socket could not be opened');
        failures += 1;
      }
      this.#connected.delete(receiver);
      const pause = failures === 0 ? 0 : pauseAfter({ failures, random: Math.random }, RECONNECT);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }
}

function makeReceiver({ appToken, apiUrl, log, drop }: SocketOptions): SocketModeReceiver {
  const receiver = new SocketModeReceiver({
    appToken,
    autoReconnectEnabled: false,
    clientPingTimeout: SILENCE,
    logger: boltLogger(log),
    installerOptions: {
      clientOptions: {
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: TIMEOUT,
        ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
      },
    },
  });
  guardSocket(receiver.client, drop);
  return receiver;
}

type Client = SocketModeReceiver['client'];
/** Receives the kind of a message that was dropped, and what was thrown. */
export type Drop = (kind: string, error?: unknown) => void;

/** What the library reads of a message without looking. */
export const Message = v.pipe(
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
 * Keeps malformed messages of Slack from the library, whose handlers would reject without anybody to catch it,
 * and catches what they throw all the same. The library also emits each event under the name that Slack gave it,
 * which must not be one of its own names, such as `error`.
 */
function guardSocket(client: Client, drop: Drop): void {
  catchIn(client, 'ws_message', drop, (data: unknown) => {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data as Uint8Array);
    const { success, output } = v.safeParse(Message, text);
    if (!success) return 'message';
    if (output.type !== 'events_api') return undefined;
    const name = output.payload.event.type;
    return name === 'error' || client.listenerCount(name) > 0 ? 'event' : undefined;
  });
  catchIn(client, 'slack_event', drop, (given) => {
    const { body, ack } = given as { readonly body: unknown; readonly ack: () => Promise<void> };
    if (isWellFormed(body)) return undefined;
    const kind = kindOf(body);
    // Slack would send an event again and again, and in the end no more events at all.
    if (kind === 'event_callback') ack().catch((error: unknown) => drop(kind, error));
    return kind;
  });
}

/** @param problemOf what is wrong with the arguments of an event, which is then not passed on */
function catchIn(
  client: Client,
  event: string,
  drop: Drop,
  problemOf: (first: unknown) => string | undefined,
): void {
  const listeners = client.listeners(event) as ((...given: unknown[]) => unknown)[];
  client.removeAllListeners(event);
  client.on(event, async (...given: unknown[]) => {
    try {
      const problem = problemOf(given[0]);
      if (problem !== undefined) return drop(problem);
      await Promise.all(listeners.map((listener) => listener(...given)));
    } catch (error) {
      drop(event, error);
    }
  });
}
