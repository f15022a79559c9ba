import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { ACK_MOST, type Ack, type EnvelopeKind, type Retry } from './delivery.ts';
import type { Json } from './world.ts';

/** The app's WebSocket connections in Socket Mode. */
export interface Sockets {
  readonly count: number;
  /** All there ever were. */
  readonly opened: number;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  send(kind: EnvelopeKind, payload: Json, retry?: Retry): Promise<Ack>;
  /** Any text, as a message that nobody waits for an answer to. */
  sendRaw(text: string): void;
  /** Politely, as Slack does every few hours; or cut off; or left open and deaf. */
  drop(how: 'refresh' | 'cut' | 'deaf'): void;
  /** Resolves once a connection is up. */
  connected(): Promise<void>;
  close(): void;
}

interface Waiting {
  readonly socket: WebSocket;
  settle(ack: Partial<Ack>): void;
}

const PING_EVERY = 5000;

export function makeSockets(app: string): Sockets {
  const server = new WebSocketServer({ noServer: true });
  const open = new Set<WebSocket>();
  const deaf = new Set<WebSocket>();
  const waiting = new Map<string, Waiting>();
  let welcome: (() => void)[] = [];
  let turn = 0;
  let opened = 0;

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

  return {
    get count() {
      return open.size;
    },

    get opened() {
      return opened;
    },

    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (upgraded) => server.emit('connection', upgraded, request));
    },

    send(kind, payload, retry) {
      const started = performance.now();
      return new Promise((resolve) => {
        const socket = [...open][turn++ % Math.max(1, open.size)];
        const finish = (rest: Partial<Ack>) =>
          resolve({
            problem: undefined,
            status: 0,
            body: undefined,
            noRetry: false,
            ...rest,
            milliseconds: performance.now() - started,
          });
        if (socket === undefined) return finish({ problem: 'dispatch_failed' });
        const id = randomUUID();
        const late = setTimeout(() => settle({ problem: 'operation_timeout' }), ACK_MOST);
        const settle = (rest: Partial<Ack>) => {
          clearTimeout(late);
          waiting.delete(id);
          finish(rest);
        };
        waiting.set(id, { socket, settle });
        if (deaf.has(socket)) return;
        const isEvent = kind === 'events_api';
        socket.send(
          JSON.stringify({
            envelope_id: id,
            type: kind,
            payload,
            accepts_response_payload: !isEvent,
            ...(isEvent && { retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? '' }),
          }),
        );
      });
    },

    sendRaw(text) {
      [...open][turn++ % Math.max(1, open.size)]?.send(text);
    },

    drop(how) {
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

    connected() {
      return open.size > 0 ? Promise.resolve() : new Promise((resolve) => welcome.push(resolve));
    },

    close() {
      welcome = [];
      for (const socket of open) socket.terminate();
      server.close();
    },
  };
}
