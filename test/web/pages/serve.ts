import { createServer, request, type Server } from 'node:http';
import { COMMANDS } from '../../../commands/index.ts';
import type { LinkSecrets, PagesConfig } from '../../../src/config/config.ts';
import { HOUR } from '../../../src/core/clock.ts';
import type { App, Asker, Dispatcher, Options } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { makeRouter } from '../../../src/http/router.ts';
import { HttpServer } from '../../../src/http/server.ts';
import type { ActivityHost } from '../../../src/web/pages/activity-pages.ts';
import { boardPages, missingPage } from '../../../src/web/pages/board-pages.ts';
import { PersonalLinks } from '../../../src/web/pages/personal-links.ts';
import { makeTestApp, NOON, type TestApp, type TestAppOptions } from '../../fakes/app.ts';
import { closeServer, listening, portOf } from '../../fakes/loopback.ts';
import { house, SIDES, WORDS } from '../../fakes/small-board.ts';

const NO_SITE = new URL('no-site/', import.meta.url);
export const LINK_SECRETS: LinkSecrets = { discord: 'a secret of a platform', slack: 'a secret of another' };

/** A person in a channel of Discord. */
export function onDiscord(id: string, channel = '10'): Asker {
  const where = { tenant: 'discord:1', channel, direct: false };
  return { door: 'discord', who: { id, mayManage: false }, where };
}

export interface ServedPages extends TestApp {
  /** Where browsers reach the pages, with a slash at its end. */
  readonly url: string;
  readonly links: PersonalLinks;
  /** A personal link for somebody new, to the small board unless another one is named. */
  readonly newLink: (board?: Options) => string;
}

/** What is below `PUBLIC_URL`, below a path of a web server that takes this path away. */
export async function servePages(
  path = '',
  {
    site = NO_SITE,
    embedOrigins = [],
    activity,
    ...options
  }: TestAppOptions & { readonly site?: URL; readonly activity?: ActivityHost } & Pick<
      PagesConfig,
      'embedOrigins'
    > = {},
): Promise<ServedPages> {
  const test = await makeTestApp({ words: WORDS, house, ...options });
  const own = { publicUrl: `http://127.0.0.1${path}`, embedOrigins };
  const router = makeRouter(test.app.log, { missingPage: missingPage(own, site) });
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0 });
  await server.start();
  const proxy = path === '' ? undefined : await openProxy(path, server.port);
  const publicUrl = `http://127.0.0.1:${proxy === undefined ? server.port : portOf(proxy)}${path}`;
  const config = { publicUrl, embedOrigins, linkSecrets: LINK_SECRETS };
  const dispatcher = makeDispatcher(test.app, { commands: COMMANDS });
  router.route('/', boardPages(test.app, dispatcher, config, { site, activity }));
  const links = new PersonalLinks(config);
  let people = 0;
  return {
    ...test,
    url: `${publicUrl}/`,
    links,
    newLink(board = { sides: SIDES.replaceAll(' ', '-') }) {
      people += 1;
      const asker = onDiscord(`new-${people}`, `of-${people}`);
      return links.linkTo(asker, board, { madeAt: NOON, until: NOON + HOUR });
    },
    async close() {
      if (proxy !== undefined) await closeServer(proxy);
      await server.stop();
      await test.close();
    },
  };
}

/** What nginx does with `location /path/ { proxy_pass http://127.0.0.1:port/; }` */
function openProxy(path: string, port: number): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${path}/`)) {
      outgoing.writeHead(404).end('another site');
      return;
    }
    const inner = request({ port, method, path: url.slice(path.length), headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  });
  return listening(proxy);
}

/** Opens a personal link as a browser does, and returns how that browser makes moves on its page. */
export async function followLink(app: App, dispatcher: Dispatcher, link: URL, linkSecrets: LinkSecrets) {
  const { ask } = await openLink(app, dispatcher, link, linkSecrets);
  return async (moves: string): Promise<unknown> => (await ask('play', { moves })).answer;
}

/** The same, and returns whatever the page may ask. */
export async function openLink(app: App, dispatcher: Dispatcher, link: URL, linkSecrets: LinkSecrets) {
  const routes = boardPages(app, dispatcher, { publicUrl: link.origin, linkSecrets });
  let cookie = '';
  const ask = async (what: 'open' | 'play' | 'help', fields: object) => {
    const response = await routes.request(`${link.pathname}/${what}`, {
      method: 'POST',
      headers: { cookie, origin: link.origin },
      body: JSON.stringify(fields),
    });
    cookie = response.headers.get('set-cookie') ?? cookie;
    return { status: response.status, answer: (await response.json()) as unknown };
  };
  const { status } = await ask('open', { token: link.hash.slice(1) });
  return { status, ask };
}
