import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { HttpContext } from '../../src/http/router.ts';
import { BoardPages } from '../../src/pages/board-pages.ts';
import { proxyList, Visitors, visitorOf } from '../../src/pages/visitors.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { hintNumber } from '../../src/reply/replies/hint-steps.ts';
import { house, SIDES } from '../fakes/small-board.ts';
import { type ServedPages, servePages } from './serve.ts';

const BOARD = SIDES.replaceAll(' ', '-');
const TODAY = '2026-11-20';
/** What a request over a socket has besides. */
const LOCAL = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
let served: ServedPages;

beforeAll(async () => {
  served = await servePages('/games');
});
afterAll(() => served.close());

const get = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, served.url), { redirect: 'manual', ...init });
async function post(
  path: string,
  fields: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; saved?: unknown }> {
  const body = JSON.stringify(fields);
  const response = await get(path, { method: 'POST', body, headers });
  return { status: response.status, ...((await response.json()) as object) };
}

describe('the page of a board', () => {
  it('is there for any sides and for a day, locked to itself, without a cookie', async () => {
    for (const path of [`board/${BOARD}`, `day/${TODAY}`, 'board/abc-def-ghi']) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'/,
      );
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(await response.text()).not.toMatch(/(?:src|href)="(?:https?:)?\//);
    }
  });

  it('describes itself for a preview without giving anything away', async () => {
    const html = await (await get(`day/${TODAY}`)).text();
    const meta = Object.fromEntries(
      [...html.matchAll(/<meta property="([^"]+)" content="([^"]*)">/g)].map(([, name, content]) => [
        name!,
        content!,
      ]),
    );
    expect(meta).toMatchObject({
      'og:title': 'Friday, November 20, 2026',
      'og:description':
        'A Letter Boxed board to play right here: connect its 12 letters with as few words as you can.',
      'og:url': `${served.url}day/${TODAY}`,
      'og:image': `${served.url}day/${TODAY}/picture.png`,
      'og:image:alt': 'Letter Boxed board. Top: B C D; right: F G H; bottom: J K L; left: M N P.',
    });
    expect(html).not.toMatch(/bfjmcg|gkdhlnbp/i);
    const picture = await get(`day/${TODAY}/picture.png`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('cache-control')).toBe('public, max-age=86400');
    // Tomorrow the same address shows another board.
    expect((await get('day/today/picture.png')).headers.get('cache-control')).toBe('no-store');
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  it('has one address for each board, whatever way it is written', async () => {
    for (const [path, address] of [
      ['board/BCD,FGH,JKL,MNP', BOARD],
      ['board/bcdfghjklmnp', BOARD],
      ['day/today', TODAY],
      ['day', `${served.url}day/today`],
      ['day/', `${served.url}day/today`],
      ['', `${served.url}day/today`],
    ] as const) {
      const response = await get(path);
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toBe(address);
    }
  });

  it('is not there for other sides, days to come, and days without a board of our own', async () => {
    for (const [path, reason] of [
      ['board/abc', 'where a side ends'],
      ['board/a-b-c', 'A board has 4 to 26'],
      ['board/a%26b-c-d', 'a&amp;b'],
      ['day/2026-11-21', 'isn’t out yet'],
      ['day/2026-11-18', 'no house board for Wednesday, November 18, 2026'],
      ['day/<b>', 'isn’t a date'],
    ] as const) {
      const response = await get(path);
      expect(response.status).toBe(404);
      const html = await response.text();
      expect(html).toContain(reason);
      expect(html).toContain('<a href="../archive">');
      expect(html).not.toMatch(/<script>|<b>/);
    }
  });

  it('never shows the newspaper’s board', async () => {
    const { store } = served;
    const puzzle = {
      date: '2026-11-17',
      source: 'newspaper',
      board: { sides: ['abc', 'def', 'ghi', 'jkl'] },
    };
    await store.puzzles.keep({ date: '2026-11-17', source: 'newspaper', puzzle, at: 0 });
    expect((await get('day/2026-11-17')).status).toBe(404);
  });

  it('is found behind a web server that passes its path on, and has no personal links without a secret', async () => {
    const { app } = served;
    const publicUrl = 'https://bot.example.org/games';
    const { routes } = new BoardPages(app, makeDispatcher(app, { commands: [] }), {
      publicUrl,
      trustedProxies: [],
    });
    for (const path of [
      `/games/day/${TODAY}`,
      `/day/${TODAY}`,
      '/games/archive',
      '/games/pages/browser/play.js',
    ])
      expect((await routes.request(path, {}, LOCAL)).status).toBe(200);
    for (const path of ['/', '/games', '/games/', '/games/day'])
      expect((await routes.request(path, {}, LOCAL)).headers.get('location')).toBe(`${publicUrl}/day/today`);
    for (const path of ['/other/archive', '/games/play/x', '/play/x'])
      expect((await routes.request(path, {}, LOCAL)).status).toBe(404);
  });

  it('has a list of past days with a board of our own, in pages of four weeks', async () => {
    const { store, app } = served;
    for (let days = 1; days <= 40; days++) {
      const date = addDays(TODAY, -days);
      if (days === 3) continue;
      // The last was made only today, for somebody who asked for it.
      const at = days === 40 ? app.clock.now() : app.puzzles.spanOf(date).from;
      await store.puzzles.keep({ date, source: 'house', puzzle: house(date), at });
    }
    const pages = await Promise.all(
      ['', '?page=1', '?page=2', '?page=99', '?page=x'].map(async (query) => {
        const response = await get(`archive${query}`);
        expect(response.status).toBe(200);
        expect(response.headers.get('set-cookie')).toBeNull();
        expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
        return response.text();
      }),
    );
    const [first, second] = pages.map((html) =>
      Array.from(html.matchAll(/<li><a href="(day\/[^"]+)">/g), ([, path]) => path),
    );
    // Today, and four weeks before it.
    expect(first).toHaveLength(29);
    expect(first!.slice(0, 2)).toEqual([`day/${TODAY}`, 'day/2026-11-19']);
    expect(pages[0]).toContain('Today, Friday, November 20, 2026');
    expect(pages[2]).not.toContain('Today,');
    // The newspaper's board of the 17th is on no list either.
    expect(first).not.toContain('day/2026-11-17');
    expect(first).toEqual(second);
    expect(pages[2]).toContain('Days 29 to 38 of 38.');
    expect(pages[3]).toBe(pages[2]);
    expect(pages[4]).toBe(pages[1]);
    for (const path of [first![0]!, 'pages/browser/archive.js', 'pages/browser/kept.js'])
      expect((await get(path)).status).toBe(200);
  });

  it('sends at most 75 KB, uncompressed', async () => {
    const found = new Set([`day/${TODAY}`]);
    let bytes = 0;
    for (const path of found) {
      const response = await get(path);
      expect(response.status).toBe(200);
      const text = await response.text();
      bytes += text.length;
      for (const [, name] of text
        .matchAll(/(?:href|src)="(\.[^"]+)"|from '(\.[^']+)'/g)
        .map((match) => [match[0], match[1] ?? match[2]!]))
        found.add(new URL(name!, new URL(path, served.url)).href.slice(served.url.length));
    }
    expect(found.size).toBeGreaterThan(7);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(75_000);
  });
});

