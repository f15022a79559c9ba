import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TODAY } from '../../fakes/app.ts';
import { say as answer } from '../../fakes/ask.ts';
import { sample } from '../../fakes/sample.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { resultIn } from '../../fakes/stored.ts';
import { button, dot, letter, words, xy } from '../../web/pages/playing.ts';
import {
  browserNeeded,
  closePages,
  leavePages,
  PHONE,
  seriousFindings,
  sharedBrowser,
  visit,
} from './browser.ts';
import { openPage, type Served, serveWeb } from './serve.ts';

const DESKTOP = { viewport: { width: 1280, height: 800 } };

describe('a board in the local chat', browserNeeded, () => {
  let browser: Browser;
  let served: Served;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterEach(() => leavePages(browser));
  const opened: Served[] = [];
  afterAll(async () => {
    await closePages(browser);
    // Not before: a server that stops waits for connections that the browser opened and used for nothing yet.
    for (const one of opened) await one.close();
  });

  async function open(options: BrowserContextOptions) {
    served = await serveWeb({ words: WORDS, house });
    opened.push(served);
    const { page, troubles } = await visit(browser, served.door.url, options);
    const board = page.getByRole('region', { name: 'Board to play' });
    await board.waitFor();
    return { page, troubles, board };
  }
  const say = async (page: Page, line: string) => {
    await page.getByRole('combobox', { name: 'in general' }).fill(line);
    await page.keyboard.press('Enter');
  };
  /** What a request to play makes of the game; nothing to see how it stands. */
  const movesOf = (request: Request) => /"moves":"([^"]*)"/.exec(request.postData() ?? '')?.[1];
  /** The answer to the moves up to one: all of them, or on a slow machine the last of them. */
  const keptUpTo = (page: Page, move: string) =>
    page.waitForResponse((response) => movesOf(response.request())?.endsWith(move) === true);
  /** That these moves have not arrived: later, none of them is still under way. */
  const lostUpTo = (page: Page, move: string) =>
    page.waitForEvent('requestfailed', (request) => movesOf(request)?.endsWith(move) === true);
  const result = () => resultIn(served.store, 'web:local', 'ada', 'general', TODAY);
  const desks: [string, BrowserContextOptions][] = [
    // With what flies over a solved board, which elsewhere is for LONG.
    ['at a desk', { ...DESKTOP, reducedMotion: 'no-preference' }],
    ['in the dark', { ...DESKTOP, colorScheme: 'dark' as const }],
  ];
  it.each(sample(desks, desks.slice(0, 1)))('%s is played to its end by mouse', async (_, options) => {
    const { page, troubles, board } = await open(options);
    await page.evaluate(`{
      globalThis.seen = [];
      addEventListener('animationstart', ({ animationName }) => seen.push(animationName));
      const board = document.querySelector('.board');
      new MutationObserver(() => seen.push(board.className)).observe(board, { attributes: true });
    }`);
    const kept = keptUpTo(page, 'G');
    for (const name of 'bfj') await letter(board, name).click();
    // The pointer is still on the last one, whose light text needs its disc.
    await page.locator('.letter.is-last:hover').waitFor();
    const behind = 'getComputedStyle(document.querySelector(".letter.is-last:hover")).backgroundImage';
    expect(await page.evaluate(behind)).toContain('gradient');
    // One that can't come next is dimmed, and refused with its reason.
    expect(await letter(board, 'k').getAttribute('aria-disabled')).toBe('true');
    expect(await letter(board, 'b').getAttribute('aria-disabled')).toBe('false');
    await letter(board, 'k').click({ force: true });
    // Keeping the letters takes nothing back of what is said.
    await (await kept).finished();
    await board.getByText('K is on the same side as J.').first().waitFor();
    await button(board, 'Enter').click();
    await board.getByText('BFJ is not in the word list.').first().waitFor();
    await button(board, 'Back').click();
    await expect.poll(() => board.locator('.word').textContent()).toBe('BF');
    for (const name of 'jmcg') await letter(board, name).click();
    await button(board, 'Enter').click();
    await expect.poll(() => words(board).allTextContents()).toEqual(['BFJMCG']);
    await board.getByText('Left: D H K L N P').waitFor({ state: 'attached' });
    // The rest in one stroke.
    await page.mouse.move(...xy(await dot(board, 'g')));
    await page.mouse.down();
    for (const name of 'kdhlnbp') await page.mouse.move(...xy(await dot(board, name)), { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => board.locator('.word').textContent()).toBe('GKDHLNBP');
    // While its path is drawn once more, no letter is dimmed.
    const opacity = page.evaluate(`new Promise((seen) => new MutationObserver((_, observer) => {
      if (document.querySelector('.board.is-ending') === null) return;
      observer.disconnect();
      const letters = [...document.querySelectorAll('.letter')];
      seen(Math.min(...letters.map((letter) => Number(getComputedStyle(letter).opacity))));
    }).observe(document.querySelector('.board'), { attributes: true }))`);
    await button(board, 'Enter').click();
    expect(await opacity).toBe(1);
    // What flies from here on costs a whole core for seconds.
    await page.locator('.board.is-ending.is-won').waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const title = board.getByRole('heading', { name: 'Legend', level: 3 });
    await title.waitFor();
    await board.getByText('2 words, 14 letters and no hints.').first().waitFor();
    // For each refusal once, as each letter was taken once, and its path before anything is said of it.
    const seen = await page.evaluate<string[]>('seen');
    expect(seen.filter((name) => name === 'shake')).toHaveLength(2);
    expect(seen).toContain('board is-ending is-won');
    // Where they are laid out, wherever their animation has them.
    const tops = 'new Set([...document.querySelectorAll(".week li")].map((one) => one.offsetTop)).size';
    expect(await page.evaluate(tops)).toBe(1);
    // With the longest sentences, all that counts is in one view: at twice the size, beside the box, and on the smallest phone.
    await page.evaluate(
      `document.querySelector('.said > span').lastChild.textContent = ' 3 words, 15 letters. Par is 3. Your best stays 2 words, 14 letters, 23 hint points. Better than 4 of the 6 others here.'`,
    );
    for (const [width, height] of [
      [640, 400],
      [360, 640],
      [320, 568],
    ] as const) {
      await page.setViewportSize({ width, height });
      const [rank, more, pane] = await Promise.all(
        ['#channel .rank', '.solved summary', '#channel .messages'].map((part) =>
          page.locator(part).boundingBox(),
        ),
      );
      expect(more!.y + more!.height - rank!.y, `${width}×${height}`).toBeLessThanOrEqual(pane!.height);
      expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
    await page.setViewportSize(DESKTOP.viewport);
    expect(await result()).toMatchObject({ words: 2, letters: 14, hints: 0 });
    expect(await seriousFindings(page)).toEqual([]);
    await button(board, 'Share').click();
    await page.getByText('Letter Boxed, November 20 · 2 words · no hints').first().waitFor();
    await board.getByText('More', { exact: true }).click();
    await button(board, 'See other solutions').click();
    // In the message, they stay folded.
    await page.locator('#channel .spoiler', { hasText: 'Shortest' }).waitFor();
    const shown = (await board.getByRole('region', { name: 'Help' }).boundingBox())!;
    const line = (await page.getByRole('combobox', { name: 'in general' }).boundingBox())!;
    expect(shown.y + shown.height).toBeLessThanOrEqual(line.y);
    await button(board, 'Play again').click();
    await expect.poll(() => words(board).count()).toBe(0);
    // Nothing is left of the ending and of the solutions, and its controls can be pressed again.
    await board.locator('.said', { hasText: 'You started again.' }).waitFor();
    expect(await board.locator('.rank, .solved, .answer').filter({ visible: true }).count()).toBe(0);
    await button(board, 'Play').click();
    expect(await board.getAttribute('class')).toBe('board');
    await button(board, 'Check').click();
    expect(troubles).toEqual([]);
  });

  it('has the line of the word and Enter in sight at once on the smallest phone, and all buttons of each board in the page', async () => {
    const { page, board } = await open({ ...PHONE, viewport: { width: 320, height: 568 } });
    for (const shown of [1, 2]) {
      await expect.poll(() => board.count()).toBe(shown);
      const pane = (await page.locator('#channel .messages').boundingBox())!;
      const inSight = async () => {
        const word = (await page.locator('.board .word').last().boundingBox())!;
        const enter = (await button(board.last(), 'Enter').boundingBox())!;
        return word.y >= pane.y && enter.y + enter.height <= pane.y + pane.height;
      };
      await expect.poll(inSight).toBe(true);
      await say(page, 'today yesterday');
    }
    await page.setViewportSize(PHONE.viewport);
    for (const [at, line] of ['generate', 'what was the board yesterday'].entries()) {
      await say(page, line);
      await expect.poll(() => board.count()).toBe(at + 4);
      const buttons = board.last().locator('.below').getByRole('button');
      for (const one of await buttons.all()) {
        const { x, width, height } = (await one.boundingBox())!;
        const label = await one.innerText();
        expect([x >= 0, x + width <= 390, height < 50], label).toEqual([true, true, true]);
      }
      // What else the line may mean is no button of the board.
      expect(await buttons.filter({ hasText: 'yesterday' }).count()).toBe(0);
    }
  });

  it('keeps a stroke and its letters while its message changes', async () => {
    const { page, troubles, board } = await open(DESKTOP);
    // Not in a page of this browser, which would hide the first one where pages are seen.
    const others = await openPage(served.door.url, 'ben').listen();
    await page.mouse.move(...xy(await dot(board, 'b')));
    await page.mouse.down();
    await page.mouse.move(...xy(await dot(board, 'f')), { steps: 4 });
    const message = (await page.locator('li.message').last().getAttribute('id')) ?? '';
    const reply = { ...(await answer(served.app, 'today')), title: 'Changed' };
    await served.door.poster.edit({ tenant: 'web:local', channel: 'general' }, { message }, reply);
    // Others see the change by now, and so this page has it.
    await others.first(({ data }) => JSON.stringify(data).includes('Changed'));
    await others.close();
    await page.mouse.move(...xy(await dot(board, 'j')), { steps: 4 });
    // It rests there.
    await expect.poll(() => board.locator('.word').textContent()).toBe('BFJ');
    expect(await page.getByRole('heading', { name: 'Changed' }).count()).toBe(0);
    // Pressed again before the change is shown, which waits on.
    await page.evaluate(`document.dispatchEvent(new PointerEvent('pointerup'));
      document.getElementById(${JSON.stringify(message)}).dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))`);
    expect(await page.evaluate('new Promise((seen) => setTimeout(() => seen("not stuck")))')).toBe(
      'not stuck',
    );
    expect(await page.getByRole('heading', { name: 'Changed' }).count()).toBe(0);
    // As browsers end a touch that becomes something else.
    await page.evaluate(
      `document.querySelector('.box').dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1, bubbles: true }))`,
    );
    await page.getByRole('heading', { name: 'Changed' }).waitFor();
    expect(await board.locator('.word').textContent()).toBe('BFJ');
    expect(await page.locator('.board:focus').count()).toBe(1);
    // The stroke has ended.
    await page.mouse.move(...xy(await dot(board, 'm')));
    expect(await board.locator('.letter.is-near').count()).toBe(0);
    await page.mouse.up();
    // Once.
    const isSame = `document.getElementById(${JSON.stringify(message)})`;
    const isKept = await page.evaluate(`new Promise((seen) => {
      const before = ${isSame};
      document.dispatchEvent(new PointerEvent('pointerup'));
      setTimeout(() => seen(before === ${isSame}));
    })`);
    expect(isKept).toBe(true);
    // With two boards, what is typed beside them is for neither.
    await say(page, 'today');
    const shown = page.locator('.board .word');
    await expect.poll(() => shown.allTextContents()).toEqual(['BFJ', 'BFJ']);
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.type('m');
    expect(await shown.allTextContents()).toEqual(['BFJ', 'BFJ']);
    expect(troubles).toEqual([]);
  });

  it('sends letters of one person that did not arrive for nobody else, and keeps the board that they play in view', async () => {
    const { page, board } = await open({ viewport: { width: 1280, height: 720 } });
    await page.route('**/play', (route) => route.abort());
    const lost = lostUpTo(page, 'bf');
    await board.focus();
    await page.keyboard.type('bf');
    await lost;
    await page.unroute('**/play');
    // What else is said of the game of the other person is shown.
    await page.route('**/play', async (route) => {
      const response = await route.fetch();
      const { game } = await response.json();
      await route.fulfill({ response, json: { game: { ...game, notice: 'A freeze kept it.' } } });
    });
    const loaded = page.waitForResponse(
      (response) => movesOf(response.request()) === '' && response.request().postData()!.includes('"ben"'),
    );
    await page.getByLabel('You are').selectOption('ben');
    await (await loaded).finished();
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
    expect(await board.locator('.word').textContent()).toBe('');
    await board.locator('.said', { hasText: 'A freeze kept it.' }).waitFor();
    // Nor does the board that is gone send them in another name when the page is left.
    const kept = keptUpTo(page, 'bf');
    const isSeen = "document.dispatchEvent(new Event('visibilitychange'))";
    await page.evaluate(isSeen);
    expect((await kept).request().postData()).toContain('"ada"');
    // Since it answers again, nothing says that it does not.
    await expect.poll(() => page.locator('#status').textContent()).toBe('');
    await page.unrouteAll({ behavior: 'wait' });

    // The board that is played stays in view among others of its game, and its ending with all controls.
    await say(page, 'play');
    await expect.poll(() => board.count()).toBe(2);
    const played = board.nth(1);
    // What is typed goes to the board that was pressed last.
    await played.locator('.box').click();
    for (const word of ['bfjmcg', 'kdhlnbp']) {
      await page.keyboard.type(word);
      await page.keyboard.press('Enter');
    }
    await board.first().locator('.rank').waitFor();
    const line = (await page.getByRole('combobox', { name: 'in general' }).boundingBox())!;
    for (const part of ['.rank', '.solved summary']) {
      const place = async () => (await played.locator(part).boundingBox())!;
      await expect.poll(async () => (await place()).y, { message: part }).toBeGreaterThan(48);
      await expect.poll(async () => (await place()).y + (await place()).height).toBeLessThan(line.y);
    }
  });
});
