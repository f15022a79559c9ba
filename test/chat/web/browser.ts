import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { needs } from '../../fakes/needs.ts';
import { sample } from '../../fakes/sample.ts';

/** `CHROMIUM` names another one, or with an empty value none; `HEADED=1` shows it. Without windows, it takes a quarter less processor time. */
const CHROMIUM =
  process.env.CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) =>
    existsSync(path),
  ) ??
  '';
/** The zone of the page and of the bots that tests start. */
const ZONE = 'America/New_York';
/** A solved board moves for seconds, which takes a whole core: `npm test` looks at that where it is what is tested. */
const MOTION = sample('no-preference', 'reduce');
/** No page of a short test runs long enough to earn the processor time of compiling it well, or of threads that collect garbage. */
const UNOPTIMIZED = ['--js-flags=--max-lazy,--no-turbofan,--single-threaded-gc'];
/** Milliseconds. Shorter than a test may take, so that what didn't come is named. */
const PATIENCE = 60_000;
export const browserNeeded = needs(
  'a browser, such as Debian’s chromium-headless-shell',
  existsSync(CHROMIUM),
);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Never called: `vitest related` follows these imports, so a change of what a browser loads runs the tests with a browser.
void [
  () => import('../../../src/web/chat/chat.js'),
  () => import('../../../src/web/pages/activity.js'),
  () => import('../../../src/web/pages/play.js'),
  () => import('../../../src/web/site/archive-page.ts'),
  () => import('../../../src/web/site/board-page.ts'),
  () => import('../../../src/web/site/form-page.ts'),
  () => import('../../../src/web/site/plain-page.ts'),
  () => import('../../../src/web/site/sw.js'),
];

/** One for all files of a worker, in which each closes its pages; it ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launch();
  return shared;
}
let shared: Promise<Browser> | undefined;

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    headless: process.env.HEADED !== '1',
    // The sandbox needs rights that containers rarely give; only our own page is opened.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...sample([], UNOPTIMIZED)],
    timeout: PATIENCE,
  });
}

/** A script that takes away what WebKit before 18.4 lacks, for the realm in which it runs. */
export const OLDER_BROWSER = `{
  delete Promise.withResolvers;
  for (const name of Object.getOwnPropertyNames(Iterator.prototype)) delete Iterator.prototype[name];
  delete globalThis.Iterator;
}`;

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
  const page = await openPage(browser, options);
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
  // The chat opens with the day's board.
  if (ready === '#now[datetime]') await page.locator('#channel .board').first().waitFor();
  return { page, troubles };
}

/** Pages that tests left, of each kind of device: a new one costs more processor time than most tests do in it. */
const left = new WeakMap<Browser, { readonly page: Page; readonly device: string }[]>();
const devices = new WeakMap<Page, string>();

async function openPage(
  browser: Browser,
  { viewport = DESKTOP.viewport, colorScheme = 'light', ...rest }: BrowserContextOptions,
): Promise<Page> {
  const device = JSON.stringify(rest);
  const idle = left.get(browser) ?? [];
  const at = idle.findIndex((one) => one.device === device);
  let page = at < 0 ? undefined : idle.splice(at, 1)[0]!.page;
  if (page === undefined) {
    const context = await browser.newContext({
      locale: 'en-US',
      timezoneId: ZONE,
      reducedMotion: MOTION,
      viewport,
      colorScheme,
      ...rest,
    });
    await context.addInitScript(OLDER_BROWSER);
    await context.addInitScript(`new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes)
        if (target.id === 'status') (globalThis.announced ??= []).push(...Array.from(addedNodes, (node) => node.textContent));
    }).observe(document, { childList: true, subtree: true })`);
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    devices.set(page, device);
    return page;
  }
  if (viewport !== null) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: rest.reducedMotion ?? MOTION });
  return page;
}

/** After a test: leaves its pages to the tests after it, as of a browser that has kept nothing but files for offline use. */
export async function leavePages(browser: Browser): Promise<void> {
  const idle = left.get(browser) ?? [];
  left.set(browser, idle);
  const used = browser.contexts().filter((context) => !idle.some(({ page }) => page.context() === context));
  await Promise.all(
    used.map(async (context) => {
      const [page, ...tabs] = context.pages();
      const device = page === undefined ? undefined : devices.get(page);
      if (page === undefined || device === undefined) return context.close();
      await Promise.all(tabs.map((tab) => tab.close()));
      for (const event of ['console', 'pageerror', 'request']) page.removeAllListeners(event);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.setOffline(false);
      await context.clearPermissions();
      await context.clearCookies();
      // A frame that the browser refused to show has kept nothing, and says so by an error.
      for (const frame of page.frames()) await frame.evaluate('localStorage.clear()').catch(() => undefined);
      // From a page of another origin, or of another policy for openers, the next visit would start a process.
      await page.goto(await page.evaluate<string>("document.styleSheets[0]?.href ?? 'about:blank'"));
      idle.push({ page, device });
    }),
  );
}

/** After a file, or where the next test is to have a browser that kept nothing. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  if (browser === undefined) return;
  left.delete(browser);
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** Everything that was announced to people on this page, whether or not it still stands there. */
export function announced(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('globalThis.announced ?? []');
}

export function readClipboard(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()');
}

export const DESKTOP = { viewport: { width: 1280, height: 860 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Presses a button of the clock, waits until all that falls due on the way is posted, and says the time then. */
export async function moveClock(page: Page, name: 'Next post' | '+1 day'): Promise<number> {
  const answer = page.waitForResponse('**/clock');
  await page.getByRole('button', { name }).click();
  const { now }: { now: number } = await (await answer).json();
  return now;
}

/** Moves to an hour before the day's first post, so that a day plays the same at any time of the tests. */
export async function moveToMorning(page: Page): Promise<void> {
  const hours = new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: ZONE });
  // Presses of the button would cost ten times as much.
  const move = `fetch('clock', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"person":"ada","to":"hour"}',
  }).then((answer) => answer.json()).then(({ now }) => now)`;
  while (hours.format(await page.evaluate<number>(move)) !== '07');
}

/** What axe finds serious or critical, as one line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  return findings(page, ['serious', 'critical']);
}

/** Whatever axe finds. */
export async function findings(page: Pick<Page, 'evaluate'>, impacts?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  // What fades in has too little contrast until it is there.
  await page.evaluate(
    `Promise.allSettled(document.getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && Number.isFinite(effect.getComputedTiming().endTime))
      .map(({ finished }) => finished)).then(() => undefined)`,
  );
  const found = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, where: nodes.map((node) => node.html.slice(0, 90)) })))",
  );
  return (found as { id: string; impact: string; where: string[] }[])
    .filter(({ impact }) => impacts?.includes(impact) ?? true)
    .map(({ id, where }) => `${id}: ${where.join(' ')}`);
}