describe('a visitor without a name', () => {
  it('plays by moves that the server judges and does not keep', async () => {
    const path = `day/${TODAY}/play`;
    const first = await post(path, { moves: 'bfjmcg.' });
    expect(first).toMatchObject({ status: 200, game: { words: ['bfjmcg'], word: 'g', version: 0 } });
    const wrong = await post(path, { saved: first.saved, moves: 'kdhlm.' });
    expect(wrong).toMatchObject({
      game: { words: ['bfjmcg'], refused: 'GKDHLM is not in the word list. GKDHLN is.' },
    });
    const last = await post(path, { saved: first.saved, moves: 'kdhlnbp.' });
    expect(last).toMatchObject({
      game: {
        solved: {
          title: 'Solved in 2 words',
          lines: ['14 letters.'],
          counts: false,
          share: `Letter Boxed, November 20 · 2 words\n🟦🟧\n${served.url}day/${TODAY}`,
        },
      },
      days: expect.arrayContaining([TODAY]),
    });
    // Of another board, or made up: a new game.
    expect(await post('board/abc-def-ghi/play', { saved: first.saved, moves: '' })).toMatchObject({
      game: { words: [] },
    });
  });

  it('has beaten par by their own words, and not by a solution that was shown', async () => {
    const pages = await servePages('', { house: (date) => ({ ...house(date), par: 5 }) });
    const linesOf = async (fields: object) => {
      const body = JSON.stringify({ moves: 'bfjmcg.kdhlnbp.', ...fields });
      const response = await fetch(`${pages.url}day/${TODAY}/play`, { method: 'POST', body });
      const { game } = (await response.json()) as { game: { solved: { lines: string[] } } };
      return game.solved.lines;
    };
    expect(await linesOf({})).toEqual(['14 letters.', 'Par is 5: you beat it.']);
    expect(await linesOf({ isShown: true })).toEqual(['14 letters.', 'Par is 5.']);
    await pages.close();
  });

  it('is answered as well when the body comes in chunks', async () => {
    const body = new Blob([JSON.stringify({ moves: SIDES[0] })]).stream();
    const response = await get(`board/${BOARD}/play`, {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    expect([response.status, await response.json()]).toMatchObject([200, { game: { word: SIDES[0] } }]);
  });

  it('may claim words that can be walked, up to the most letters of a game', async () => {
    const [one, other] = SIDES.split(' ').map((side) => side[0]!);
    const word = `${`${one}${other}`.repeat(31)}${one}`;
    const claim = (words: number) => ({
      moves: '',
      saved: { version: 1, sides: SIDES.split(' '), words: Array(words).fill(word), word: one },
    });
    expect(await post(`board/${BOARD}/play`, claim(40))).toMatchObject({ game: { words: [] } });
    expect(await post(`board/${BOARD}/play`, claim(3))).toMatchObject({
      game: { words: [word, word, word] },
    });
  });

  it('gets hints, one more with each, and the solution', async () => {
    const path = `day/${TODAY}/help`;
    const first = await post(path, { ask: 'hint', words: [] });
    expect(first).toMatchObject({ title: expect.stringContaining(hintNumber('start')), shown: 'start' });
    const onwards = await post(path, { ask: 'hint', words: ['bfjmcg'], shown: 'start,count' });
    expect(onwards).toMatchObject({
      title: expect.stringContaining(hintNumber('hardest')),
      shown: 'start,count,hardest',
    });
    expect(JSON.stringify(await post(path, { ask: 'reveal', words: [] }))).toContain('BFJMCG');
    expect(await post(path, { ask: 'hint', words: ['bdb'] })).toMatchObject({ status: 400 });
    expect(await post(path, { ask: 'daily', words: [] })).toMatchObject({ status: 400 });
  });

  it.each([
    [{ moves: 'é' }, 400],
    [{ moves: 'a'.repeat(201) }, 400],
    [{}, 400],
    [{ moves: '', saved: 'x'.repeat(9_000) }, 413],
  ])('is refused what can not be read: %j', async (fields, status) => {
    const answer = await post(`board/${BOARD}/play`, fields);
    expect(answer).toMatchObject({ status, trouble: expect.any(String) });
  });

  it('is refused after too many words in half a minute, which keeps nobody else out', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': `198.51.100.7, ${address}` });
    const direct = await servePages();
    const enter = async (address: string) => {
      const answer = await fetch(new URL(`board/${BOARD}/play`, direct.url), {
        method: 'POST',
        headers: from(address),
        body: JSON.stringify({ moves: 'bfj.' }),
      });
      return answer;
    };
    for (let word = 0; word < direct.app.limits.wordsPerVisitor; word++)
      expect((await enter('203.0.113.5')).status).toBe(200);
    const refused = await enter('203.0.113.5');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await refused.json()).toEqual({ trouble: 'That was a lot at once. Go on in 30 seconds.' });
    expect((await enter('203.0.113.6')).status).toBe(200);
    direct.clock.time += 30_000;
    expect((await enter('203.0.113.5')).status).toBe(200);
    await direct.close();
  });
});

