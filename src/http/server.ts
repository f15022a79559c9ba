import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { errorCode, StartError } from '../core/errors.ts';
import type { Router } from './router.ts';

export interface HttpServerOptions {
  readonly router: Router;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The settings that chose host and port, for the message when they can't be opened. */
  readonly settings?: string;
  readonly limits?: Partial<typeof HTTP_LIMITS>;
}

/**
 * Limits on connections, half-sent headers and slow bodies, in milliseconds and counts. An ordinary request takes
 * milliseconds; a client that sends a byte now and then only occupies a connection. When the maximum is reached, the
 * connection that has waited longest for its client makes room for a new one.
 */
export const HTTP_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep idle connections, mostly 60 s: if the server closed one first, a proxy might just be using it
  // again.
  keepAliveTimeout: 65_000,
  /** Time for slow clients when the server stops: the whole process has less than ten seconds then. */
  stopTimeout: 2_000,
  maxHeadersCount: 100,
  maxConnections: 1_000,
  /**
   * Requests of one connection that are not answered yet. Browsers and proxies send one after the other; a few may overlap,
   * since the next one can arrive before Node reports that the last answer is out.
   */
  maxUnanswered: 8,
  /** How long an answer may take before its connection can make room for a new one. The platforms wait three seconds. */
  answerTimeout: 5_000,
};

