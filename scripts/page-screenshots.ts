import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { addDays, dateAt } from '../src/puzzle/calendar.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { DESKTOP, PHONE, visit } from '../test/chat/web/browser.ts';
import { TODAY } from '../test/fakes/app.ts';
import { houseOf } from '../test/fakes/log-spoilers.ts';
import { servePages } from '../test/web/pages/serve.ts';
import type { Shoot } from './board-screenshots.ts';
import { writeSite } from './site.ts';

const READY = '#board .letter[aria-disabled] >> nth=0';
const DARK = { colorScheme: 'dark', reducedMotion: 'reduce' } as const;

/** What is below `PUBLIC_URL`: a day's board, any board, past boards, and somebody's own page. */
export async function shootPages(browser: Browser, shoot: Shoot): Promise<void> {
  const lexicon = readLexicon();
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-site-'));
  await writeSite(folder, [TODAY]);
  const house = houseOf(lexicon, TODAY);
  const site = pathToFileURL(`${folder}/`);
  const served = await servePages('', { lexicon, house: () => house, site });
  const { url } = served;
  const open = async (path: string, options: BrowserContextOptions, ready = READY) => {
    const { page } = await visit(browser, new URL(path, url).href, options, { ready, own: url });
    return page;
  };
  try {
    const words = house.official ?? [];
    const day = await open(`?day=${TODAY}`, DESKTOP);
    await enter(day, words.slice(0, 1));
    await day.keyboard.type(words[1]!.slice(1, 4));
    await shoot(day, 'page-day');
    await day.keyboard.type(words[1]!.slice(4));
    await enter(day, ['', ...words.slice(2)]);
    await day.locator('.title:not([hidden])').waitFor();
    await day.waitForTimeout(2_000);
    await shoot(day, 'page-day-solved');
    await shoot(await open(`?day=${TODAY}`, { ...PHONE, ...DARK }), 'page-day-phone-dark');
    await shoot(await open('?board=ozu-nri-lfa-mbt', { ...DESKTOP, ...DARK }), 'page-board-dark');
    for (const [name, look] of [
      ['page-archive', DESKTOP],
      ['page-archive-phone', { ...PHONE, ...DARK }],
    ] as const) {
      const archive = await open('archive.html', look, '#months a >> nth=0');
      const played = { words: 2, isSolved: true, isLate: false };
      const kept = [1, 2, 4].map((days) => [addDays(dateAt(Date.now()), -days), played]);
      await archive.evaluate(
        (entries) => localStorage.setItem('letterboxed-days', entries),
        JSON.stringify(kept),
      );
      await archive.reload();
      await archive.getByText('2 words').first().waitFor();
      await shoot(archive, name);
    }
    const own = await open(served.newLink({ date: TODAY }), DESKTOP);
    await own.getByRole('button', { name: 'Hint', exact: true }).click();
    await own.getByRole('heading', { name: /^Hint 1 of/ }).waitFor();
    await shoot(own, 'page-personal');
  } finally {
    await served.close();
    rmSync(folder, { recursive: true });
  }
}

async function enter(page: Page, words: readonly string[]): Promise<void> {
  const board = page.getByRole('region', { name: 'Board to play' });
  await board.focus();
  for (const word of words) {
    const before = await board.locator('.words li').count();
    await page.keyboard.type(word);
    await page.keyboard.press('Enter');
    await board.locator('.words li').nth(before).waitFor();
  }
}
