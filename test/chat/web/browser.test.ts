import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PuzzleDate } from '../../../src/core/clock.ts';
import { shortDate, weekdayName } from '../../../src/core/text.ts';
import { openingMessage } from '../../../src/daily/delivery/messages.ts';
import { DEFAULT_SETTINGS } from '../../../src/daily/settings/settings.ts';
import { type OpeningPost, UNLEASED } from '../../../src/dispatch/poster.ts';
import { dateAt } from '../../../src/puzzle/calendar.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import type { Block, Inline, Reply } from '../../../src/reply/model/types.ts';
import { makePictures } from '../../../src/reply/picture/pictures.ts';
import { HINTS, hintTitle } from '../../../src/reply/replies/hint-steps.ts';
import { THREAD_STEPS } from '../../../src/reply/replies/thread-steps.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { readLexicon } from '../../../src/wordlists/load.ts';
import { NOON } from '../../fakes/app.ts';
import { houseOf } from '../../fakes/log-spoilers.ts';
import { IS_LONG, sample } from '../../fakes/sample.ts';
import { elementsOf } from '../../web/pages/playing.ts';
import {
  browserNeeded,
  closePages,
  DESKTOP,
  leavePages,
  PHONE,
  seriousFindings,
  sharedBrowser,
  visit,
} from './browser.ts';
import { type Served, serveWeb } from './serve.ts';

/** Each with a board whose hints nobody has seen. `npm test` has the first. */
const LOOKS: [string, BrowserContextOptions, string][] = [
  ['on a phone in the dark', { ...PHONE, colorScheme: 'dark' }, 'tub pxi snq oje'],
  ...(IS_LONG
    ? ([
        ['at a desk', DESKTOP, 'ozu nri lfa mbt'],
        ['on a phone', PHONE, 'tub pxi snq oja'],
        ['at a desk in the dark', { ...DESKTOP, colorScheme: 'dark' }, 'ozu nri lfa mbe'],
      ] as [string, BrowserContextOptions, string][])
    : []),
];

/** What opens a thread. */
const postOf = (key: string, reply: Reply): OpeningPost => ({
  channel: { tenant: 'web:local', channel: 'general' },
  threadName: 'The thread of the day',
  ...{ key, reply, ping: null, since: 0, ...UNLEASED },
});

const NEXT_FRAMES = 'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))';

/** What a message may show. */
function blocksOfEachKind(now: number): Block[] {
  const board = parseBoard('ozu nri lfa mbt');
  const action = { command: 'help', options: {} };
  const people: Inline[] = [{ person: 'ben' }, { person: 'a stranger' }, { channel: 'general' }];
  const links: Inline[] = [
    { link: '#thread', label: 'a thread' },
    { link: 'https://example.org/', label: 'a page' },
  ];
  const [minutes, hours, days] = [-3.6, 35 * 60, 36 * 60].map((after) => ({
    moment: now + after * 60_000,
    style: 'relative' as const,
  }));
  const styles = (['date', 'time', 'full', 'weekday'] as const).map((style) => ({ moment: NOON, style }));
  return [
    { kind: 'text', lines: ['A line', [{ bold: 'bold' }, ' ', { code: 'code' }, { command: 'help hint' }]] },
    { kind: 'text', lines: [people, links, [minutes!, hours!, days!], styles] },
    { kind: 'facts', facts: [{ label: 'Label', value: { bold: 'value' } }] },
    {
      kind: 'table',
      table: {
        caption: 'A table',
        columns: [{ label: 'Person', short: 'P' }, { label: 'Letter' }, { label: 'Number', isNumber: true }],
        rows: [[{ person: 'ada' }, 'A', 1.25]],
      },
    },
    { kind: 'picture', picture: { board }, alt: 'A picture' },
    { kind: 'picture', picture: { board }, alt: 'A hidden one', spoiler: true },
    { kind: 'picture', picture: { board, ending: { title: 'Virtuoso' } }, alt: 'A solved one' },
    { kind: 'spoiler', label: 'Hidden', hidden: ['hidden'], reveals: undefined },
    { kind: 'spoiler', label: 'Open', hidden: ['open'], reveals: undefined, open: true },
    { kind: 'menu', label: 'Choose', choices: [{ label: 'One', description: 'the first', action }, { label: 'Two', description: 'the second', action }] }, // biome-ignore format: one line reads better
    {
      kind: 'buttons',
      buttons: [
        { label: 'Plain', action },
        { label: 'Primary', action, look: 'primary' },
      ],
    },
    { kind: 'note', line: ['A ', { bold: 'note' }] },
    { kind: 'file', name: 'file.json', type: 'application/json', content: '{}' },
  ];
}

