/** `node scripts/game-film.ts`: plays a game on the site and writes it as an animated picture, the first one of README.md. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { launch } from '../test/chat/web/browser.ts';
import { originOf, serveFiles } from '../test/web/site/serve-files.ts';
import { writeSite } from './site.ts';

const BOARD = 'ozu-nri-lfa-mbt';
const WORDS = ['forum', 'mobilization'];
const FILE = new URL('../docs/pictures/game.png', import.meta.url);
/** Milliseconds that a letter, a word, and the end are shown. */
const [LETTER, WORD, END] = [180, 900, 4_000];
const SIGNATURE = 8;

interface Frame {
  readonly png: Buffer;
  readonly milliseconds: number;
}

/** An animated PNG: the frames' own data, each with how long it is shown. They are equally large. */
function animated(frames: readonly Frame[]): Buffer {
  const parts = frames.map(({ png }) => chunksOf(png));
  const [, header] = parts[0]!.find(([name]) => name === 'IHDR')!;
  let number = 0;
  const out = [frames[0]!.png.subarray(0, SIGNATURE), chunk('IHDR', header)];
  out.push(chunk('acTL', numbers(frames.length, 0)));
  for (const [index, { milliseconds }] of frames.entries()) {
    const times = Buffer.from([milliseconds >> 8, milliseconds & 255, 1000 >> 8, 1000 & 255, 0, 0]);
    out.push(chunk('fcTL', Buffer.concat([numbers(number++), header.subarray(0, 8), numbers(0, 0), times])));
    const packed = parts[index]!.flatMap(([name, data]) => (name === 'IDAT' ? [data] : []));
    // Browsers compress for speed.
    const data = deflateSync(inflateSync(Buffer.concat(packed)), { level: 9 });
    out.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(number++), data])));
  }
  return Buffer.concat([...out, chunk('IEND', Buffer.alloc(0))]);
}

function chunksOf(png: Buffer): [name: string, data: Buffer][] {
  const chunks: [string, Buffer][] = [];
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return chunks;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

function numbers(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, 4 * index);
  return buffer;
}

const folder = mkdtempSync(join(tmpdir(), 'letterboxed-film-'));
await writeSite(folder, []);
const [browser, server] = await Promise.all([launch(), serveFiles(folder)]);
try {
  const page = await browser.newPage({ viewport: { width: 320, height: 520 } });
  await page.goto(`${originOf(server)}/boards/?board=${BOARD}`);
  await page.locator('.letter[aria-disabled="false"]').first().waitFor();
  await page.locator('.board').focus();
  const frames: Frame[] = [];
  const shoot = async (milliseconds: number) => {
    frames.push({ png: await page.screenshot(), milliseconds });
  };
  await page.evaluate('document.fonts.ready');
  await shoot(WORD);
  for (const [nth, word] of WORDS.entries()) {
    for (const letters of word.slice(nth === 0 ? 0 : 1).match(/.{1,2}/g)!) {
      await page.keyboard.type(letters);
      await shoot(2 * LETTER);
    }
    await page.keyboard.press('Enter');
    await page.locator('.words li').nth(nth).waitFor();
    if (nth < WORDS.length - 1) await shoot(WORD);
  }
  await page.locator('.title:not([hidden])').waitFor();
  // The path is drawn again: at a tenth of its speed, to have pictures of it.
  for (const moment of [150, 400, 650, 900]) {
    await page.evaluate(
      `for (const one of document.getAnimations()) { one.pause(); one.currentTime = ${moment}; }`,
    );
    await shoot(150);
  }
  await page.evaluate('for (const one of document.getAnimations()) one.finish()');
  await shoot(END);
  const film = animated(frames);
  writeFileSync(FILE, film);
  console.log(`${frames.length} pictures, ${film.length} bytes`);
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
}
