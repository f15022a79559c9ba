import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { addDays } from '../src/puzzle/calendar.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { DESKTOP, PHONE, visit } from '../test/chat/web/browser.ts';
import { NOON, TODAY } from '../test/fakes/app.ts';
import { houseOf } from '../test/fakes/log-spoilers.ts';
import { servePages } from '../test/pages/serve.ts';
import type { Shoot } from './board-screenshots.ts';

const READY = '#board .letter[aria-disabled] >> nth=0';
const DARK = { colorScheme: 'dark', reducedMotion: 'reduce' } as const;

/** The pages of boards below `PUBLIC_URL`: a day's, any board's, the archive, and somebody's own. */
export async function shootPages(browser: Browser, shoot: Shoot): Promise<void> {
  const lexicon = readLexicon();
  const served = await servePages('', { lexicon, house: (date) => houseOf(lexicon, date) });
  const { app, store, url, links } = served;
  const open = async (path: string, options: BrowserContextOptions, ready = READY) => {
    const { page } = await visit(browser, new URL(path, url).href, options, { ready, own: url });
    return page;
  };
  try {
    const words = (await app.puzzles.houseOf(TODAY))?.official ?? [];
    for (let days = 1; days <= 9; days++) {
      const date = addDays(TODAY, -days);
      const at = app.puzzles.spanOf(date).from;
      await store.puzzles.keep({ date, source: 'house', puzzle: houseOf(lexicon, date), at });
    }
    const day = await open('day/today', DESKTOP);
    await enter(day, words.slice(0, 1));
    await day.keyboard.type(words[1]!.slice(1, 4));
    await shoot(day, 'page-day');
    await day.keyboard.type(words[1]!.slice(4));
    await enter(day, ['', ...words.slice(2)]);
    await day.locator('.title:not([hidden])').waitFor();
    await day.waitForTimeout(2_000);
    await shoot(day, 'page-day-solved');
    await shoot(await open('day/today', { ...PHONE, ...DARK }), 'page-day-phone-dark');
    await shoot(await open('board/ozu-nri-lfa-mbt', { ...DESKTOP, ...DARK }), 'page-board-dark');
    for (const [name, look] of [
      ['page-archive', DESKTOP],
      ['page-archive-phone', { ...PHONE, ...DARK }],
    ] as const) {
      const archive = await open('archive', look, '.days');
      const played = { words: 2, isSolved: true, isLate: false };
      const kept = [1, 2, 4].map((days) => [addDays(TODAY, -days), played]);
      await archive.evaluate(
        (entries) => localStorage.setItem('letterboxed-days', entries),
        JSON.stringify(kept),
      );
      await archive.reload();
      await shoot(archive, name);
    }
    const asker = {
      door: 'discord' as const,
      who: { id: '7', mayManage: false },
      where: { tenant: 'discord:1', channel: '10', direct: false },
    };
    const own = await open(
      links.linkTo(asker, { date: TODAY }, { madeAt: NOON, until: NOON + 3_600_000 }),
      DESKTOP,
    );
    await own.getByRole('button', { name: 'Hint', exact: true }).click();
    await own.getByRole('heading', { name: /^Hint 1 of/ }).waitFor();
    await shoot(own, 'page-personal');
  } finally {
    await served.close();
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
