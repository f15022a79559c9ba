import type { App, Dispatcher } from '../../src/dispatch/contract.ts';
import { BoardPages } from '../../src/pages/board-pages.ts';

/** Opens a personal link as a browser does, and returns how that browser makes moves on its page. */
export async function followLink(app: App, dispatcher: Dispatcher, link: URL, linkSecret: string) {
  const { routes } = new BoardPages(app, dispatcher, {
    publicUrl: link.origin,
    linkSecret,
    trustedProxies: [],
  });
  const ask = (what: string, fields: object, cookie = '') =>
    routes.request(`${link.pathname}/${what}`, {
      method: 'POST',
      headers: { cookie },
      body: JSON.stringify(fields),
    });
  const cookie = (await ask('open', { token: link.hash.slice(1) })).headers.get('set-cookie')!;
  return async (moves: string): Promise<unknown> => (await ask('play', { moves }, cookie)).json();
}
