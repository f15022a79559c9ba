/**
 * `node scripts/board-film.ts FOLDER`: one game as pictures, state by state, on screens of several kinds, light and dark.
 * `test/web/pages/browser.test.ts` plays the same game and compares what must not move.
 */
import { mkdirSync } from 'node:fs';
import type { BrowserContextOptions } from 'playwright-core';
import { DESKTOP, launch, PHONE, visit } from '../test/chat/web/browser.ts';
import { playFilm } from '../test/web/pages/playing.ts';
import { servePages } from '../test/web/pages/serve.ts';

const SMALL = { ...PHONE, viewport: { width: 320, height: 640 } };
const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  phone: PHONE,
  'phone-dark': { ...PHONE, colorScheme: 'dark' },
  'small-phone': SMALL,
  desk: DESKTOP,
  'desk-dark': { ...DESKTOP, colorScheme: 'dark' },
  'desk-200-percent': { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 },
};

const [folder = 'film'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const [browser, served] = await Promise.all([launch(), servePages()]);
for (const [name, options] of Object.entries(SCREENS)) {
  const { page } = await visit(browser, served.newLink(), options, {
    ready: '#board .board:not(.is-waiting)',
    own: served.url,
  });
  let nth = 0;
  await playFilm(page, async (state) => {
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
    const path = `${folder}/${name}-${String(++nth).padStart(2, '0')}-${state.replaceAll(' ', '-')}.png`;
    await page.screenshot({ path });
    console.log(path);
  });
  await page.context().close();
}
await Promise.all([browser.close(), served.close()]);
