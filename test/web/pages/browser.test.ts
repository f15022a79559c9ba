import type { Browser, BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random.ts';
import { parseMoves } from '../../../src/play/game.ts';
import { playSoloGame } from '../../../src/players/solo-games.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { HINTS } from '../../../src/reply/replies/hint-steps.ts';
import {
  announced,
  browserNeeded,
  closePages,
  DESKTOP,
  findings,
  leavePages,
  PHONE,
  readClipboard,
  seriousFindings,
  sharedBrowser,
  visit,
} from '../../chat/web/browser.ts';
import { NOON } from '../../fakes/app.ts';
import { IS_LONG, sample } from '../../fakes/sample.ts';
import { resultIn } from '../../fakes/stored.ts';
import { drawOver, someHand } from './hand.ts';
import {
  addedTo,
  button,
  dot,
  draw,
  elementsOf,
  letter,
  middle,
  playFilm,
  said,
  words,
  xy,
} from './playing.ts';
import { onDiscord, type ServedPages, servePages } from './serve.ts';

const DAY = { date: '2026-11-20' as const };
const READY = '#board .board:not(.is-waiting)';
/** Where axe looks for what is wrong: in LONG, everywhere. */
const LOOKED_AT = ['a dead end', 'more ways to share'];
const isLookedAt = (state: string) => IS_LONG || LOOKED_AT.includes(state);

describe('a personal page in a browser, below a path of a web server', browserNeeded, () => {
  let browser: Browser;
  let served: ServedPages;
  beforeAll(async () => {
    [browser, served] = await Promise.all([sharedBrowser(), servePages('/games')]);
  });
  afterAll(async () => {
    await closePages(browser);
    await served?.close();
  });
  afterEach(() => leavePages(browser));

  async function open(link = served.newLink(), options: BrowserContextOptions = DESKTOP, ready = READY) {
    const { page, troubles } = await visit(browser, link, options, { ready, own: served.url });
    return { page, troubles, board: page.getByRole('region', { name: 'Board to play' }) };
  }

  const linkOf = (id: string) =>
    served.links.linkTo(onDiscord(id), DAY, { madeAt: NOON, until: NOON + 3_600_000 });

  it('is played in a person’s name by mouse and keyboard, with help', async () => {
    const [asker, link] = [onDiscord('7'), linkOf('7')];
    const { page, troubles, board } = await open(link);
    expect(page.url()).toBe(link.split('#')[0]);
    // As a mouse presses them, and as assistive technology does, whatever the mouse pressed before.
    await letter(board, 'b').click();
    await page.keyboard.press('Backspace');
    for (const [detail, name] of [...'bfj'].entries())
      await letter(board, name).dispatchEvent('click', { detail });
    for (const name of 'mcg') await letter(board, name).click();
    // Some browsers send the click to the letter that was pressed, and others do not.
    await letter(board, 'g').dispatchEvent('click', { detail: 1 });
    expect(await page.locator('.said.is-refused').count()).toBe(0);
    await button(board, 'Enter').click();
    await expect.poll(() => words(board).allTextContents()).toEqual(['BFJMCG']);
    const help = page.getByRole('region', { name: 'Help' });
    // A second press while the answer is on its way would cost the hint after it.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().replace(/.*\//, '')));
    const pressAgain = async (route: Route) => {
      await page.getByText('One moment …').waitFor();
      await button(board, 'Hint').click();
      await route.continue();
    };
    await page.route('**/help', pressAgain, { times: 1 });
    await button(board, 'Hint').click();
    // Where a word was played, its last letter is the start letter, and whether it is right is told only to who asks.
    await help.getByRole('heading', { name: /^Hint \d+ of \d+ ○*●○*$/ }).waitFor();
    // Nor would the second click of a double one, which may come after the answer.
    await button(board, 'Hint').dispatchEvent('click', { detail: 2 });
    expect(asked.filter((what) => what === 'help')).toHaveLength(1);
    await button(board, 'Am I on the way? (up to 6 points)').click();
    await help.getByRole('heading', { name: /^Hint \d+ of \d+ ○*●○*●/ }).waitFor();
    // The first hint was read out before.
    expect(await said(board).textContent()).toMatch(
      /^Hint 2 of \d+\. How many words it takes\. .* Your words begin a shortest solution\. This counts as 6 hint points$/,
    );
    await button(board, 'Solution').click();
    await help.getByText(/In your result, it counts as all hints: \d+ points/).waitFor();
    await button(board, 'Show it').click();
    await help.getByRole('heading', { name: 'Solution' }).waitFor();
    // What was agreed to is open at once, and other solutions are not.
    expect(await help.locator('details[open]').count()).toBe(1);
    expect(await help.getByText('GKDHLNBP').first().isVisible()).toBe(true);
    // Words of a translated page could not be played.
    const translated = `[...document.querySelectorAll('.letter, .words li, .answer [open] p')]
      .filter(({ translate }) => translate).map(({ textContent }) => textContent)`;
    expect(await page.evaluate(translated)).toEqual([]);
    // Nor are they read out, and Enter opens them.
    expect(await said(board).textContent()).toBe('Solution: Friday, November 20, 2026');
    await help.locator('summary').last().press('Enter');
    await expect.poll(() => help.locator('details[open]').count()).toBe(2);
    // Nothing is left that could cost more.
    await board.locator('.below small:empty').waitFor({ state: 'attached' });
    expect(await seriousFindings(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => words(board).allTextContents()).toEqual(['BFJMCG']);
    // Another board in a picture belongs elsewhere, and doesn't take the place of the page.
    const isStopped = await page.evaluate(`(async () => {
      const dataTransfer = new DataTransfer();
      const drawn = new OffscreenCanvas(9, 9);
      drawn.getContext('2d');
      const picture = await drawn.convertToBlob();
      dataTransfer.items.add(new File([picture], 'board.png', { type: 'image/png' }));
      return !document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    expect(isStopped).toBe(true);
    await page.getByText('This page is for its own board.').waitFor();
    // What was played elsewhere is there when somebody returns to the page.
    const isSeen = "document.dispatchEvent(new Event('visibilitychange'))";
    for (const word of ['bfjm', 'bfjmcg']) {
      await playSoloGame(asker, served.app, { options: DAY, words: [word] });
      await page.evaluate(isSeen);
      await expect.poll(() => words(board).allTextContents()).toEqual([word.toUpperCase()]);
    }
    await playSoloGame(asker, served.app, { options: DAY, moves: parseMoves('k')! });
    await page.evaluate(isSeen);
    await expect.poll(() => board.locator('.word').textContent()).toBe('GK');
    await board.focus();
    await page.keyboard.type('dhlm');
    await page.keyboard.press('Enter');
    await board.getByText('GKDHLM is not in the word list.').first().waitFor();
    // The next word begins anew, in one stroke from the letter that joins them.
    await page.mouse.move(...xy(await dot(board, 'g')));
    await page.mouse.down();
    for (const name of 'kdhlnbp') await page.mouse.move(...xy(await dot(board, name)), { steps: 4 });
    await page.mouse.up();
    // Lower than the ending and what is above it.
    await page.setViewportSize({ width: 320, height: 480 });
    await button(board, 'Enter').click();
    await board.getByRole('heading', { name: 'Solved', exact: true }).waitFor();
    expect(await hiddenOf(board, 320, 480)).toEqual([]);
    // Past the words, and past no letter.
    await board.focus();
    for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
    expect(await page.locator(':focus').innerText()).toBe('Share');
    // A solution that was shown is no find, and nobody is told “0 of 3”.
    await button(board, 'Hunt').waitFor();
    const result = await resultIn(served.store, 'discord:1', '7', '10', DAY.date);
    expect(result).toMatchObject({ words: 2, letters: 14 });
    expect(troubles).toEqual([]);
    // A browser that keeps no cookies leaves a new link unused.
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setDocumentCookieDisabled', { disabled: true });
    await page.goto(served.newLink());
    await page.getByText('Your browser keeps no cookies here').waitFor();
    await client.send('Emulation.setDocumentCookieDisabled', { disabled: false });
    await page.reload();
    await page.locator(READY).waitFor();
  });

  /** The parts of an ending that are cut off by the page. */
  async function hiddenOf(board: Locator, width: number, height: number) {
    const parts = ['.rank', '.box', '.week', '.solved .primary'].map((part) => board.locator(part));
    const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
    return parts.filter((_, nth) => {
      const { x, y, ...box } = boxes[nth]!;
      return x < 0 || y < 0 || x + box.width > width || y + box.height > height;
    });
  }

  it('shows the ending whole in windows of all sizes, has results to copy, and opens by a link once', async () => {
    const link = linkOf('8');
    await playSoloGame(onDiscord('8'), served.app, { options: DAY, words: ['bfjmcg', 'gkdhlnbp'] });
    const { page, troubles, board } = await open(link);
    // By the server's clock, which this browser's is days ahead of.
    await board.getByText(/^Next board in 1[45] h/).waitFor();
    // Whole in one view, on phones, at a desk, and in Discord’s windows.
    const few = [[320, 568], [960, 540], [1280, 800]] as const; // biome-ignore format: one line reads better
    const more = [[390, 664], [390, 844], [1280, 720], [1280, 560]] as const; // biome-ignore format: one line reads better
    for (const [width, height] of sample([...few, ...more], [...few])) {
      await page.setViewportSize({ width, height });
      expect(await hiddenOf(board, width, height), `${width}×${height}`).toEqual([]);
    }
    // In a low window, the head of the page begins with the board and ends with what stands beside it.
    await page.setViewportSize({ width: 960, height: 540 });
    const [head, table] = await Promise.all(
      ['.day', '.box'].map((part) => page.locator(part).first().boundingBox()),
    );
    expect(Math.abs(head!.x - table!.x)).toBeLessThan(2);
    await page.setViewportSize({ width: 1280, height: 800 });
    // At a desk, the rank stands over the praise and Share, beside the board.
    const rank = await middle(board.locator('.rank'));
    const praise = await middle(board.locator('.said strong'));
    const share = await middle(button(board, 'Share'));
    expect(Math.abs(rank.x - share.x) + Math.abs(praise.x - share.x)).toBeLessThan(4);
    expect(share.y - rank.y).toBeLessThan(240);
    // What is not granted is refused from here on.
    await page.context().grantPermissions([]);
    await board.getByText('More', { exact: true }).click();
    await button(board, 'Copy the line').click();
    await board
      .getByText('Your browser doesn’t let this page copy. Here it is: Letter Boxed')
      .first()
      .waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(board, 'Copy squares').click();
    await board.getByText('Copied.').first().waitFor();
    expect(await readClipboard(page)).toMatch(/^Letter Boxed, November 20 · 2 words · [a-z ]+\n🟦🟧/u);
    // The same link again, in this browser.
    await page.goto('about:blank');
    await page.clock.install();
    await page.setViewportSize({ width: 320, height: 480 });
    await page.goto(link);
    await board.locator('.rank').waitFor();
    // Who has solved it before is shown the head of the page.
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.clock.fastForward('14:30:00');
    await board.getByText(/^Next board in \d+ min$/).waitFor();
    expect(page.url()).toBe(link.split('#')[0]);
    // Taking the last word back while the win is celebrated cancels the ending.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await board.getByText('More', { exact: true }).click();
    await button(board, 'Play again').click();
    for (const [at, word] of ['bfjmcg', 'kdhlnbp'].entries()) {
      await expect.poll(() => words(board).count()).toBe(at);
      await page.keyboard.type(word);
      await page.keyboard.press('Enter');
    }
    await page.locator('.board.is-ending').waitFor();
    await page.keyboard.press('Backspace');
    await page.locator('.board:not(.is-ending)').waitFor();
    await page.clock.runFor(5_000);
    expect(await board.locator('.rank').isVisible()).toBe(false);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(troubles).toEqual([]);
  });

  const SCREENS: [string, BrowserContextOptions][] = [
    ['on a phone in the dark', { ...PHONE, colorScheme: 'dark' }],
    ['at a desk', DESKTOP],
  ];

  it.each(sample(SCREENS, SCREENS.slice(0, 1)))(
    '%s, nothing moves the box, and all is seen and heard',
    async (_, options) => {
      const { page, troubles, board } = await open(served.newLink(DAY), options);
      const box = await page.locator('.box').boundingBox();
      const heard: string[] = [];
      const seen: string[] = [];
      let before: string[] = [];
      await playFilm(page, async (state) => {
        expect(await page.locator('.box').boundingBox(), state).toEqual(box);
        if (isLookedAt(state)) expect(await findings(page), state).toEqual([]);
        heard.push(`=== ${state}`, (await said(board).textContent()) ?? '');
        if (['empty', 'solved'].includes(state))
          heard.push((await board.ariaSnapshot()).replace(/ in 1[45] h \d+ min$/m, ' in 15 h'));
        const now = await elementsOf(board);
        seen.push(`=== ${state}: ${now.length} elements`, ...addedTo(before, now));
        before = now;
      });
      // No word uncovers another one's line. Where motion is not wanted, none is drawn once more.
      const masks = await page.locator('mask').evaluateAll((all) => all.map(({ id }) => id));
      expect(new Set(masks).size).toBe(2);
      expect((await page.locator('[style*="--at"]').count()) > 0).toBe(IS_LONG);
      await expect(`${seen.join('\n')}\n`).toMatchFileSnapshot('expected/board-seen.txt');
      await expect(`${heard.join('\n')}\n`).toMatchFileSnapshot('expected/board-heard.txt');
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(troubles).toEqual([]);
    },
  );

  it('shows how to play until the first touch, enters words by keys, and lights the letters under the pointer', async () => {
    const { page, troubles, board } = await open();
    const how = board.locator('.how');
    await how.getByText('The next begins where it ends.').waitFor();
    // A loop of five seconds, or a still picture.
    const loops = () =>
      page.evaluate<string[]>(
        `document.querySelector('.how').getAnimations({ subtree: true }).map(({ effect }) => {
          const { duration, iterations } = effect.getTiming();
          return [duration, iterations].join();
        })`,
      );
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await loops()).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(new Set(await loops())).toEqual(new Set(['5000,Infinity']));
    await page.emulateMedia({ reducedMotion: 'reduce', contrast: 'more' });
    const colors =
      "[getComputedStyle(document.querySelector('.said')), getComputedStyle(document.body)].map(({ color }) => color)";
    expect(new Set(await page.evaluate<string[]>(colors)).size).toBe(1);
    await page.emulateMedia({ contrast: null });
    // Where B is on a Cyrillic keyboard.
    await page.evaluate(
      "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'и', code: 'KeyB', bubbles: true }))",
    );
    await expect.poll(() => how.count()).toBe(0);
    await board.locator('.word', { hasText: 'B' }).waitFor();
    await page.reload();
    await board.locator('.word', { hasText: 'B' }).waitFor();
    expect(await how.count()).toBe(0);
    // A key that is held enters a word once.
    let moves = '';
    page.on('request', (request) => {
      moves += /"moves":"([^"]*)"/.exec(request.postData() ?? '')?.[1] ?? '';
    });
    await board.focus();
    await page.keyboard.down('Enter');
    await board.locator('.said.is-refused').waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.type('f');
    await expect.poll(() => moves).toContain('f');
    expect(moves.split('.')).toHaveLength(2);
    // To start again asks only where a word would go. Letters are typed whatever was pressed, and Enter plays them.
    await button(board, 'Restart').click();
    const solve = async (...solution: string[]) => {
      for (const word of solution) {
        await page.keyboard.type(word);
        await page.keyboard.press('Enter');
        await words(board)
          .last()
          .filter({ hasText: new RegExp(word, 'i') })
          .waitFor();
      }
    };
    await solve('gkdhln', 'bp');
    await button(board, 'Take NBP back').waitFor();
    await button(board, 'Keep it').click();
    await button(board, 'Restart').click();
    await button(board, 'Keep playing').click();
    await button(board, 'Keep it').click();
    await button(board, 'Restart').click();
    // What is asked has the focus.
    await page.keyboard.press('Enter');
    await expect.poll(() => words(board).count()).toBe(0);
    // The last word is in sight, however narrow the board is.
    await page.evaluate("document.querySelector('.board').style.width = '5rem'");
    await solve('bfjmcg', 'kdhln');
    expect(await page.evaluate("document.querySelector('.words').scrollLeft")).toBeGreaterThan(0);
    await page.evaluate("document.querySelector('.board').style.width = ''");
    await board.getByText('GKDHLN is right. 1 letter left.').first().waitFor();
    // Nobody keeps the result of this board: it is copied.
    await page.keyboard.press('Backspace');
    await solve('bp');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(board, 'Share').click();
    await board.getByText('Copied.').first().waitFor();
    expect(await readClipboard(page)).toMatch(/^Letter Boxed, .* · 2 words\n🟦/u);
    // A board that begins again is shown from the head of its page.
    await page.setViewportSize(PHONE.viewport);
    await board.getByText('More', { exact: true }).click();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await button(board, 'Play again').click();
    await board.locator('.word').waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);

    // The letter under the pointer is lit with the next frame, before the stroke takes it.
    await page.setViewportSize(DESKTOP.viewport);
    // Read in the page, in the frame after the pointer has come there. On a slow machine, it may rest there by then.
    await page.evaluate(`document.addEventListener('pointermove', () => requestAnimationFrame(() => {
      const lit = document.querySelectorAll('.letter:is(.is-near, .is-last)');
      document.title = [...lit].map((letter) => letter.textContent).join('');
    }))`);
    await page.mouse.move(...xy(await dot(board, 'b')));
    // Another button draws nothing.
    await page.mouse.down({ button: 'right' });
    await page.mouse.up({ button: 'right' });
    expect(await board.locator('.word').textContent()).toBe('');
    await page.mouse.down();
    // A second finger begins no stroke of its own, and takes no part in this one.
    const [clientX, clientY] = xy(await dot(board, 'n'));
    await page.evaluate(`for (const kind of ['pointerdown', 'pointermove']) document.querySelector('.box')
      .dispatchEvent(new PointerEvent(kind, { pointerId: 77, clientX: ${clientX}, clientY: ${clientY} }))`);
    for (const name of 'jgm') {
      await page.mouse.move(...xy(await dot(board, name)));
      await page.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))');
      expect(await page.title()).toContain(name.toUpperCase());
    }
    await page.mouse.up();
    expect(await board.locator('.letter.is-near').count()).toBe(0);
    const word = board.locator('.word');
    await expect.poll(() => word.textContent()).toBe('BJGM');
    // Escape ends a stroke, which then adds nothing.
    await page.keyboard.press('Escape');
    await page.mouse.move(...xy(await dot(board, 'b')));
    await page.mouse.down();
    await page.mouse.move(...xy(await dot(board, 'j')), { steps: 4 });
    await page.mouse.move(...xy(await dot(board, 'g')), { steps: 4 });
    await expect.poll(() => word.textContent()).toBe('BJG');
    // Whoever stays there is told how to take it back.
    await board.getByText('Go back over the line to take G back.').first().waitFor();
    await page.keyboard.press('Escape');
    expect(await word.textContent()).toBe('');
    await page.mouse.up();
    expect(await word.textContent()).toBe('');
    // There is no line to go back over to a first letter. From there, it follows the pointer, and may end outside of the box.
    await page.mouse.move(...xy(await dot(board, 'b')));
    await page.mouse.down();
    await page.evaluate('new Promise((later) => setTimeout(later, 1_100))');
    expect(await board.locator('.said').textContent()).not.toContain('Go back');
    const trail = () => board.locator('.trail').getAttribute('d');
    const before = await trail();
    await page.mouse.move(...xy(await dot(board, 'c')));
    // It can't come next.
    await board.locator('.letter.is-barred', { hasText: 'C' }).waitFor();
    expect(await trail()).not.toBe(before);
    await page.mouse.move(2, 2, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(...xy(await dot(board, 'j')));
    await page.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))');
    expect(await board.locator('.letter.is-near').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(troubles).toEqual([]);
    // Letters are sent as soon as somebody leaves the page.
    const sent = await page.evaluate<number>(`{
      const { fetch } = window;
      let requests = 0;
      window.fetch = (...asked) => {
        requests++;
        return fetch(...asked);
      };
      document.querySelector('.board').dispatchEvent(new KeyboardEvent('keydown', { key: 'b', bubbles: true }));
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      delete document.hidden;
      window.fetch = fetch;
      requests;
    }`);
    expect(sent).toBe(1);
    await page.route('**/help', (route) => route.abort(), { times: 1 });
    await button(board, 'Hint').click();
    // The answer about the letter may clear it at once.
    await expect
      .poll(() => announced(page))
      .toContainEqual(expect.stringContaining('There is no connection to the server.'));
    await page.keyboard.press('Escape');
    await solve('bfjmcg', 'kdhlnbp');
    await board.locator('.rank').waitFor();
  });

  /** On phones of three sizes, a hint hides neither box nor controls, and is a line while somebody plays. */
  async function hintHidesNothing(page: Page, board: Locator) {
    await page.setViewportSize(PHONE.viewport);
    await page.evaluate('scrollTo(0, 0)');
    const card = page.getByRole('region', { name: 'Help' });
    const all = [[390, 664], [390, 844], [320, 568]] as const; // biome-ignore format: one line reads better
    const sizes = sample<readonly (readonly [number, number])[]>(all, all.slice(2));
    const steps = HINT_STEPS.slice(0, sample(4, 1));
    /** What is cut off by the page, or lies under the card, once the page is laid out. */
    const hidden = async (width: number, height: number, parts: readonly Locator[]) => {
      const over = (await card.boundingBox())!;
      const boxes = await Promise.all(
        parts.map(async (part) => [part.toString(), await part.boundingBox()] as const),
      );
      return [
        ...(over.x >= 0 && over.y >= 0 && over.x + over.width <= width ? [] : ['the card']),
        ...boxes
          .filter(([, box]) => box!.y < over.y + over.height || box!.y + box!.height > height)
          .map(([part]) => part),
      ];
    };
    const controls = ['Enter', 'Back', 'Restart', 'Hint'].map((name) => button(board, name));
    const onEach = async (parts: readonly Locator[], alsoThere = async () => {}) => {
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await expect.poll(() => hidden(width, height, parts), { message: `${width}×${height}` }).toEqual([]);
        await alsoThere();
      }
    };
    await button(board, 'Hint').click();
    const next = card.getByRole('button', { name: /^Next hint: / });
    const isTold = async () => {
      const opened = card.locator('details[open]');
      const [above, label, told, below] = await Promise.all(
        [card.getByRole('heading'), opened.locator('summary'), opened.locator('p').first(), next].map(
          (part) => part.boundingBox(),
        ),
      );
      // The heading may be higher after the page was turned.
      expect(label!.y + label!.height / 2).toBeGreaterThan(above!.y + above!.height);
      expect(told!.y + told!.height).toBeLessThanOrEqual(below!.y);
    };
    for (const step of steps) {
      await card.getByText(HINTS[step].label, { exact: true }).waitFor();
      // Wholly to be read: the newest hint, and what comes next.
      await onEach([board.locator('.box'), ...controls], async () => {
        await isTold();
      });
      // The last one beside the box, on a small phone that lies on its side, where the column is narrow.
      if (step === steps.at(-1)) await page.setViewportSize({ width: 568, height: 360 });
      await next.click();
    }
    await card.getByText(HINTS[HINT_STEPS[steps.length]!].label, { exact: true }).waitFor();
    await isTold();
    // There, the page had to scroll for it.
    await button(card, 'Close').click();
    await page.evaluate('scrollTo(0, 0)');
    await button(board, 'Hint').press('Enter');
    await expect
      .poll(async () => (await card.boundingBox())!.y + (await card.boundingBox())!.height)
      .toBeLessThanOrEqual(360);
    await page.setViewportSize(PHONE.viewport);
    await page.evaluate('scrollTo(0, 0)');
    await button(card, 'Solution').click();
    await card.getByText('It tells you every word of a solution.').waitFor();
    expect(await card.locator('details').first().isVisible()).toBe(false);
    await onEach([board.locator('.box'), ...controls]);
    const saved = page.waitForResponse('**/play');
    await letter(board, 'b').click();
    await expect.poll(async () => (await card.boundingBox())!.height).toBeLessThan(50);
    await onEach([board.locator('.word'), board.locator('.box'), ...controls], async () => {
      expect((await card.boundingBox())!.height).toBeLessThan(50);
    });
    await card.getByRole('button').click();
    await card.getByRole('heading', { name: /^Hint/ }).waitFor();
    // A solution is in no line above the board.
    await button(card, 'Show it').click();
    await card.getByRole('heading', { name: /^Solution/ }).waitFor();
    await letter(board, 'f').click();
    await expect.poll(() => card.innerText()).toMatch(/^Solution[^\n]*$/);
    // The next answer is no line.
    await button(board, 'Hint').click();
    await card.getByRole('heading', { name: /^Hint/ }).waitFor();
    // Else the tab would keep it for the next test.
    await saved;
  }

  it.each(sample(SCREENS, SCREENS.slice(0, 1)))(
    '%s, words come out as a hand draws them, nothing scrolls, and on a phone a hint hides nothing',
    async (_, options) => {
      const { page, troubles, board } = await open(undefined, {
        ...options,
        viewport: { ...options.viewport!, height: 560 },
      });
      const client = await page.context().newCDPSession(page);
      const random = new Random('chromium');
      const share = () => random.next() / 2 ** 32;
      await page.evaluate('scrollTo(0, 30)');
      const pointer = options.hasTouch ? ('finger' as const) : ('mouse' as const);
      for (const word of sample(
        ['kdhlnbp', 'mbjcg', 'fjbmcfp', 'ncfkb', 'lhlgn', 'pdjf'],
        ['kdhlnbp', 'lhlgn'],
      )) {
        for (const part of ['dot', 'letter'] as const) {
          const places = await Promise.all(
            Array.from(word, (name) => (part === 'dot' ? dot(board, name) : middle(letter(board, name)))),
          );
          const hand = { ...someHand(pointer, share), pauses: 0, rate: 60 };
          await draw(client, pointer, drawOver(places, hand, share));
          await expect.poll(() => board.locator('.word').textContent()).toBe(word.toUpperCase());
          expect(await page.evaluate('[scrollX, scrollY]')).toEqual([0, 30]);
          await page.keyboard.press('Escape');
          await expect.poll(() => board.locator('.word').textContent()).toBe('');
        }
      }
      // Nor when letters are typed while something else is focused.
      await button(board, 'Hint').focus();
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      const before = await page.evaluate<number>('scrollY');
      expect(before).toBeGreaterThan(50);
      await page.keyboard.type('bfjm');
      await expect.poll(() => board.locator('.word').textContent()).toBe('BFJM');
      expect(await page.evaluate('scrollY')).toBe(before);
      await page.keyboard.press('Escape');
      await expect.poll(() => board.locator('.word').textContent()).toBe('');
      if (options.hasTouch) await hintHidesNothing(page, board);
      expect(troubles).toEqual([]);
    },
  );
});
