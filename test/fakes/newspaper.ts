import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listening, originOf } from './loopback.ts';

/** A request as the newspaper saw it. */
interface SeenRequest {
  readonly path: string;
  readonly userAgent: string;
}

/** What one of the two ways answers. Given the date that was asked for; the page is not asked for one. */
export type Scene = (response: ServerResponse, request: IncomingMessage, url: string) => void;

export interface FakeNewspaper extends AsyncDisposable {
  readonly url: string;
  /** Requests in order. */
  readonly requests: SeenRequest[];
  /** Sets what the two ways answer from now on. */
  play(service: Scene, page?: Scene): void;
}

/** A made-up board with a made-up dictionary in three runs: main, additions, obscure tail. */
export const MAIN = ['actor', 'actors', 'artist', 'castle', 'monitor', 'monitors', 'replaces', 'special'];
export const ADDITIONS = ['canola', 'canolas', 'emotional'];
export const OBSCURE = ['alans', 'almes', 'eales'];
const SIDES = ['PAM', 'ENT', 'RIL', 'OCS'];

export function payload(date: string, changes: object = {}): Record<string, unknown> {
  return {
    id: 7,
    printDate: date,
    sides: SIDES,
    dictionary: [...MAIN, ...ADDITIONS, ...OBSCURE].map((word) => word.toUpperCase()),
    ourSolution: ['MONITOR', 'REPLACES'],
    par: 4,
    editor: 'Ada Example',
    ...changes,
  };
}

/** The game's page around some data: other scripts first, and hostile little things in its strings. */
export function page(data: object): string {
  return [
    '<!doctype html><html><head><script>var unrelated = { "window.gameData": 1 }</script>',
    '<script type="application/json">{"gameData": {}}</script></head><body>',
    `<script type="text/javascript">window.gameData = ${JSON.stringify({ note: 'a } and a " and a \\', ...data })}</script>`,
    '<script>window.after = {}</script></body></html>',
  ].join('\n');
}

export const json =
  (body: unknown): Scene =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export const html =
  (body: string): Scene =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);

export const status =
  (code: number, headers: Record<string, string> = {}): Scene =>
  (response) =>
    response.writeHead(code, headers).end('no');

export const redirect =
  (to: (base: string) => string): Scene =>
  (response, _request, url) =>
    response.writeHead(302, { location: to(url) }).end();

/** Headers at once, then a byte now and then, without end. */
export const slow: Scene = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

/** Half of a good answer under the length of the whole, then the connection is gone. */
export const cut =
  (body: unknown): Scene =>
  (response) => {
    const text = JSON.stringify(body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  };

/** 20 MB, with or without saying so first. Only 2 MB of them ever come: no answer is for those who wait for more. */
export const huge =
  (announced: boolean): Scene =>
  (response) => {
    response.writeHead(200, announced ? { 'content-length': 20 * 2 ** 20 } : {});
    response.write(Buffer.alloc(2 * 2 ** 20, ' '));
  };

/** A fake newspaper on loopback, which keeps count of what it was asked. */
export async function startNewspaper(): Promise<FakeNewspaper> {
  let scenes: { service: Scene; page: Scene } = { service: status(404), page: status(404) };
  const requests: SeenRequest[] = [];
  // Or a request of a busy machine would meet a connection that is just being closed.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const path = request.url ?? '';
    requests.push({ path, userAgent: request.headers['user-agent'] ?? '' });
    const scene = path.startsWith('/svc/') ? scenes.service : scenes.page;
    scene(response, request, url);
  });
  const url = originOf(await listening(server));
  return {
    url,
    requests,
    play(service, page = status(404)) {
      scenes = { service, page };
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
