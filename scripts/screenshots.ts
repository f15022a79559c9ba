/**
 * `npm run screenshots`: the pictures of the documents, from a day in the local chat and from games on the site. Needs Debian's
 * Chromium. `npm run screenshots -- chat` takes only those of the chat, `pages` and `game` the others.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { readLexicon } from '../src/wordlists/load.ts';
import { DESKTOP, launch, moveClock, moveToMorning, PHONE, visit } from '../test/chat/web/browser.ts';
import { startLocalChat } from '../test/chat/web/serve.ts';
import { TODAY } from '../test/fakes/app.ts';
import { houseOf } from '../test/fakes/log-spoilers.ts';
import { originOf } from '../test/fakes/loopback.ts';
import { serveFiles } from '../test/web/site/serve-files.ts';
import { writeSite } from './site.ts';

const FOLDER = 'docs/screenshots';
const GAME = 'docs/pictures/game.png';
/** Milliseconds that a letter, a word, and the end of the game are shown. */
const [LETTER, WORD, END] = [180, 900, 4_000];
const LONGEST_END = 10_000;
/** Bytes that every PNG begins with. */
const SIGNATURE = 8;
const PARTS = { chat: shootChat, pages: shootPages, game: shootGame };

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

async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate(
    'Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))',
  );
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
  console.log(`${FOLDER}/${name}.png`);
}

async function shootChat(): Promise<void> {
  const bot = await startLocalChat(folder);
  const { page } = await visit(browser, bot.url, DESKTOP);
  const line = page.getByRole('combobox', { name: 'in general' });
  const nextPost = async (shown: string) => {
    await moveClock(page, 'Next post');
    await page.locator('#thread').getByText(shown).last().waitFor();
  };
  await line.fill('solve ozu nri lfa mbt');
  await page.keyboard.press('Enter');
  await page.locator('summary', { hasText: 'Shortest' }).first().click();
  await page.getByText('FORUM').first().waitFor();
  await line.fill('hint ');
  await page.getByRole('option', { name: 'lengths' }).waitFor();
  await shoot(page, 'completion');
  await page.keyboard.press('Escape');
  await moveToMorning(page);
  await line.fill('daily on');
  await page.keyboard.press('Enter');
  await page.getByText('Only you can see this').nth(1).waitFor();
  await nextPost('Best first letters');
  await nextPost('How many words it takes');
  await page.locator('#thread summary', { hasText: 'How many words it takes' }).click();
  await page.locator('#thread .spoiler[open] p').first().waitFor();
  await shoot(page, 'day');
  await nextPost('Shortest');
  await shoot(page, 'evening');
  await moveClock(page, 'Next post');
  await page.locator('.thread-link').nth(1).waitFor();
  await shoot(page, 'next-morning');
  await bot.stop();
}

/** Opens a board of the site, ready to be played. */
async function open(path: string, options: BrowserContextOptions): Promise<Page> {
  const site = join(folder, 'site');
  await writeSite(site, [TODAY]);
  const server = await serveFiles(site);
  server.unref();
  const page = await browser.newPage(options);
  await page.goto(`${originOf(server)}/boards/${path}`);
  await page.locator('.letter[aria-disabled="false"]').first().waitFor();
  await page.locator('.board').focus();
  await page.evaluate('document.fonts.ready');
  return page;
}

async function shootPages(): Promise<void> {
  const [first = '', second = '', ...more] = houseOf(readLexicon(), TODAY).official ?? [];
  if (more.length > 0) throw new Error('the board of these pictures takes more than two words');
  for (const [options, playing, solved] of [
    [DESKTOP, 'page-day', 'board-solved'],
    [PHONE, 'board-phone', undefined],
  ] as const) {
    const page = await open(`?day=${TODAY}`, options);
    await page.keyboard.type(first);
    await page.keyboard.press('Enter');
    await page.locator('.words li').first().waitFor();
    await page.keyboard.type(second.slice(1, 4));
    await shoot(page, playing);
    if (solved === undefined) continue;
    await page.keyboard.type(second.slice(4));
    await page.keyboard.press('Enter');
    await page.locator('.rank:not([hidden])').waitFor();
    await page.waitForTimeout(2_000);
    await shoot(page, solved);
  }
}

/** The first picture of README.md: a game, played on the site. */
async function shootGame(): Promise<void> {
  const page = await open('?board=ozu-nri-lfa-mbt', { viewport: { width: 320, height: 520 } });
  const frames: Frame[] = [];
  const show = async (milliseconds: number) => {
    frames.push({ png: await page.screenshot(), milliseconds });
  };
  await show(WORD);
  for (const [nth, typed] of ['forum', 'obilization'].entries()) {
    for (const letters of typed.match(/.{1,2}/g)!) {
      await page.keyboard.type(letters);
      await show(2 * LETTER);
    }
    await page.keyboard.press('Enter');
    await page.locator('.words li').nth(nth).waitFor();
    if (nth === 0) await show(WORD);
  }
  await page.locator('.rank:not([hidden])').waitFor();
  // The path is drawn again: at a tenth of its speed, to have pictures of it.
  for (const moment of [150, 400, 650, 900]) {
    await page.evaluate(
      `for (const one of document.getAnimations()) { one.pause(); one.currentTime = ${moment}; }`,
    );
    await show(150);
  }
  await page.evaluate('for (const one of document.getAnimations()) one.finish()');
  await show(END);
  writeFileSync(GAME, animated(frames));
  console.log(`${GAME}: ${frames.length} pictures`);
}

interface Frame {
  readonly png: Buffer;
  readonly milliseconds: number;
}

/** An animated PNG: the frames' own data, each with how long it is shown. They are equally large. */
function animated(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  const signature = first!.png.subarray(0, SIGNATURE);
  const header = first!.png.subarray(SIGNATURE + 8, SIGNATURE + 8 + 13);
  const out = [signature, chunk('IHDR', header), chunk('acTL', numbers(frames.length, 0))];
  let number = 0;
  for (const { png, milliseconds } of frames) {
    const times = Buffer.from([milliseconds >> 8, milliseconds & 255, 1000 >> 8, 1000 & 255, 0, 0]);
    out.push(chunk('fcTL', Buffer.concat([numbers(number++), header.subarray(0, 8), numbers(0, 0), times])));
    // Browsers compress for speed.
    const data = deflateSync(inflateSync(pixelsOf(png)), { level: 9 });
    const isFirst = number === 1;
    out.push(isFirst ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(number++), data])));
  }
  return Buffer.concat([...out, chunk('IEND', Buffer.alloc(0))]);
}

/** As they are compressed in a PNG, in one chunk or several. */
function pixelsOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE, length = 0; at < png.length; at += 12 + length) {
    length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
  }
  return Buffer.concat(parts);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

function numbers(...values: number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer).swap32();
}
