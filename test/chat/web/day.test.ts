import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_LONG } from '../../fakes/sample.ts';
import { type RunningBot, startBot } from './bot.ts';
import {
  DESKTOP,
  hasBrowser,
  launch,
  moveClock,
  moveToMorning,
  PHONE,
  seriousFindings,
  visit,
} from './browser.ts';

describe.skipIf(!hasBrowser)('a whole day in the local chat', () => {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-day-'));
  let browser: Browser;
  let bot: RunningBot;
  beforeAll(async () => {
    bot = await startBot(folder);
    browser = await launch();
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), bot?.stop()]);
    rmSync(folder, { recursive: true });
  });

  const nextPost = async (page: Page, shown: string) => {
    await moveClock(page, 'Next post');
    await page.locator('#thread').getByText(shown).last().waitFor();
  };

  it('plays by moving its clock: opening, midday, evening, next morning', async () => {
    const { page, troubles } = await visit(browser, bot.url, DESKTOP);
    await moveToMorning(page);
    await page.getByRole('button', { name: 'daily on' }).click();
    await page.getByText('Only you can see this').waitFor();
    await nextPost(page, 'Good letters to start with');
    const opening = page.locator('#channel .message').last();
    await expect.poll(() => opening.locator('.thread-link').innerText()).toMatch(/· 1 message$/);
    await nextPost(page, 'How many words it takes');
    await nextPost(page, 'Shortest');
    await expect.poll(() => opening.locator('.thread-link').innerText()).toMatch(/· 3 messages$/);
    // Nothing is open before somebody opens it.
    expect(await page.locator('#thread .hidden-lines:not([hidden])').count()).toBe(0);
    await page.locator('#thread').getByRole('button', { name: 'Shortest' }).click();
    await page.locator('#thread .hidden-lines:not([hidden]) p').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    // The next morning closes the day and opens another.
    await moveClock(page, 'Next post');
    await expect.poll(() => page.locator('.thread-link').count()).toBe(2);
    await expect.poll(() => page.locator('.thread-link').first().innerText()).toMatch(/closed$/);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it.runIf(IS_LONG)('can be read on a phone, by somebody else', async () => {
    const { page, troubles } = await visit(browser, bot.url, PHONE);
    await page.getByLabel('You are').selectOption('ben');
    await page.locator('.thread-link').first().click();
    await page.locator('#thread').getByText('How many words it takes').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close the thread' }).click();
    expect(await page.locator('#thread').isVisible()).toBe(false);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it('ends in good order', async () => {
    await bot.stop();
    expect(bot.child.exitCode).toBe(0);
  });
});
