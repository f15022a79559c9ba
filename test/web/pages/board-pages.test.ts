import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { addDays } from '../../../src/puzzle/calendar.ts';
import { housePuzzle } from '../../../src/puzzle/house.ts';
import { altText } from '../../../src/reply/picture/drawing.ts';
import { boardPages } from '../../../src/web/pages/board-pages.ts';
import { CARD, DOCUMENTS } from '../../../src/web/site/documents.ts';
import { TODAY } from '../../fakes/app.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { LINK_SECRETS, openLink, type ServedPages, servePages } from './serve.ts';

const INDEX = `<!doctype html><title>Letter Boxed</title>${'<p>A board.</p>'.repeat(200)}`;
const folder = makeFolder();
const site = pathToFileURL(`${folder}/site/`);
let served: ServedPages;

beforeAll(async () => {
  mkdirSync(join(folder, 'site/pages'), { recursive: true });
  for (const [name, content] of Object.entries({
    'secret.txt': 'what no request may reach',
    'site/index.html': INDEX,
    'site/404.html': '<link href="pages/theme.css"><link href="data:,"><a href="./">Play</a>',
    'site/worker.js': `postMessage(1);${' '.repeat(2_000)}`,
    'site/words.bin': 'words',
    'site/pages/theme.css': 'body {}',
    'site/embed.json': '["https://elsewhere.example"]',
  }))
    writeFileSync(join(folder, name), content);
  served = await servePages('/games', { site });
});
afterAll(() => served.close());

const get = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, served.url), { redirect: 'manual', ...init });

