import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';

/** A page of our own: what it answers to a GET. */
export type Page = () => Promise<PageAnswer> | PageAnswer;
export interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Takes the requests that are its own, and answers false for all others. */
export type Mount = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface HttpOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly pages: Readonly<Record<string, Page>>;
  readonly log: Log;
  readonly limits?: Partial<typeof HTTP_LIMITS>;
}

export interface HttpServer {
  start(): Promise<void>;
  /** Ends when what was asked is answered; takes nothing new meanwhile. */
  stop(): Promise<void>;
  /** Adds a door's own addresses. */
  mount(mount: Mount): void;
  /** Once started. */
  readonly port: number;
}

/** Honest requests take milliseconds; whoever sends a byte now and then only holds a connection. */
export const HTTP_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: 5_000,
};
const MOST_HEADERS = 100;
const MOST_CONNECTIONS = 1_000;
/** Each door has a lower limit of its own. */
const LARGEST_BODY = 1024 * 1024;

/** The one port of this process: its health, and whatever doors are reached over HTTP. */
export function makeHttpServer({ host, port, pages, log, limits }: HttpOptions): HttpServer {
  const mounts: Mount[] = [];
  const server = createServer(
    { ...HTTP_LIMITS, ...limits },
    (request, response) => void serve(request, response),
  );
  server.maxHeadersCount = MOST_HEADERS;
  server.maxConnections = MOST_CONNECTIONS;
  let isStopping = false;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('x-content-type-options', 'nosniff');
    response.once('close', () => {
      // Kept alive by a client that may want more, it would keep the end waiting.
      if (isStopping) setImmediate(() => server.closeIdleConnections());
    });
    try {
      if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) {
        return refuse(request, response, 413, 'That is too large.');
      }
      if (mounts.some((mount) => mount(request, response))) return;
      const path = pathOf(request);
      const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
      if (page === undefined) return refuse(request, response, 404, 'There is nothing here.');
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD');
        return refuse(request, response, 405, 'This page can only be read.');
      }
      const { status, type, body } = await page();
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : body);
    } catch (error) {
      log.error({ err: error, path: pathOf(request) }, 'a request over HTTP failed');
      if (response.headersSent) response.destroy();
      else refuse(request, response, 500, 'That failed here.');
    }
  }

  return {
    async start() {
      await listen(server, port, host);
    },
    stop() {
      isStopping = true;
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
    mount(mount) {
      mounts.push(mount);
    },
    get port() {
      return (server.address() as AddressInfo).port;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(explain(error, port, host));
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there already',
  EACCES: 'this user may not listen there; ports below 1024 need more rights',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine has no such address',
};

/** For the operator: which setting, and what is wrong with it. */
function explain(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const reason = REASONS[error.code ?? ''] ?? error.message;
  return new StartError(`HOST ${host} and PORT ${port} can't be opened: ${reason}.`, { cause: error });
}

/** The body, if there is one, is not waited for. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0]!;
}