describe('the local chat in a browser', browserNeeded, () => {
  let browser: Browser;
  let served: Served;
  beforeAll(async () => {
    [browser, served] = await Promise.all([sharedBrowser(), serveWeb({ pictures: makePictures() })]);
  });
  beforeEach(async () => {
    // Nobody here types as fast as a test does.
    served.clock.time += 60_000;
    // Without the messages of the test before: each costs drawing, and a search for what is wrong with it.
    await served.restart();
  });
  afterEach(() => leavePages(browser));
  afterAll(async () => {
    await closePages(browser);
    await served?.close();
  });

  const type = async (page: Page, line: string) => {
    await page.getByRole('combobox', { name: 'in general' }).fill(line);
    await page.keyboard.press('Enter');
  };
  const last = (page: Page) => page.locator('#channel .message').last();
  /** Waits until what is done is answered: `last` is another message then. */
  const answered = async (page: Page, act: () => Promise<void>) => {
    const messages = page.locator('#channel .message');
    const before = await messages.count();
    await act();
    await expect.poll(() => messages.count()).toBe(before + 1);
  };

  /** Whether each part is whole within the pane of the channel. */
  const areInPane = async (page: Page, parts: readonly Locator[]) => {
    const [pane, ...boxes] = await Promise.all(
      [page.locator('#channel .messages'), ...parts].map((part) => part.boundingBox()),
    );
    return boxes.map((box) => box!.y >= pane!.y && box!.y + box!.height <= pane!.y + pane!.height);
  };

  it('solves the board in a picture that is chosen or dropped, and comes back when the bot does', async () => {
    const { page, troubles } = await visit(browser, served.door.url);
    // What is asked beside an open thread is answered in the channel.
    const { poster } = served.door;
    const day: Reply = { title: 'A day', blocks: [], audience: 'everyone' };
    const opened = await poster.open(postOf('open', day));
    const thread = page.locator('#thread');
    await thread.getByText('The thread of the day').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.locator('#channel').getByRole('button', { name: 'Picture' }).click();
    const chooser = await choosing;
    // This is the board of the day. A small picture is sent as it is.
    await page.evaluate(`{
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (...how) {
        globalThis.sentWidth = this.width;
        toBlob.apply(this, how);
      };
    }`);
    await answered(page, () => chooser.setFiles('docs/screenshots/board-phone.png'));
    expect(await page.evaluate('sentWidth')).toBe(390);
    await last(page).getByText('Solutions: Friday, November 20, 2026').waitFor();
    const picture = readFileSync('test/fakes/board.png', 'base64');
    const drop = (file: string) =>
      page.evaluate<void>(`(async () => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([${file}], 'board.png', { type: 'image/png' }));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      })()`);
    const bytes = `Uint8Array.from(atob('${picture}'), (character) => character.charCodeAt(0))`;
    await answered(page, () => drop(bytes));
    await last(page).getByText('Solutions: OZU NRI LFA MBT').waitFor();
    // Another file is no picture, and the browser would show one that is dropped; a text is none of ours.
    const isLeft = (event: 'dragover' | 'drop' | 'paste', files: number) =>
      page.evaluate<boolean>(`{
        const dataTransfer = new DataTransfer();
        if (${files} > 0) dataTransfer.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }));
        else dataTransfer.setData('text/plain', 'x');
        const how = { dataTransfer, clipboardData: dataTransfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new (${event === 'paste' ? 'ClipboardEvent' : 'DragEvent'})('${event}', how));
      }`);
    const status = page.locator('#status');
    for (const event of ['dragover', 'drop', 'paste'] as const)
      expect(await isLeft(event, 0), event).toBe(true);
    // On a slow machine the last answer was shown before its request ended.
    await expect.poll(() => status.textContent()).toBe('');
    expect([await isLeft('dragover', 1), await isLeft('drop', 1)]).toEqual([false, false]);
    await status.getByText('I can’t read that file').waitFor();
    await status.evaluate((one) => one.replaceChildren());
    await chooser.setFiles('README.md');
    await status.getByText('I can’t read that file').waitFor();
    // A large picture is sent smaller.
    await page.evaluate("globalThis.drawn = new OffscreenCanvas(3000, 2000); void drawn.getContext('2d');");
    await drop('await drawn.convertToBlob()');
    await expect.poll(() => page.evaluate('sentWidth')).toBe(1936);

    // In a thread, commands go into its own line, and what is pressed is answered there.
    const blocks: Block[] = [
      { kind: 'text', lines: [[{ command: 'help hint' }]] },
      { kind: 'buttons', buttons: [{ label: 'Press', action: { command: 'help', options: {} } }] },
    ];
    await poster.post({ ...postOf('told', { ...day, blocks }), thread: opened });
    await thread.getByRole('button', { name: '/letterboxed help hint' }).click();
    expect(await page.getByRole('combobox', { name: 'in the thread' }).inputValue()).toBe('help hint');
    await thread.getByRole('button', { name: 'Press' }).click();
    await thread.locator('.asked', { hasText: 'asked: help' }).waitFor();
    // What is posted there later is not shown in another one. A first message that changes keeps its link.
    await poster.open({ ...postOf('other', day), threadName: 'Another one' });
    await thread.getByText('Another one').waitFor();
    await poster.post({ ...postOf('late', { ...day, title: 'Late' }), thread: opened });
    await page.getByRole('button', { name: 'The thread of the day · 3 messages' }).waitFor();
    expect(await thread.getByText('Late').count()).toBe(0);
    await poster.edit(postOf('', day).channel, opened, { ...day, title: 'Changed' });
    await page.locator('article', { hasText: 'Changed' }).locator('.thread-link').waitFor();
    expect(troubles).toEqual([]);

    // The page comes back after a proxy has answered for a bot that is restarting.
    await served.door.poster.open(postOf('gone', { title: 'A day', blocks: [], audience: 'everyone' }));
    await page.locator('#thread').getByText('The thread of the day').waitFor();
    let isDown = true;
    await page.route('**/events?*', (route) => (isDown ? route.fulfill({ status: 502 }) : route.continue()));
    await page.locator('#person').selectOption('ben');
    await status.getByText('This page comes back by itself').waitFor();
    await served.restart();
    isDown = false;
    await status.getByText('This page comes back by itself').waitFor({ state: 'hidden' });
    // It is small where the person has played a word today.
    await page.getByText('Games and results are kept if DATA_DIR is set').waitFor({ state: 'attached' });
    expect(await page.locator('.is-lost').count()).toBe(0);
    // The clock goes on.
    const clock = page.locator('#now');
    const shown = await clock.innerText();
    await page.evaluate('{ const { now } = Date; Date.now = () => now() + 60_000; }');
    await expect.poll(() => clock.innerText()).not.toBe(shown);
    expect(await page.locator('#thread').isVisible()).toBe(false);
    await type(page, 'reveal ozu nri lfa mbt');
    await last(page).getByText('Ben asked').waitFor();
    // What could not be asked for is closed again, and asked for when it is opened again.
    let asked = 0;
    await page.route('**/open', (route) => {
      asked += 1;
      return route.abort();
    });
    const spoiler = last(page).locator('summary', { hasText: 'Shortest' });
    await spoiler.click();
    await status.getByText('The bot is not running').waitFor();
    await page.evaluate(NEXT_FRAMES);
    expect([await last(page).locator('.spoiler[open]').count(), asked]).toEqual([0, 1]);
    await page.unroute('**/open');
    // What is opened at the lower edge is scrolled to.
    await spoiler.evaluate((one) => one.scrollIntoView({ block: 'end' }));
    await spoiler.click();
    await last(page).locator('.hidden-lines p').first().waitFor();
    await expect.poll(() => areInPane(page, [last(page)])).toEqual([true]);
    // An answer that takes a while is on its way until it is there.
    const held = Promise.withResolvers<void>();
    await page.route('**/say', async (route) => {
      await held.promise;
      await route.continue();
    });
    await type(page, 'about');
    await status.getByText('One moment …').waitFor();
    held.resolve();
    await last(page).getByText('Letter Boxed bot').waitFor();
    await expect.poll(() => status.textContent()).toBe('');
    await page.unroute('**/say');
    // What is said meanwhile stays.
    const late = Promise.withResolvers<Route>();
    await page.route('**/say', late.resolve, { times: 1 });
    await type(page, 'about');
    await status.getByText('One moment …').waitFor();
    await page.getByRole('button', { name: 'Next post' }).click();
    await status.getByText('Nothing scheduled.').waitFor();
    const said = page.waitForResponse('**/say');
    await (await late.promise).continue();
    await (await said).finished();
    await page.evaluate(NEXT_FRAMES);
    expect(await status.textContent()).toContain('Nothing scheduled.');
    // A line that could not be sent comes back, unless another one was begun meanwhile.
    const line = page.getByRole('combobox', { name: 'in general' });
    for (const begun of ['', 'hint']) {
      const lost = Promise.withResolvers<void>();
      const abort = (route: Route) => lost.promise.then(() => route.abort());
      await page.route('**/say', abort, { times: 1 });
      await type(page, 'today');
      await line.fill(begun);
      lost.resolve();
      await status.getByText('The bot is not running').waitFor();
      await expect.poll(() => line.inputValue()).toBe(begun || 'today');
    }
  });

  it.each(LOOKS)(
    '%s: types with completion, opens spoilers by mouse and keyboard, fills in forms, switches person',
    async (_, options, sides) => {
      const { page, troubles } = await visit(browser, served.door.url, options);
      const input = page.getByRole('combobox', { name: 'in general' });

      expect(await input.and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.type('h');
      const offered = page.locator('#channel .suggestions [role=option]');
      await offered.nth(1).waitFor();
      const chosen = () => input.getAttribute('aria-activedescendant');
      const most = (await offered.count()) - 1;
      for (const [key, at] of [
        ['ArrowUp', most],
        ['ArrowDown', 0],
        ['ArrowDown', 1],
        ['ArrowUp', 0],
        ['ArrowUp', most],
      ]) {
        await page.keyboard.press(`${key}`);
        expect(await chosen()).toMatch(`suggestions-channel-${at}`);
        expect(await page.locator('[aria-selected=true]').getAttribute('id')).toBe(await chosen());
      }
      // In forced colours, no other background tells the choice.
      const outlines =
        "['true', 'false'].map((is) => getComputedStyle(document.querySelector('[aria-selected=' + is + ']')).outlineStyle)";
      expect(await page.evaluate(outlines)).toEqual(['solid', 'none']);
      await page.keyboard.press('Escape');
      expect([await chosen(), await input.getAttribute('aria-expanded')]).toEqual([null, 'false']);
      await input.fill('to');
      await page.getByRole('option', { name: 'today' }).waitFor();
      // Back takes nothing that is offered, and leaves none of it over what it goes to.
      await page.keyboard.press('Shift+Tab');
      expect(await offered.filter({ visible: true }).count()).toBe(0);
      await input.focus();
      // Letters are typed on, whatever is offered.
      await page.keyboard.type('d');
      expect(await input.inputValue()).toBe('tod');
      await page.getByRole('option', { name: 'today' }).waitFor();
      await page.keyboard.press('ArrowDown');
      expect(await chosen()).toBe('suggestions-channel-0');
      expect(await input.getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('Enter');
      expect(await input.inputValue()).toBe('today ');
      await input.fill('tod');
      await page.getByRole('option', { name: 'today' }).click();
      expect(await input.inputValue()).toBe('today ');
      await page.keyboard.press('Escape');
      await answered(page, () => page.keyboard.press('Enter'));
      await last(page).getByRole('region', { name: 'Board to play' }).waitFor();

      // A card of hints, by mouse, by keyboard, and by its menu.
      await answered(page, () => last(page).getByRole('button', { name: 'Hint', exact: true }).click());
      await last(page).getByText('Only you can see this').waitFor();
      // What the earlier runs saw of the day's board is on its card already.
      await answered(page, () => type(page, `hint ${sides}`));
      await last(page).getByText('Hint 1 of').waitFor();
      await last(page)
        .getByRole('button', { name: /^Next hint/ })
        .focus();
      await page.keyboard.down('Enter');
      await last(page).getByText(HINTS[HINT_STEPS[1]!].label).waitFor();
      // The key is still held, and takes no further hint.
      await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
      // Nor does the second click of a double one.
      await last(page)
        .getByRole('button', { name: /^Next hint/ })
        .dispatchEvent('click', { detail: 2 });
      // The keyboard keeps its place in the message that was replaced.
      expect(
        await last(page)
          .getByRole('button', { name: /^Next hint/ })
          .evaluate((button) => button === button.ownerDocument.activeElement),
      ).toBe(true);
      expect(await last(page).innerText()).toMatch(/It takes \d words?/);
      const left = HINT_STEPS.filter((step) => !HINT_STEPS.slice(0, 2).includes(step));
      const index = left.indexOf('joint') + 1;
      await last(page).getByRole('combobox', { name: 'Another hint' }).selectOption({ index });
      await last(page)
        .getByText(hintTitle([...HINT_STEPS.slice(0, 2), 'joint']))
        .waitFor();
      expect(await seriousFindings(page)).toEqual([]);

      // The whole solution, which costs nothing on this board: shown and hidden again by mouse, shown by keyboard.
      await answered(page, () => last(page).getByRole('button', { name: 'Show the solution' }).click());
      const words = last(page)
        .getByText(/[A-Z]{3,} – [A-Z]{3,}/)
        .first();
      const spoiler = last(page).locator('summary', { hasText: 'Shortest' });
      await spoiler.click();
      await words.waitFor();
      await spoiler.click();
      await expect.poll(() => words.isVisible()).toBe(false);
      await spoiler.focus();
      await page.keyboard.press('Space');
      await words.waitFor();
      const cover = last(page).getByRole('button', { name: 'Hidden picture' });
      await cover.click();
      const picture = last(page).getByRole('img');
      await picture.waitFor();
      expect(await picture.and(page.locator(':focus')).count()).toBe(1);
      // What was shown twice is there once.
      const shown = await last(page).locator('.spoiler[open] .hidden-lines p').allInnerTexts();
      expect(new Set(shown).size).toBe(shown.length);
      await expect
        .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
        .toBe(800);

      // What is missing is asked for by a form, which stays open with what was typed until it is right.
      const dialog = page.getByRole('dialog');
      await type(page, 'solve');
      await dialog.locator('[name=sides]:required').fill('ozu');
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').getByText('I can’t tell where a side ends').waitFor();
      expect(await dialog.getByLabel('Sides').inputValue()).toBe('ozu');
      await dialog.locator('.primary').click();
      await expect.poll(() => dialog.locator(':focus').getAttribute('name')).toBe('sides');
      expect(await seriousFindings(page)).toEqual([]);
      // What is sent is sent once, and its answer closes no form that was opened since.
      const sends: Route[] = [];
      await page.route('**/submit', (route) => void sends.push(route));
      await dialog.getByLabel('Sides').fill(sides);
      await page.keyboard.press('Enter');
      await expect.poll(() => sends.length).toBe(1);
      expect(await dialog.locator('.primary').isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await type(page, `check ${sides}`);
      await dialog.getByLabel('Words').fill('xyzzy');
      const taken = page.waitForResponse('**/submit');
      await sends[0]!.continue();
      await (await taken).finished();
      await page.evaluate(NEXT_FRAMES);
      await page.keyboard.press('Enter');
      await expect.poll(() => sends.length).toBe(2);
      // Nor does Enter in a long field send it again.
      await page.keyboard.press('Enter');
      await sends[1]!.continue();
      await page.getByText('which is not on this board').last().waitFor();
      expect([await dialog.isVisible(), sends.length]).toEqual([false, 2]);
      await page.unroute('**/submit');

      // What people type is shown as they typed it, and nothing of it runs.
      await type(page, 'check <img/src=x/onerror=alert(1)> ||`@everyone`|| **bold**');
      await page.getByText('<img/src=x/onerror=alert').last().waitFor();
      expect(await page.locator('.message img[src=x]').count()).toBe(0);

      // Suggestions for a line that was left, changed or sent meanwhile are not shown, nor any after Escape.
      const choose = async () => {
        const next = page.waitForResponse('**/suggest');
        await input.press('ArrowUp');
        await input.press('Tab');
        await (await next).finished();
      };
      const send = () => answered(page, () => input.press('Enter'));
      for (const leave of [() => input.blur(), () => input.press('Escape'), choose, send]) {
        await input.fill('h');
        await offered.filter({ hasText: 'hint' }).first().waitFor();
        const asked = Promise.withResolvers<Route>();
        await page.route('**/suggest', asked.resolve, { times: 1 });
        await input.fill('about');
        const held = await asked.promise;
        await leave();
        const suggested = page.waitForResponse('**/suggest');
        await held.continue();
        await (await suggested).finished();
        await page.evaluate(NEXT_FRAMES);
        const late = leave === choose ? offered.filter({ hasText: 'about' }) : offered;
        expect(await late.filter({ visible: true }).count()).toBe(0);
      }

      // Lines that were sent come back, one that was sent twice once.
      await input.fill('about');
      await answered(page, () => page.keyboard.press('Enter'));
      for (const [key, line] of [
        ['ArrowUp', 'about'],
        ['ArrowUp', 'check <img/src=x/onerror=alert(1)> ||`@everyone`|| **bold**'],
        ['ArrowDown', 'about'],
        ['ArrowDown', ''],
        ['ArrowDown', ''],
      ] as const) {
        await page.keyboard.press(key);
        expect(await input.inputValue()).toBe(line);
      }
      // An empty line is not sent, and the one that is typed stays.
      const paths: string[] = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await page.keyboard.press('Enter');
      await input.fill('xyzzy');
      await page.keyboard.press('ArrowUp');
      expect(await input.inputValue()).toBe('xyzzy');
      expect(paths).not.toContain('/say');
      await input.fill('');

      // Others don't see what was private.
      const isPrivate = page.getByText('Only you can see this');
      expect(await isPrivate.count()).toBeGreaterThan(2);
      await page.getByLabel('You are').selectOption('ben');
      await expect.poll(() => isPrivate.count()).toBe(0);
      expect(await page.getByText('Ada asked:').count()).toBeGreaterThan(0);
      // Nor what comes for Ada from now on.
      for (const [person, title] of [
        ['ada', 'For Ada'],
        ['ben', 'For Ben'],
      ] as const) {
        const where = { tenant: 'web:local', channel: 'general' };
        const blocks = blocksOfEachKind(served.clock.time);
        await served.door.poster.notify(where, person, { title, blocks, audience: 'asker' });
      }
      await page.getByRole('heading', { name: 'For Ben' }).waitFor();
      expect(await page.getByRole('heading', { name: 'For Ada' }).count()).toBe(0);
      const parts = [page.locator('.asked').first(), last(page)];
      const elements = (await Promise.all(parts.map(elementsOf))).flat();
      await expect(`${elements.join('\n')}\n`).toMatchFileSnapshot('expected/blocks.txt');
      // A command that a message names goes into the line to type in.
      const status = page.locator('#status');
      await page.getByRole('button', { name: 'Next post' }).click();
      await status.getByText('Nothing scheduled. Type daily on first.').waitFor();
      const times = last(page).locator('time.relative');
      await page.getByRole('button', { name: '+1 h' }).click();
      await expect.poll(() => times.allInnerTexts()).toEqual(['1 hour ago', 'in 34 hours', 'in 35 hours']);
      await status.getByText('The clock now says').waitFor();
      await last(page).getByRole('button', { name: '/letterboxed help hint' }).click();
      expect(await input.inputValue()).toBe('help hint');
      await page.getByRole('option', { name: 'hint Your next hint' }).waitFor();
      await answered(page, () => page.keyboard.press('Enter'));
      expect(await status.textContent()).toBe('');
      // The same may be chosen again.
      const menu = page.getByRole('combobox', { name: 'Choose' });
      await answered(page, async () => void (await menu.selectOption('Two: the second')));
      expect(await menu.inputValue()).toBe('');
      // A message that has nothing to press any more keeps the focus itself.
      const changed = page.locator('.message', { has: page.getByRole('combobox', { name: 'Choose' }) });
      const message = (await changed.getAttribute('id'))!;
      await changed.getByRole('button', { name: 'Plain' }).focus();
      const reply: Reply = { title: 'Changed', blocks: [], audience: 'asker' };
      await served.door.poster.edit(postOf('', reply).channel, { message }, reply);
      await page.getByRole('heading', { name: 'Changed' }).waitFor();
      expect(await page.locator(':focus').getAttribute('id')).toBe(message);
      // Another day brings the board that words are played on from then on.
      await page.getByRole('button', { name: '+1 day' }).click();
      await last(page).getByText('asked: today').waitFor();
      expect(troubles).toEqual([]);
    },
  );

  // Days whose names are the longest there are, and take two lines.
  const windows: [string, BrowserContextOptions, PuzzleDate][] = [
    ['390×844', PHONE, '2026-11-18'],
    ['1280×800', { viewport: { width: 1280, height: 800 } }, '2026-11-11'],
  ];
  it.each(sample(windows, windows.slice(0, 1)))(
    'at %s, shows the welcome, boards and a leaderboard whole',
    async (name, options, date) => {
      const { page } = await visit(browser, served.door.url, options);
      const welcome = page.getByText('Connect letters to make words');
      const board = page.locator('#channel .board');
      const parts = [
        welcome,
        board.locator('.word'),
        board.locator('.box'),
        ...['Enter', 'Hint', 'Check'].map((name) => board.getByRole('button', { name, exact: true })),
      ];
      await expect.poll(() => areInPane(page, parts)).toEqual(parts.map(() => true));
      // A low phone shows the board without the rules.
      await page.setViewportSize({ width: 390, height: 664 });
      await expect.poll(() => areInPane(page, parts.slice(1))).toEqual(parts.slice(1).map(() => true));
      // The clock has one row of buttons there, too, and none of the welcome's is cut off.
      await page.setViewportSize({ width: 320, height: 720 });
      // Nor is what the line to type in suggests, as wide as if it was typed.
      const line = page.locator('#channel .composer input');
      const cut = (input: HTMLInputElement) => {
        input.value = input.placeholder;
        const width = input.scrollWidth - input.clientWidth;
        input.value = '';
        return width;
      };
      expect(await line.evaluate(cut)).toBe(0);
      const tries = page.locator('.welcome .buttons');
      expect(await tries.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      const tops = page
        .locator('.clock button')
        .evaluateAll((buttons) => buttons.map((one) => one.getBoundingClientRect().top));
      expect(new Set(await tops).size).toBe(1);
      // Messages scroll between the header and the line to type in, and the page itself does not.
      await answered(page, () => type(page, 'help'));
      const sizes = '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]';
      expect(await page.evaluate(sizes)).toEqual([320, 720]);
      // Whose game is theirs alone.
      await page.evaluate("document.querySelector('#channel .board').classList.add('before')");
      await page.locator('#person').selectOption(name === '390×844' ? 'ben' : 'cleo');
      // What is typed on the board of the person before would be lost with it.
      await page.locator('#channel .board:not(.before)').waitFor();
      await welcome.waitFor();
      const [first = ''] = houseOf(readLexicon(), dateAt(served.clock.time)).official ?? [];
      await board.focus();
      await page.keyboard.type(first);
      await page.keyboard.press('Enter');
      await board.locator('.words li').waitFor();
      expect(await welcome.isVisible()).toBe(false);
      await page.setViewportSize(options.viewport!);
      // Where somebody plays, nothing is scrolled to what is posted.
      await line.focus();
      await showsDayWhole(page, name, date);
      if (options === PHONE) await fitsLeaderboard(page);
    },
  );

  /** The board of the day and its buttons, without scrolling. */
  async function showsDayWhole(page: Page, name: string, date: PuzzleDate) {
    const puzzle = houseOf(readLexicon(), date);
    await served.store.puzzles.keep({ date, source: 'house', puzzle, at: NOON });
    // Of a channel that has every step, each at another time.
    const now = served.clock.time;
    const span = { from: now, to: now + 86_400_000 };
    const coming = THREAD_STEPS.map((step, at) => ({ step, at: now + (at + 1) * 3_600_000 }));
    const opening = openingMessage(
      { puzzle, settings: DEFAULT_SETTINGS },
      { span, postedSteps: [], coming, zone: 'UTC' },
      now,
    );
    await served.door.poster.open(postOf(`at ${name}`, opening));
    const title = `${weekdayName(date)}, ${shortDate(date)} · ${puzzle.difficulty} · par ${puzzle.par}`;
    await last(page).getByText(title).waitFor();
    const message = page.locator('#channel .message', { hasText: title }).last();
    const board = message.getByRole('region', { name: 'Board to play' });
    const above = (await message.innerText()).split(/\s*Top:/)[0];
    expect(above).toBe(title);
    const parts = [
      board,
      ...['Enter', 'Hint', 'Check'].map((name) => message.getByRole('button', { name, exact: true })),
    ];
    const isInSight = () => areInPane(page, parts);
    await expect.poll(isInSight).toEqual([true, true, true, true]);
    // On a tall phone, nearly as wide as there.
    expect((await board.locator('.box').boundingBox())!.width).toBeGreaterThan(335);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await isInSight()).toEqual([true, true, true, true]);

    // As much of it is in sight with a hint and a word.
    await message.getByRole('button', { name: 'Hint', exact: true }).click();
    await last(page).getByText('Only you can see this').waitFor();
    const card = board.getByRole('region', { name: 'Help' });
    await card.getByRole('heading', { name: /^Hint/ }).waitFor();
    const [told, next] = await Promise.all(
      [card.locator('details[open] p').last(), card.locator('.buttons')].map((part) => part.boundingBox()),
    );
    expect(told!.y + told!.height).toBeLessThanOrEqual(next!.y);
    // The next one has a price of its own.
    await board.getByText(/^\d points?$/).waitFor();
    expect(await isInSight()).toEqual([true, true, true, true]);
    await board.focus();
    await page.keyboard.type(puzzle.official![0]!);
    await page.keyboard.press('Enter');
    await board.locator('.words li').waitFor();
    expect(await isInSight()).toEqual([true, true, true, true]);
    expect(await seriousFindings(page)).toEqual([]);
  }

  /** Seven columns, of which no word is broken; then a thread over it. */
  async function fitsLeaderboard(page: Page) {
    await type(page, 'record 2 words');
    await last(page).getByText('self-reported').first().waitFor();
    await answered(page, () => type(page, 'leaderboard'));
    const table = last(page).locator('.data-table');
    expect((await table.locator('th').allInnerTexts()).join(' ')).toMatch(
      /^# Player Days Words Ltrs Hints Note @/,
    );
    const heights = await table
      .locator('thead th')
      .evaluateAll((cells) => cells.map(({ clientHeight }) => clientHeight));
    expect(Math.max(...heights)).toBeLessThan(1.5 * Math.min(...heights));
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    // A thread that covers it stays open after a reload.
    await served.door.poster.open(postOf('reload', { title: 'A day', blocks: [], audience: 'everyone' }));
    await page.getByRole('button', { name: 'The thread of the day' }).last().click();
    await page.reload();
    await page.locator('#thread').getByText('The thread of the day').waitFor();
    // What is posted in the channel is shown there.
    vi.spyOn(served.time, 'next').mockImplementationOnce(async () => {
      const reply: Reply = { title: 'Now', blocks: [], audience: 'asker' };
      await served.door.poster.notify(postOf('', reply).channel, 'ada', reply);
      return undefined;
    });
    await page.getByRole('button', { name: 'Next post' }).click();
    await page.locator('#channel .is-new', { hasText: 'Now' }).waitFor();
    expect(await page.locator('#thread').isVisible()).toBe(false);
  }
});
