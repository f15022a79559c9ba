import { createHmac, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Json, Slack } from './world.ts';

export type EnvelopeKind = 'slash_commands' | 'interactive' | 'events_api';

/** How the app took a payload. */
export interface Ack {
  /** `operation_timeout` when it did not answer; `dispatch_failed` when it could not be reached or said no. */
  readonly problem: 'operation_timeout' | 'dispatch_failed' | undefined;
  readonly status: number;
  readonly body: Json | undefined;
}

export interface Retry {
  readonly number: number;
  readonly reason: string;
}

/**
 * Slack's own limit is three seconds, which a busy machine may take for its own reasons. That an acknowledgement waits for
 * no answer, tests show by holding the answer back.
 */
const ACK_MOST = 60_000;

export function deliver(
  slack: Slack,
  sockets: Sockets,
  kind: EnvelopeKind,
  payload: Json,
  retry?: Retry,
): Promise<Ack> {
  slack.delivered.push({ kind, payload });
  return slack.app.usesSocket ? sockets.send(kind, payload, retry) : postToApp(slack, kind, payload, retry);
}

function ackOf(rest: Partial<Ack>): Ack {
  return { problem: undefined, status: 0, body: undefined, ...rest };
}

async function postToApp(slack: Slack, kind: EnvelopeKind, payload: Json, retry?: Retry): Promise<Ack> {
  const body = bodyOf(kind, payload);
  if (slack.app.requestUrl === undefined) return ackOf({ problem: 'dispatch_failed' });
  try {
    const response = await fetch(slack.app.requestUrl, {
      method: 'POST',
      headers: {
        'content-type': kind === 'events_api' ? 'application/json' : 'application/x-www-form-urlencoded',
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        ...signatureHeaders(slack.app.signingSecret, body, slack.world.clock.now()),
        ...(retry && { 'x-slack-retry-num': String(retry.number), 'x-slack-retry-reason': retry.reason }),
      },
      body,
      signal: AbortSignal.timeout(ACK_MOST),
    });
    const text = await response.text();
    return ackOf({
      status: response.status,
      problem: response.ok ? undefined : 'dispatch_failed',
      body: answerOf(text, response.headers.get('content-type')),
    });
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return ackOf({ problem: isLate ? 'operation_timeout' : 'dispatch_failed' });
  }
}

function bodyOf(kind: EnvelopeKind, payload: Json): string {
  switch (kind) {
    case 'events_api':
      return JSON.stringify(payload);
    case 'interactive':
      return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    case 'slash_commands':
      return new URLSearchParams(payload).toString();
  }
}

function answerOf(text: string, type: string | null): Json | undefined {
  if (text === '') return undefined;
  return type?.startsWith('application/json') ? JSON.parse(text) : { text };
}

/** The headers Slack signs a request with. `at` in milliseconds. */
export function signatureHeaders(secret: string, body: string, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` };
}

export type Sockets = ReturnType<typeof makeSockets>;

interface Waiting {
  readonly socket: WebSocket;
  settle(ack: Partial<Ack>): void;
}

const PING_EVERY = 5000;

/** The app's WebSocket connections in Socket Mode. */
export function makeSockets(app: string) {
  const server = new WebSocketServer({ noServer: true });
  const open = new Set<WebSocket>();
  const deaf = new Set<WebSocket>();
  const waiting = new Map<string, Waiting>();
  let welcome: (() => void)[] = [];
  let turn = 0;
  let opened = 0;
  let last: Json = {};

  server.on('connection', (socket: WebSocket) => {
    open.add(socket);
    opened += 1;
    const pings = setInterval(() => socket.ping('Ping from applink'), PING_EVERY);
    socket.on('message', (data) => hear(JSON.parse(String(data)), socket));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(pings);
      open.delete(socket);
      for (const entry of waiting.values()) {
        if (entry.socket === socket) entry.settle({ problem: 'dispatch_failed' });
      }
    });
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open.size,
        debug_info: { host: 'applink-fake', build_number: 1, approximate_connection_time: 18_060 },
        connection_info: { app_id: app },
      }),
    );
    for (const notify of welcome.splice(0)) notify();
  });

  const hear = ({ envelope_id: id, payload }: Json, socket: WebSocket) => {
    if (deaf.has(socket)) return;
    const entry = waiting.get(id);
    if (entry === undefined) return;
    const isEmpty = payload === undefined || Object.keys(payload).length === 0;
    entry.settle({ status: 200, body: isEmpty ? undefined : payload });
  };

  const sendEnvelope = (envelope: Json): Promise<Ack> => {
    return new Promise((resolve) => {
      const socket = [...open][turn++ % Math.max(1, open.size)];
      if (socket === undefined) return resolve(ackOf({ problem: 'dispatch_failed' }));
      const id = envelope.envelope_id;
      const late = setTimeout(() => settle({ problem: 'operation_timeout' }), ACK_MOST);
      const settle = (rest: Partial<Ack>) => {
        clearTimeout(late);
        waiting.delete(id);
        resolve(ackOf(rest));
      };
      waiting.set(id, { socket, settle });
      if (!deaf.has(socket)) socket.send(JSON.stringify(envelope));
    });
  };

  return {
    get count() {
      return open.size;
    },

    /** All there ever were. */
    get opened() {
      return opened;
    },

    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      server.handleUpgrade(request, socket, head, (upgraded) => server.emit('connection', upgraded, request));
    },

    send(kind: EnvelopeKind, payload: Json, retry?: Retry) {
      const isEvent = kind === 'events_api';
      last = {
        envelope_id: randomUUID(),
        type: kind,
        payload,
        accepts_response_payload: !isEvent,
        ...(isEvent && { retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? '' }),
      };
      return sendEnvelope(last);
    },

    /** The last payload in the same envelope over another connection, as if its acknowledgement had been lost. */
    repeat: () => sendEnvelope(last),

    /** Any text, as a message that nobody waits for an answer to. */
    sendRaw(text: string) {
      [...open][turn++ % Math.max(1, open.size)]?.send(text);
    },

    /** Politely, as Slack does every few hours; or cut off; or left open and deaf. */
    drop(how: 'refresh' | 'cut' | 'deaf') {
      for (const socket of open) {
        if (how === 'refresh') {
          socket.send(
            JSON.stringify({
              type: 'disconnect',
              reason: 'refresh_requested',
              debug_info: { host: 'applink-fake' },
            }),
          );
        } else if (how === 'cut') socket.terminate();
        else deaf.add(socket);
      }
    },

    /** Resolves once a connection is up. */
    async connected() {
      if (open.size === 0) await new Promise<void>((resolve) => welcome.push(resolve));
    },

    close() {
      welcome = [];
      for (const socket of open) socket.terminate();
      server.close();
    },
  };
}
