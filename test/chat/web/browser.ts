import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Where Debian puts it. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Of the page and of the bot that tests start. */
export const ZONE = 'America/New_York';
export const hasBrowser = existsSync(CHROMIUM);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function launch(): Promise<Browser> {
  // The sandbox needs rights that containers rarely give; only our own page is opened.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface Visit {
  readonly page: Page;
  /** Errors of the page, and requests that would have left the machine. */
  readonly troubles: string[];
}

/**
 * @param url of the local chat, or of another page with what tells that it is ready. Requests to anything that
 * is not below `own` are troubles.
 */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  // Set by the first event of the stream: all there was is on the page by then.
  { ready = '#now[datetime]', own = url }: { readonly ready?: string; readonly own?: string } = {},
): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: ZONE, ...options });
  const page = await context.newPage();
  // Shorter than a test may take, so that what didn't come is named.
  page.setDefaultTimeout(60_000);
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(own) && !request.url().startsWith('data:')) troubles.push(request.url());
  });
  await page.goto(url);
  await page.locator(ready).waitFor();
  return { page, troubles };
}

export function readClipboard(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()');
}

export const DESKTOP = { viewport: { width: 1280, height: 860 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Presses a button of the clock, waits until all that falls due on the way is posted, and says the time then. */
export async function moveClock(page: Page, name: 'Next post' | '+1 h' | '+1 day'): Promise<number> {
  const answer = page.waitForResponse('**/clock');
  await page.getByRole('button', { name }).click();
  const { now }: { now: number } = await (await answer).json();
  return now;
}

/** To an hour before the day's first post: a day plays the same at whatever time the tests are run. */
export async function moveToMorning(page: Page): Promise<void> {
  const hours = new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: ZONE });
  while (hours.format(await moveClock(page, '+1 h')) !== '07');
}

/** What axe finds serious or critical, as one line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const found = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, where: nodes.map((node) => node.html.slice(0, 90)) })))",
  );
  return (found as { id: string; impact: string; where: string[] }[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, where }) => `${id}: ${where.join(' ')}`);
}
