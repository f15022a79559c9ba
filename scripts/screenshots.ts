/**
 * `npm run screenshots`: the pictures of the documents, from a day in the local chat and from games on the site. Needs Debian's
 * Chromium. `npm run screenshots -- chat` takes only those of the chat, `together`, `pages` and `first` the others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { renderPng } from '../src/reply/picture/pictures.ts';
import { makeSvg } from '../src/reply/picture/svg.ts';
import { makeBoard } from '../src/solver/board.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { DESKTOP, launch, moveClock, moveToMorning, PHONE, visit } from '../test/chat/web/browser.ts';
import { startLocalChat } from '../test/chat/web/serve.ts';
import { TODAY } from '../test/fakes/app.ts';
import { houseOf } from '../test/fakes/log-spoilers.ts';
import { originOf } from '../test/fakes/loopback.ts';
import { serveFiles } from '../test/web/site/serve-files.ts';
import { writeSite } from './site.ts';

const FOLDER = 'docs/screenshots';
/** Pixels around the parts of the first picture. */
const MARGIN = 8;
const LONGEST_END = 10_000;
const PARTS = { chat: shootChat, together: shootTogether, pages: shootPages, first: shootFirst };

const folder = mkdtempSync(join(tmpdir(), 'letterboxed-screenshots-'));
const browser = await launch();
const asked = Object.entries(PARTS).filter(([name]) => process.argv.includes(name));
try {
  for (const [, part] of asked.length > 0 ? asked : Object.entries(PARTS)) await part();
} finally {
  // A browser that does not end by itself is killed when this process does.
  await Promise.race([browser.close(), setTimeout(LONGEST_END)]);
  rmSync(folder, { recursive: true, force: true });
  setImmediate(() => process.exit());
}

/** Without the outline of a message that has just come. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(
    "for (const message of document.querySelectorAll('.is-new')) message.classList.remove('is-new')",
  );
}

async function shoot(page: Page, name: string): Promise<void> {
  await settle(page);
  await page.evaluate(
    'Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))',
  );
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
  console.log(`${FOLDER}/${name}.png`);
}

async function shootChat(): Promise<void> {
  const bot = await startLocalChat(join(folder, 'chat'));
  const { page } = await visit(browser, bot.url, DESKTOP);
  const line = page.getByRole('combobox', { name: 'in general' });
  await line.fill('solve ozu nri lfa mbt');
  await page.keyboard.press('Enter');
  await page.locator('summary', { hasText: 'Shortest' }).first().click();
  await page.getByText('FORUM').first().waitFor();
  await line.fill('hint ');
  await page.getByRole('option', { name: 'lengths' }).waitFor();
  await shoot(page, 'completion');
  await page.keyboard.press('Escape');
  await switchOn(page);
  await nextPost(page, 'Best first letters');
  await nextPost(page, 'How many words it takes');
  await page.locator('#thread summary', { hasText: 'How many words it takes' }).click();
  await page.locator('#thread .spoiler[open] p').first().waitFor();
  await shoot(page, 'day');
  await nextPost(page, 'Shortest');
  await shoot(page, 'evening');
  await moveClock(page, 'Next post');
  await page.locator('.thread-link').nth(1).waitFor();
  await shoot(page, 'next-morning');
  await bot.stop();
}

/** A board from a picture, a race, and the results of other games. */
async function shootTogether(): Promise<void> {
  const bot = await startLocalChat(join(folder, 'together'));
  const { page } = await visit(browser, bot.url, { ...DESKTOP, viewport: { width: 700, height: 1_200 } });
  const message = (text: string) => page.locator('#channel li', { hasText: text }).last();
  const say = async (line: string, answer: string) => {
    await page.getByRole('combobox', { name: 'in general' }).fill(line);
    await page.keyboard.press('Enter');
    await message(answer).waitFor();
  };
  const wordle = (guesses: number) => `record "Wordle 1,980 ${guesses}/6"`;
  await say(`${wordle(3)} "Queens #934 | 0:41"`, 'Queens, November 20');
  await page.getByLabel('You are').selectOption('ben');
  await say(wordle(4), 'Wordle, November 20: 4/6');
  await say('race', 'who joins?');
  await page.getByLabel('You are').selectOption('ada');
  await message('who joins?').getByRole('button', { name: 'Join' }).click();
  await message('who joins?').getByText('@Ada').waitFor();
  await say('leaderboard games', 'Other games: week');
  const unclear = await renderPng(makeSvg({ board: makeBoard(['ozu', 'nri', 'lfa', 'mbo']) }));
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Picture' }).click();
  await (await choosing).setFiles({ name: 'board.png', mimeType: 'image/png', buffer: unclear });
  await message('Is this the board').waitFor();
  await shoot(page, 'together');
  await bot.stop();
}

/** The daily thread, in the morning before it opens. */
async function switchOn(page: Page, line = 'daily on'): Promise<void> {
  await moveToMorning(page);
  await page.getByRole('combobox', { name: 'in general' }).fill(line);
  await page.keyboard.press('Enter');
  await page.getByText('Only you can see this').last().waitFor();
}

