/**
 * A first visit to the site on a slow phone: 1.6 Mbit/s with 150 ms to the server, and a main thread four times slower (the
 * worker is not slowed). `npm run bench -- site`, with Chromium.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { writeSite } from '../scripts/site.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { housePuzzle } from '../src/puzzle/house.ts';
import { launch, PHONE } from '../test/chat/web/browser.ts';
import { closeServer, listening, originOf, portOf } from '../test/fakes/loopback.ts';
import { serveFiles } from '../test/web/site/serve-files.ts';
import { heading, row } from './table.ts';

const VISITS = 5;
const SLOWER = 4;
const BOARD = '.letter:not([aria-disabled="true"])';
const LATENCY_MS = 150;
const BYTES_PER_MS = 200;
/** Bytes that a connection sends in its turn. */
const SLICE = 4096;

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-site-'));
  const today = dateAt(Date.now());
  console.log(`${await writeSite(folder)} bytes compressed, all together\n`);
  const [word] = housePuzzle(today).official!;
  const [browser, files] = await Promise.all([launch(), serveFiles(folder, { compresses: true })]);
  const server = await slowed(files);
  const starts: Start[] = [];
  while (starts.length < VISITS) starts.push(await start(browser, `${originOf(server)}/boards/`, word!));
  const sorted = (of: keyof Start) => starts.map((one) => one[of]).sort((a, b) => a - b);
  const medians = (['paint', 'letter', 'word'] as const).map((of) => sorted(of)[VISITS >> 1]!);
  heading('today', 'first paint, ms', 'first letter', 'first word judged', 'layout shift, at most');
  row('medians', ...medians, sorted('shift').at(-1)!);
  server.close();
  await closeServer(files);
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** What somebody waits for who plays a word at once, in milliseconds. */
interface Start {
  readonly paint: number;
  readonly letter: number;
  readonly word: number;
  readonly shift: number;
}

async function start(browser: Browser, url: string, word: string): Promise<Start> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(`window.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shift += value;
    }).observe({ type: 'layout-shift', buffered: true });`);
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(BOARD).first().waitFor();
  await page.keyboard.press(word[0]!);
  await page.locator('.letter.is-last').waitFor();
  const letter = since();
  for (const next of word.slice(1)) await page.keyboard.press(next);
  await page.keyboard.press('Enter');
  await page.locator('.words li').waitFor();
  const judged = since();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const [paint, shift] = await page.evaluate<[number, number]>(
    "[performance.getEntriesByName('first-contentful-paint')[0].startTime, shift]",
  );
  await context.close();
  return { paint: Math.round(paint), letter, word: judged, shift };
}

/** The server behind a slow line, which all of its connections share. */
async function slowed(server: Server): Promise<Server> {
  let line = Promise.resolve();
  const turn = (bytes: number) => {
    line = line.then(() => setTimeout(bytes / BYTES_PER_MS));
    return line;
  };
  const port = portOf(server);
  const up = async (from: Socket, to: Socket) => {
    // To open a connection takes a way there and back as well.
    await setTimeout(LATENCY_MS);
    for await (const bytes of from as AsyncIterable<Buffer>) {
      await setTimeout(LATENCY_MS);
      to.write(bytes);
    }
    to.end();
  };
  const down = async (from: Socket, to: Socket) => {
    for await (const bytes of from as AsyncIterable<Buffer>)
      for (let at = 0; at < bytes.length; at += SLICE) {
        const slice = bytes.subarray(at, at + SLICE);
        await turn(slice.length);
        to.write(slice);
      }
    to.end();
  };
  return listening(
    createServer((client) => {
      const behind = connect(port, '127.0.0.1');
      const end = () => {
        client.destroy();
        behind.destroy();
      };
      for (const one of [client, behind]) one.on('error', end);
      void up(client, behind).catch(end);
      void down(behind, client).catch(end);
    }),
  );
}
