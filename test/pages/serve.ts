import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { COMMANDS } from '../../commands/index.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { makeRouter } from '../../src/http/router.ts';
import { HttpServer } from '../../src/http/server.ts';
import { BoardPages } from '../../src/pages/board-pages.ts';
import { PersonalLinks } from '../../src/pages/personal-links.ts';
import { makeTestApp, type TestApp, type TestAppOptions } from '../fakes/app.ts';
import { house, WORDS } from '../fakes/small-board.ts';

const LINK_SECRET = 'a secret of a platform';

export interface ServedPages extends TestApp {
  /** Where browsers reach the pages, with a slash at its end. */
  readonly url: string;
  readonly links: PersonalLinks;
}

/** The pages of boards, below a path of a web server that takes this path away. */
export async function servePages(path = '', options: TestAppOptions = {}): Promise<ServedPages> {
  const test = await makeTestApp({ words: WORDS, house, ...options });
  const router = makeRouter(test.app.log);
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0 });
  await server.start();
  const proxy = path === '' ? undefined : await openProxy(path, server.port);
  const publicUrl = `http://127.0.0.1:${proxy === undefined ? server.port : portOf(proxy)}${path}`;
  const config = { publicUrl, linkSecret: LINK_SECRET, trustedProxies: ['127.0.0.0/8'] };
  router.route(
    '/',
    new BoardPages(test.app, makeDispatcher(test.app, { commands: COMMANDS }), config).routes,
  );
  return {
    ...test,
    url: `${publicUrl}/`,
    links: new PersonalLinks(config),
    async close() {
      proxy?.close();
      proxy?.closeAllConnections();
      await server.stop();
      await test.close();
    },
  };
}

/** What nginx does with `location /path/ { proxy_pass http://127.0.0.1:port/; }` */
function openProxy(path: string, port: number): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { url = '', method, headers, socket } = incoming;
    if (!url.startsWith(`${path}/`)) {
      outgoing.writeHead(404).end('another site');
      return;
    }
    const before = headers['x-forwarded-for'] === undefined ? [] : [headers['x-forwarded-for']];
    const forwarded = { ...headers, 'x-forwarded-for': [...before, socket.remoteAddress].join(', ') };
    const inner = request({ port, method, path: url.slice(path.length), headers: forwarded }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  });
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)));
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