async function nextPost(page: Page, shown: string): Promise<void> {
  await moveClock(page, 'Next post');
  await page.locator('#thread').getByText(shown).last().waitFor();
}

/** Opens a board of the site, ready to be played. */
async function open(path: string, options: BrowserContextOptions): Promise<Page> {
  const site = join(folder, 'site');
  await writeSite(site);
  const server = await serveFiles(site);
  server.unref();
  const page = await browser.newPage(options);
  await page.goto(`${originOf(server)}/boards/${path}`);
  await page.locator('.letter[aria-disabled="false"]').first().waitFor();
  await page.locator('.board').focus();
  await page.evaluate('document.fonts.ready');
  return page;
}

/** The two words of the day's board, the second one up to its end. */
async function playSolution(page: Page, playing = async () => {}): Promise<void> {
  const [first = '', second = '', ...more] = houseOf(readLexicon(), TODAY).official ?? [];
  if (more.length > 0) throw new Error('the board of these pictures takes more than two words');
  await page.keyboard.type(first);
  await page.keyboard.press('Enter');
  await page.locator('.words li').first().waitFor();
  await page.keyboard.type(second.slice(1, 4));
  await playing();
  await page.keyboard.type(second.slice(4));
  await page.keyboard.press('Enter');
  await page.locator('.rank:not([hidden])').waitFor();
  await page.waitForTimeout(2_000);
}

async function shootPages(): Promise<void> {
  const phone = await open(`?day=${TODAY}`, PHONE);
  await playSolution(phone, () => shoot(phone, 'board-phone'));
  const page = await open(`?day=${TODAY}`, DESKTOP);
  await playSolution(page);
  await shoot(page, 'board-solved');
}

/**
 * The first picture of README.md, for light and dark pages: the solved board beside the thread of its day; for phones, above
 * the hint that is open.
 */
async function shootFirst(): Promise<void> {
  const options = { ...DESKTOP, deviceScaleFactor: 2 };
  const bot = await startLocalChat(join(folder, 'first'));
  const { page: chat } = await visit(browser, bot.url, options);
  await switchOn(chat, 'daily on steps:"start@08:00 count@10:00 lengths@12:00 solution@20:00"');
  for (const shown of ['Best first letters', 'How many words it takes', 'How long the words are'])
    await nextPost(chat, shown);
  await chat.locator('#thread summary', { hasText: 'How many words it takes' }).click();
  await chat.locator('#thread .spoiler[open] p').first().waitFor();
  // Not so wide that the rank stands beside the board.
  const board = await open(`?day=${TODAY}`, { ...options, viewport: { width: 900, height: 860 } });
  await playSolution(board);
  for (const colorScheme of ['light', 'dark'] as const) {
    const parts: string[] = [];
    for (const [page, shown] of [
      [board, '.rank, .board .letter'],
      [chat, '#thread .messages li'],
      [chat, '#thread .messages li:has(.spoiler[open])'],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settle(page);
      const found = await page.locator(shown).all();
      const clip = around(await Promise.all(found.map((one) => one.boundingBox())));
      const png = await page.screenshot({ clip, animations: 'disabled' });
      parts.push(`<img width="${clip.width}" src="data:image/png;base64,${png.toString('base64')}">`);
    }
    const [solved = '', thread = '', hint = ''] = parts;
    const background = await board.evaluate<string>(
      'getComputedStyle(document.documentElement).backgroundColor',
    );
    await arrange(`first-${colorScheme}.png`, [solved, thread], 'gap:16px');
    await arrange(
      `phone-${colorScheme}.jpg`,
      [solved, hint],
      `flex-direction:column;background:${background}`,
    );
  }
  await bot.stop();
}

/** One picture of several: a PNG with round corners, or a JPEG, which is smaller and has none. */
async function arrange(name: string, images: readonly string[], style: string): Promise<void> {
  const isPng = name.endsWith('.png');
  const page = await browser.newPage({ ...DESKTOP, deviceScaleFactor: isPng ? 2 : 1.5 });
  await page.setContent(
    `<style>body{margin:0;${style}}div{display:inline-flex;align-items:center;${style}}${isPng ? 'img{border-radius:16px}' : ''}</style>
<div>${images.join('')}</div>`,
  );
  const path = `docs/pictures/${name}`;
  const format = isPng ? { omitBackground: true } : ({ type: 'jpeg', quality: 65 } as const);
  await page.locator('div').screenshot({ path, ...format });
  await page.close();
  console.log(path);
}

type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/** What is around elements, with a margin. */
function around(found: readonly (Box | null)[]): Box {
  const boxes = found.filter((box) => box !== null);
  const x = Math.floor(Math.min(...boxes.map((box) => box.x)) - MARGIN);
  const y = Math.floor(Math.min(...boxes.map((box) => box.y)) - MARGIN);
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN;
  return { x, y, width: Math.round(right - x), height: Math.round(bottom - y) };
}