describe('the address of a visitor', () => {
  const trusted = proxyList(['127.0.0.0/8', '::1', '10.0.0.0/8']);

  it.each([
    ['203.0.113.5', undefined, '203.0.113.5'],
    ['::ffff:203.0.113.5', undefined, '203.0.113.5'],
    // From outside, the header says what its sender likes, and so it does in a network that is private but not trusted.
    ['203.0.113.5', '192.0.2.1', '203.0.113.5'],
    ['192.168.0.5', '192.0.2.1', '192.168.0.5'],
    ['127.0.0.1', '192.0.2.1, 198.51.100.2', '198.51.100.2'],
    ['127.0.0.1', '::ffff:198.51.100.2', '198.51.100.2'],
    ['127.0.0.1', '::ffff:c633:6402', '198.51.100.2'],
    ['::ffff:10.1.2.3', '198.51.100.2', '198.51.100.2'],
    ['10.1.2.3', 'nonsense', '10.1.2.3'],
    ['::1', '2001:db8::1:2', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2'],
  ])('from %s with X-Forwarded-For %s is %s', (remoteAddress, forwarded, address) => {
    const context = { env: { incoming: { socket: { remoteAddress } } }, req: { header: () => forwarded } };
    expect(visitorOf(context as unknown as HttpContext, trusted).address).toBe(address);
  });

  it('has the network around it', () => {
    const from = (remoteAddress: string) =>
      visitorOf(
        {
          env: { incoming: { socket: { remoteAddress } } },
          req: { header: () => undefined },
        } as unknown as HttpContext,
        trusted,
      ).network;
    expect([from('2001:db8:1:2::1'), from('2001:db8:1:ffff::9')]).toEqual(['2001:db8:1', '2001:db8:1']);
    expect(from('203.0.113.5')).toBe('203.0.113.5');
  });
});

describe('the limits of visitors', () => {
  const NONE = { wordsOfVisitors: 10, wordsPerVisitor: 10, pagesPerVisitor: 10, picturesPerVisitor: 10 };
  const limits = NONE as ConstructorParameters<typeof Visitors>[1];
  const address = (name: string, network = name) => ({ address: name, network });
  const takeAll = (visitors: Visitors, kind: 'page' | 'word', who: { address: string; network: string }) => {
    let taken = 0;
    try {
      for (; taken < 1_000; taken++) visitors.take(kind, who);
    } catch {
      return taken;
    }
    return taken;
  };

  it('let nobody be locked out of the pages by others, however many these are', () => {
    const visitors = new Visitors({ now: () => 0 }, limits);
    for (let one = 0; one < 2_400; one++) takeAll(visitors, 'page', address(`10.0.${one >> 8}.${one & 255}`));
    expect(takeAll(visitors, 'page', address('203.0.113.5'))).toBe(10);
  });

  it('count all networks within a wider one together', () => {
    const visitors = new Visitors({ now: () => 0 }, limits);
    let taken = 0;
    for (let one = 0; one < 100; one++)
      taken += takeAll(visitors, 'page', address(`2001:db8:1:${one}`, '2001:db8:1'));
    expect(taken).toBe(40);
    expect(takeAll(visitors, 'page', address('2001:db8:2:0', '2001:db8:2'))).toBe(10);
  });

  it('leave people with a link of their own a share that visitors can not use up', () => {
    const visitors = new Visitors({ now: () => 0 }, limits);
    for (let one = 0; one < 5; one++) takeAll(visitors, 'word', address(`192.0.2.${one}`));
    expect(takeAll(visitors, 'word', address('203.0.113.5'))).toBe(0);
    for (let word = 0; word < 10; word++) visitors.take('word', { person: 'discord:5' });
    expect(() => visitors.take('word', { person: 'discord:5' })).toThrow('Go on in 30 seconds');
  });
});
