/**
 * A first visit to the site on a slow phone: 1.6 Mbit/s with 150 ms to the server, and a main thread four times slower (the
 * worker is not slowed). `npm run bench -- site`, with Chromium.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { writeSite } from '../scripts/site.ts';
import { addDays, dateAt } from '../src/puzzle/calendar.ts';
import { launch, PHONE } from '../test/chat/web/browser.ts';
import { originOf, serveFiles } from '../test/web/site/serve-files.ts';
import { heading, row } from './table.ts';

const VISITS = 5;
const SLOWER = 4;
const BOARD = '.letter:not([aria-disabled="true"])';
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
/** Each page with what is waited for. */
const PAGES = {
  '': BOARD,
  '?board=vro-wal-eth-bdi': BOARD,
  'archive.html': '#months a',
  'tools.html?ask=solve&sides=vro-wal-eth-bdi': '#answer h2',
  'tools.html?ask=generate': '#answer h2',
};

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-site-'));
  const today = dateAt(Date.now());
  const days = Array.from({ length: 700 }, (_, index) => addDays(today, index - 330));
  console.log(`${await writeSite(folder, days)} bytes compressed, all together\n`);
  const browser = await launch();
  const hosts = { compressing: true, 'as it is': false };
  heading('page', 'host', 'there, ms: median', 'longest', 'longest task of the main thread, ms');
  for (const [host, compresses] of Object.entries(hosts)) {
    const server = await serveFiles(folder, { compresses });
    for (const [page, ready] of Object.entries(PAGES)) {
      const visits: Visit[] = [];
      while (visits.length < VISITS)
        visits.push(await visit(browser, `${originOf(server)}/boards/${page}`, ready));
      const [there, tasks] = [sorted(visits, 'there'), sorted(visits, 'task')];
      row(page || 'today', host, there[VISITS >> 1]!, there.at(-1)!, tasks.at(-1)!);
    }
    server.close();
    server.closeAllConnections();
  }
  await browser.close();
  rmSync(folder, { recursive: true });
}

interface Visit {
  readonly there: number;
  readonly task: number;
}

async function visit(browser: Browser, url: string, ready: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', NETWORK);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(`window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: 'longtask', buffered: true });`);
  const began = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(ready).first().waitFor();
  const there = Math.round(performance.now() - began);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const task = Math.round(await page.evaluate<number>('longest'));
  await context.close();
  return { there, task };
}

function sorted(visits: readonly Visit[], of: keyof Visit): number[] {
  return visits.map((one) => one[of]).sort((a, b) => a - b);
}
