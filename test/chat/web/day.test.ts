import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../fakes/folder.ts';
import {
  browserNeeded,
  closePages,
  DESKTOP,
  leavePages,
  moveClock,
  moveToMorning,
  PHONE,
  seriousFindings,
  sharedBrowser,
  visit,
} from './browser.ts';
import { startLocalChat } from './serve.ts';

describe('a whole day in the local chat', browserNeeded, () => {
  const folder = makeFolder();
  let browser: Browser;
  let bot: Awaited<ReturnType<typeof startLocalChat>>;
  beforeAll(async () => {
    bot = await startLocalChat(folder);
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await Promise.all([closePages(browser), bot?.stop()]);
  });
  afterEach(() => leavePages(browser));

  const nextPost = async (page: Page, shown: string) => {
    await moveClock(page, 'Next post');
    await page.locator('#thread').getByText(shown).last().waitFor();
  };

  it('plays by moving its clock: opening, midday, evening, next morning', async () => {
    const { page, troubles } = await visit(browser, bot.url, DESKTOP);
    await moveToMorning(page);
    await page.getByRole('button', { name: 'daily on' }).click();
    await page.getByText('Only you can see this').waitFor();
    await nextPost(page, 'Best first letters');
    const opening = page.locator('#channel .message').last();
    await expect.poll(() => opening.locator('.thread-link').innerText()).toMatch(/· 1 message$/);
    await nextPost(page, 'How many words it takes');
    await nextPost(page, 'Shortest');
    await expect.poll(() => opening.locator('.thread-link').innerText()).toMatch(/· 3 messages$/);
    // Nothing is open before somebody opens it.
    expect(await page.locator('#thread .spoiler[open]').count()).toBe(0);
    await page.locator('#thread summary', { hasText: 'Shortest' }).click();
    await page.locator('#thread .spoiler[open] p').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    // The next morning closes the day and opens another, and is the time in every tab.
    const other = await page.context().newPage();
    // The clock that was moved is shown at once, and not with the next second.
    await other.addInitScript('setInterval = () => 0');
    await other.goto(bot.url);
    await other.locator('#channel .message').first().waitFor();
    const before = await page.locator('#thread-title').innerText();
    await moveClock(page, 'Next post');
    const [time, otherTime] = [page, other].map((one) => one.locator('#now'));
    await expect.poll(() => otherTime!.innerText()).toBe(await time!.innerText());
    await expect.poll(() => page.locator('.thread-link').count()).toBe(2);
    await expect.poll(() => page.locator('.thread-link').first().innerText()).toMatch(/closed$/);
    // In another tab, a thread that is closed does not come back in place of the new one.
    await expect.poll(() => other.locator('.thread-link').first().innerText()).toMatch(/closed$/);
    for (const one of [page, other])
      await expect.poll(() => one.locator('#thread-title').innerText()).not.toBe(before);
    expect(troubles).toEqual([]);
  });

  it('shows where the next post went: on a phone, and with another thread open', async () => {
    const { page, troubles } = await visit(browser, bot.url, PHONE);
    const isShown = async () => {
      const post = page.locator('.message.is-new').last();
      await post.waitFor();
      return {
        isThread: (await page.locator('#thread .message.is-new').count()) > 0,
        ...(await post.boundingBox()),
      };
    };
    // What the thread covers is out of the keyboard’s reach.
    const focusAndCovered = () =>
      page.evaluate(
        "[document.activeElement.id || document.activeElement.className, document.querySelectorAll('[inert]').length]",
      );
    // From the channel into the thread of the day.
    await moveClock(page, 'Next post');
    expect((await isShown()).isThread).toBe(true);
    expect(await focusAndCovered()).toEqual(['close-thread', 1]);
    // The next one is in the same thread, which Back closes at once.
    const entries = await page.evaluate('history.length');
    await moveClock(page, 'Next post');
    expect((await isShown()).isThread).toBe(true);
    expect(await page.evaluate('history.length')).toBe(entries);
    // The clock is in reach.
    await page.getByRole('button', { name: 'Next post' }).click({ trial: true });
    await page.getByRole('button', { name: 'Close the thread' }).click();
    expect(await focusAndCovered()).toEqual(['thread-link', 0]);
    // Nor is it left in the history, for Back to open again.
    await expect.poll(() => page.evaluate('history.state')).toBe(null);
    // Nor by the next message.
    await page.getByRole('combobox', { name: 'in general' }).fill('about');
    await page.keyboard.press('Enter');
    await page.locator('#channel .asked', { hasText: 'asked: about' }).waitFor();
    expect(await focusAndCovered()).toEqual([expect.anything(), 0]);
    await page.locator('.thread-link').last().click();
    expect(await focusAndCovered()).toEqual(['close-thread', 1]);
    for (const [{ viewport }, covered] of [
      [DESKTOP, 0],
      [PHONE, 1],
    ] as const) {
      await page.setViewportSize(viewport);
      await expect.poll(focusAndCovered).toEqual(['close-thread', covered]);
      // Nor does the focus stay there when the window narrows.
      if (covered === 0) await page.getByRole('combobox', { name: 'in general' }).focus();
    }
    // Back closes the thread, and leaves no page.
    await page.goBack();
    await expect.poll(focusAndCovered).toEqual(['thread-link', 0]);
    expect(page.url()).toBe(bot.url);
    // At a desk, with the thread of the day before open.
    await page.setViewportSize(DESKTOP.viewport);
    await page.locator('.thread-link').first().click();
    // It begins with its latest message in sight.
    const list = page.locator('#thread ol').locator('..');
    expect(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
    const below = (one: HTMLElement) => one.scrollHeight - one.clientHeight - one.scrollTop;
    expect(await list.evaluate(below)).toBeLessThan(2);
    const closed = await page.locator('#thread-title').innerText();
    await moveClock(page, 'Next post');
    await expect.poll(() => page.locator('#thread-title').innerText()).not.toBe(closed);
    expect((await isShown()).isThread).toBe(true);
    expect(troubles).toEqual([]);
  });

  it('opens the thread of a relay that was started, and again by its link', async () => {
    const { page, troubles } = await visit(browser, bot.url, DESKTOP);
    const relay = page.locator('#thread').getByText('Start with any word.');
    const type = async (line: string) => {
      await page.getByRole('combobox', { name: 'in general' }).fill(line);
      await page.keyboard.press('Enter');
    };
    await type('relay start');
    await relay.waitFor();
    for (let times = 0; times < 2; times++) {
      await page.getByRole('button', { name: 'Close the thread' }).click();
      await relay.waitFor({ state: 'hidden' });
      await page.getByRole('link', { name: 'Open the thread' }).last().click();
      await relay.waitFor();
    }
    // Where it covers nothing, Back does not close it.
    await page.goBack();
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
    expect(await relay.isVisible()).toBe(true);
    // What is asked in the thread is answered there.
    await page.getByRole('combobox', { name: 'in the thread' }).fill('about');
    await page.keyboard.press('Enter');
    const asked = (line: string) => page.locator('#thread .asked', { hasText: `asked: ${line}` });
    await asked('about').waitFor();
    // Also by a form, and for nobody else who opens it.
    await page.getByRole('combobox', { name: 'in the thread' }).fill('solve');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Sides').fill('ozu nri lfa mbt');
    await page.keyboard.press('Enter');
    await asked('solve').waitFor();
    for (const [person, count] of [
      ['ben', 0],
      ['ada', 2],
    ] as const) {
      await page.getByLabel('You are').selectOption(person);
      await expect.poll(() => page.locator('#thread .private').count()).toBe(count);
      await relay.waitFor();
    }
    await type('relay stop');
    await page.getByText('Relay ended').first().waitFor();
    expect(troubles).toEqual([]);
  });
});
