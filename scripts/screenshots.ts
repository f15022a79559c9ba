/**
 * `npm run screenshots`: docs/screenshots, from a day in the local chat, games there, and the site. Needs
 * Debian's Chromium. `npm run screenshots -- boards pages` takes only these; `looks` takes the day in dark and on a phone.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startLocalChat } from '../test/chat/web/bot.ts';
import { DESKTOP, launch, moveClock, moveToMorning, PHONE, visit } from '../test/chat/web/browser.ts';
import { shootBoards } from './board-screenshots.ts';
import { shootPages } from './page-screenshots.ts';

const FOLDER = 'docs/screenshots';
/** Milliseconds. */
const LONGEST_END = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'letterboxed-screenshots-'));
mkdirSync(FOLDER, { recursive: true });
const [browser, bot] = await Promise.all([launch(), startLocalChat(folder)]);

const shoot = async (page: Page, name: string) => {
  await page.evaluate(
    'Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))',
  );
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
  console.log(`${FOLDER}/${name}.png`);
};
const type = async (page: Page, line: string) => {
  await page.getByRole('combobox', { name: 'in general' }).fill(line);
  await page.keyboard.press('Enter');
};
const nextPost = async (page: Page, shown: string) => {
  await moveClock(page, 'Next post');
  await page.locator('#thread').getByText(shown).last().waitFor();
};

async function shootDay(): Promise<void> {
  const { page } = await visit(browser, bot.url, DESKTOP);
  await type(page, 'solve ozu nri lfa mbt');
  await page.getByRole('button', { name: 'Shortest' }).first().click();
  await page.getByText('FORUM').first().waitFor();
  await page.getByRole('combobox', { name: 'in general' }).fill('hint ');
  await page.getByRole('option', { name: 'lengths' }).waitFor();
  await shoot(page, 'completion');
  await page.keyboard.press('Escape');
  await moveToMorning(page);
  await type(page, 'daily on');
  await page.getByText('Only you can see this').nth(1).waitFor();
  await nextPost(page, 'Best first letters');
  await nextPost(page, 'How many words it takes');
  await page.locator('#thread').getByRole('button', { name: 'How many words it takes' }).click();
  await page.locator('#thread .hidden-lines:not([hidden]) p').first().waitFor();
  await shoot(page, 'day');
  await nextPost(page, 'Shortest');
  await shoot(page, 'evening');
  await moveClock(page, 'Next post');
  await page.locator('.thread-link').nth(1).waitFor();
  await shoot(page, 'next-morning');
  await page.context().close();
}

async function shootLooks(): Promise<void> {
  const dark = await visit(browser, bot.url, { ...DESKTOP, colorScheme: 'dark' });
  await shoot(dark.page, 'dark');
  await dark.page.context().close();

  const phone = await visit(browser, bot.url, PHONE);
  await phone.page.getByLabel('You are').selectOption('ben');
  await shoot(phone.page, 'phone');
  await phone.page.context().close();
}

const PARTS = {
  day: shootDay,
  looks: shootLooks,
  boards: () => shootBoards(browser, bot.url, shoot),
  pages: () => shootPages(browser, shoot),
};
const names = Object.keys(PARTS) as (keyof typeof PARTS)[];
const asked = names.filter((name) => process.argv.includes(name));
const wanted = asked.length > 0 ? asked : names;

try {
  for (const part of wanted) await PARTS[part]();
} finally {
  // A browser that does not end by itself is killed when this process does.
  await Promise.race([Promise.allSettled([browser.close(), bot.stop()]), setTimeout(LONGEST_END)]);
  rmSync(folder, { recursive: true, force: true });
  setImmediate(() => process.exit());
}