/** One port with a router behind it: `PORT` with health, metrics and Slack, or `WEB_PORT` with the local chat. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #stopTimeout: number;
  #isStopping = false;
  /** Kept for requests that are answered while the server stops, when it has no address any more. */
  #port = 0;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { maxHeadersCount, maxConnections, maxUnanswered, answerTimeout, stopTimeout, ...timeouts } = {
      ...HTTP_LIMITS,
      ...options.limits,
    };
    const listener = getRequestListener(options.router.fetch, {
      // A probe over HTTP/1.0 may leave the Host header out.
      hostname: 'localhost',
      // discord.js and Slack's client rely on Node's own Request and Response.
      overrideGlobalObjects: false,
    });
    this.#server = createServer(timeouts, (request: IncomingMessage, response: ServerResponse) => {
      if (!this.#connections.admit(request, response)) return;
      response.once('close', () => {
        // A client that keeps its connection alive for later requests would delay the stop.
        if (this.#isStopping) setImmediate(() => this.#connections.closeIdle());
      });
      void listener(request, response);
    });
    this.#server.maxHeadersCount = maxHeadersCount;
    this.#connections = new Connections(this.#server, { maxConnections, maxUnanswered, answerTimeout });
    // Called by `close`, too. Node's own function cuts answers off that are complete here and not yet sent.
    this.#server.closeIdleConnections = () => this.#connections.closeIdle();
    this.#stopTimeout = stopTimeout;
  }

  /** @throws StartError that says why the port can't be opened. */
  start(): Promise<void> {
    const { host, port, settings = `HOST ${host} and PORT ${port}` } = this.#options;
    return new Promise((resolve, reject) => {
      const onError = (error: Error) => {
        const reason = LISTEN_ERRORS[errorCode(error) ?? ''] ?? error.message;
        reject(new StartError(`${settings} can't be opened: ${reason}.`, { cause: error }));
      };
      this.#server.once('error', onError);
      this.#server.listen(port, host, () => {
        this.#server.off('error', onError);
        this.#port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  /** Accepts no new connection; resolves when all open requests are answered. */
  stop(): Promise<void> {
    this.#isStopping = true;
    return new Promise((resolve) => {
      // Node no longer looks for slow requests once the server closes.
      const late = setTimeout(() => this.#connections.closeSlow(), this.#stopTimeout);
      this.#server.close(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  /** Only after `start`. */
  get port(): number {
    return this.#port;
  }
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there already',
  EACCES: 'this user may not listen there; ports below 1024 need more rights',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine has no such address',
};

type ConnectionLimits = Pick<typeof HTTP_LIMITS, 'maxConnections' | 'maxUnanswered' | 'answerTimeout'>;

interface Connection {
  unanswered: number;
  /** When the answer to its oldest unanswered request was begun, by the monotonic clock. */
  busySince: number;
  latest: IncomingMessage | undefined;
  /** Bytes of its client up to the last answer. */
  read: number;
}

/**
 * Limits the connections of a server so that somebody who opens thousands of them keeps nobody else out. When there are too
 * many, it closes the first of these: the connection that has waited longest for its client to finish a request or send the next
 * one; the oldest one whose client does not read its answer; the oldest one whose answer takes too long; the new one.
 *
 * It also limits the unanswered requests of one connection. Node stops reading from a client that does not read its answers, but
 * only between two chunks, and one chunk of 64 KB has room for 2,000 requests.
 */
class Connections {
  readonly #limits: ConnectionLimits;
  /** The open connections, the oldest first. */
  readonly #open = new Map<Socket, Connection>();
  /** Connections that wait for their client, the longest first. */
  readonly #waiting = new Set<Socket>();

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits;
    server.on('connection', (socket: Socket) => this.#add(socket));
  }

  /** Whether this request is to be answered. If not, its connection is closed. */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    const connection = this.#open.get(socket);
    // Node keeps parsing the chunk that it has, although its connection is closed.
    if (connection === undefined) return false;
    if (connection.unanswered >= this.#limits.maxUnanswered) {
      this.#close(socket);
      return false;
    }
    if (connection.unanswered === 0) connection.busySince = performance.now();
    connection.unanswered += 1;
    connection.latest = request;
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    // While a body is still to come, the connection keeps its place among those that wait for their client.
    if (length === '0' && encoding === undefined) this.#waiting.delete(socket);
    else
      request.once('end', () => {
        // A body that nobody reads ends after the answer, when the connection waits for the next request.
        if (!response.closed) this.#waiting.delete(socket);
      });
    response.once('close', () => this.#answered(socket));
    return true;
  }

  /** Closes connections on which all is answered, and those that a browser has opened ahead of a request. */
  closeIdle(): void {
    for (const [socket, { unanswered, read }] of this.#open)
      if (unanswered === 0 && socket.bytesRead === read) socket.destroy();
  }

  /** Closes connections whose client sends nothing, or does not read its answer. */
  closeSlow(): void {
    for (const socket of this.#open.keys())
      if (this.#waiting.has(socket) || isUnread(socket)) socket.destroy();
  }

  #add(socket: Socket): void {
    this.#open.set(socket, { unanswered: 0, busySince: 0, latest: undefined, read: 0 });
    this.#waiting.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#waiting.delete(socket);
    });
    if (this.#open.size <= this.#limits.maxConnections) return;
    const [longestWaiting = socket] = this.#waiting;
    // The new connection was the last to start waiting: if it comes first, no other one waits.
    this.#close(longestWaiting === socket ? (this.#slowest() ?? socket) : longestWaiting);
  }

  /** The oldest connection whose client does not read its answer; otherwise the oldest one whose answer takes too long. */
  #slowest(): Socket | undefined {
    const unread = this.#open.keys().find(isUnread);
    if (unread !== undefined) return unread;
    const before = performance.now() - this.#limits.answerTimeout;
    return this.#open
      .entries()
      .find(([, { unanswered, busySince }]) => unanswered > 0 && busySince < before)?.[0];
  }

  #close(socket: Socket): void {
    this.#open.delete(socket);
    this.#waiting.delete(socket);
    socket.destroy();
  }

  #answered(socket: Socket): void {
    const connection = this.#open.get(socket);
    // The client may have left.
    if (connection === undefined) return;
    connection.unanswered--;
    connection.busySince = performance.now();
    connection.read = socket.bytesRead;
    // A request may be answered before all of its body has come.
    if (connection.unanswered === 0 || !connection.latest?.complete) this.#waiting.add(socket);
  }
}

/** Whether its client leaves a part of an answer unread. */
function isUnread({ writableLength }: Socket): boolean {
  return writableLength > 0;
}
