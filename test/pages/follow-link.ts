import type { App, Dispatcher } from '../../src/dispatch/contract.ts';
import { boardPages } from '../../src/pages/board-pages.ts';

/** Opens a personal link as a browser does, and returns how that browser makes moves on its page. */
export async function followLink(app: App, dispatcher: Dispatcher, link: URL, linkSecret: string) {
  const { ask } = await openLink(app, dispatcher, link, linkSecret);
  return async (moves: string): Promise<unknown> => (await ask('play', { moves })).answer;
}

/** The same, and returns whatever the page may ask. */
export async function openLink(app: App, dispatcher: Dispatcher, link: URL, linkSecret: string) {
  const routes = boardPages(app, dispatcher, { publicUrl: link.origin, linkSecret });
  let cookie = '';
  const ask = async (what: 'open' | 'play' | 'help', fields: object) => {
    const response = await routes.request(`${link.pathname}/${what}`, {
      method: 'POST',
      headers: { cookie },
      body: JSON.stringify(fields),
    });
    cookie = response.headers.get('set-cookie') ?? cookie;
    return { status: response.status, answer: (await response.json()) as unknown };
  };
  const { status } = await ask('open', { token: link.hash.slice(1) });
  return { status, ask };
}
