import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Where Debian puts it. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasBrowser = existsSync(CHROMIUM);

export function launch(): Promise<Browser> {
  // The sandbox needs rights that containers rarely give; only our own page is opened.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface Visit {
  readonly page: Page;
  /** Errors of the page, and requests that would have left the machine. */
  readonly troubles: string[];
}

export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York', ...options });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) troubles.push(request.url());
  });
  await page.goto(url);
  // Set by the first event of the stream: all there was is on the page by then.
  await page.locator('#now[datetime]').waitFor();
  return { page, troubles };
}

export const DESKTOP = { viewport: { width: 1280, height: 860 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