describe('the site', () => {
  it.each([
    ['', 'text/html; charset=UTF-8'],
    ['index.html', 'text/html; charset=utf-8'],
    ['?board=abc-def-ghi', 'text/html; charset=UTF-8'],
    ['worker.js', 'text/javascript; charset=utf-8'],
    ['words.bin', 'application/octet-stream'],
    ['pages/theme.css', 'text/css; charset=utf-8'],
  ])('has %j as %s, locked to itself and without a cookie', async (path, type) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('is sent compressed to whoever can read that, and not again to whoever has it', async () => {
    const encodings = { 'accept-encoding': 'gzip' };
    const [plain, compressed, bytes] = await Promise.all([
      get('index.html', { headers: { 'accept-encoding': 'identity' } }),
      get('index.html', { headers: encodings }),
      get('words.bin', { headers: encodings }),
    ]);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    // A cache that has either one may not give it to everybody.
    for (const { headers } of [plain, compressed]) expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(bytes.headers.get('content-encoding')).toBeNull();
    expect(await bytes.text()).toBe('words');
    expect([await plain.text(), await compressed.text()]).toEqual([INDEX, INDEX]);
    const version = compressed.headers.get('etag')!;
    const [same, other] = await Promise.all(
      [version, 'W/"another"'].map((one) => get('index.html', { headers: { 'if-none-match': one } })),
    );
    expect([same!.status, await same!.text(), other!.status]).toEqual([304, '', 200]);
    const policies = [plain, same!].map(({ headers }) => headers.get('content-security-policy'));
    expect(policies[1]).toBe(policies[0]);
  });

  it.each([
    '..%2fsecret.txt',
    '%2e%2e/secret.txt',
    'pages/..%2f..%2fsecret.txt',
    'pages/%2e%2e/%2e%2e/secret.txt',
    '..%5csecret.txt',
    'secret.txt',
    'pages/',
    'later.js',
    'archive',
    'board/abc-def-ghi',
  ])('has nothing at %s, where no file was when the bot started', async (path) => {
    writeFileSync(join(folder, 'site/later.js'), 'later');
    const { hostname, port } = new URL(served.url);
    // As it stands: fetch would resolve the dots itself.
    const [response] = await once(request({ hostname, port, path: `/games/${path}` }).end(), 'response');
    response.resume();
    expect(response.statusCode).toBe(404);
  });

  it('shows browsers its own page at unknown addresses, which loads its files from any folder', async () => {
    const accept = { headers: { accept: 'text/html' } };
    for (const path of ['nothing', 'nothing/at/all', 'nothing/"><b>', 'day-2999-01-01.png']) {
      const response = await get(path, accept);
      expect(response.status, path).toBe(404);
      expect(await response.text(), path).toBe(
        '<link href="/games/pages/theme.css"><link href="data:,"><a href="/games/">Play</a>',
      );
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'/,
      );
    }
    expect(await (await get('nothing')).text()).toBe('There is nothing here.\n');
  });

  it('shows programs that preview links the board of a day that has begun, and of no other', async () => {
    const other = pathToFileURL(`${folder}/with days/`);
    mkdirSync(other);
    writeFileSync(new URL('index.html', other), DOCUMENTS['index.html']!);
    const [today, tomorrow] = [TODAY, addDays(TODAY, 1)];
    const withDays = await servePages('', { site: other });
    const statusOf = async (day: string) => (await fetch(new URL(`day-${day}.png`, withDays.url))).status;
    for (const day of [tomorrow, '2025-12-31', '2026-02-30', '2026-02-41', '2026-11'])
      expect(await statusOf(day), day).toBe(404);
    expect(await statusOf(today)).toBe(200);
    const previewOf = async (query: string) => {
      const page = await (await fetch(new URL(`?${query}`, withDays.url))).text();
      return ['', ':alt'].map((part) => page.split(`og:image${part}" content="`)[1]?.split('"')[0]);
    };
    const { board } = housePuzzle(today);
    const ofDay = [expect.stringMatching(`/day-${today}.png$`), altText(board)];
    for (const query of ['', `day=${today}`, `day=${today}&board=${board.sides.join('-')}`])
      expect(await previewOf(query), query).toEqual(ofDay);
    for (const query of [`day=${tomorrow}`, 'board=ozu-nri-lfa-mbt'])
      expect(await previewOf(query), query).toEqual([expect.stringMatching(/\/card.png$/), CARD.alt]);
    await withDays.close();
  });

  it('shows what the bot says of itself below the board, and draws past days for all visitors as for one person', async () => {
    const other = pathToFileURL(`${folder}/with past days/`);
    mkdirSync(other);
    writeFileSync(new URL('index.html', other), '<meta content="card.png"><main>A board.</main>');
    const yesterday = addDays(TODAY, -1);
    const draw = vi.spyOn(served.app.work, 'draw').mockImplementation(async (_, asker) => {
      if (asker !== undefined) throw new UserError('test.busy', 'There is too much to draw.');
      return Buffer.from('drawn');
    });
    onTestFinished(() => draw.mockRestore());
    const publicUrl = 'https://bot.example.org';
    const routes = boardPages(
      served.app,
      makeDispatcher(served.app, { commands: [] }),
      { publicUrl },
      { site: other, landing: '<a href="slack/install">Add to Slack</a>' },
    );
    const about = '<section class="landing"><a href="slack/install">Add to Slack</a></section>';
    expect(await (await routes.request('/')).text()).toContain(`A board.${about}</main>`);
    const before = await routes.request(`/day-${yesterday}.png`);
    const current = await routes.request(`/day-${TODAY}.png`);
    expect(await current.text()).toBe('drawn');
    expect([before.status, before.headers.get('location')]).toEqual([302, 'card.png']);
    expect(draw.mock.calls.map(([, asker]) => asker?.who.id)).toEqual(['visitors', undefined]);
  });

  it('takes nothing, and leads whoever types /day to the board', async () => {
    expect((await get('', { method: 'POST', body: 'moves' })).status).toBe(405);
    for (const path of ['day', 'day/']) {
      const response = await get(path);
      expect([response.status, response.headers.get('location')]).toEqual([302, served.url]);
    }
  });

  it('may be framed by whom the bot’s operator names, whatever the folder says, but personal pages may not', async () => {
    expect(await (await get('embed.json')).json()).toEqual([]);
    const embedOrigins = ['https://blog.example.org', 'http://127.0.0.1:8000'];
    const framed = await servePages('', { site, embedOrigins });
    expect(await (await fetch(new URL('embed.json', framed.url))).json()).toEqual(embedOrigins);
    const policyOf = async (path: string) =>
      (await fetch(new URL(path, framed.url))).headers.get('content-security-policy');
    expect(await policyOf('')).toMatch(
      /; frame-ancestors https:\/\/blog\.example\.org http:\/\/127\.0\.0\.1:8000$/,
    );
    expect(await policyOf(framed.newLink())).toMatch(/; frame-ancestors 'none'$/);
    await framed.close();
  });

  it('is not missed where it was never built', async () => {
    const without = await servePages();
    expect((await fetch(without.url)).status).toBe(404);
    const dispatcher = makeDispatcher(without.app, { commands: [] });
    const link = new URL(without.newLink());
    const { ask } = await openLink(without.app, dispatcher, link, LINK_SECRETS);
    expect(await ask('play', { moves: 'b' })).toMatchObject({ status: 200 });
    await without.close();
  });
});
