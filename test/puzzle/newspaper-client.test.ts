import { describe, expect, test } from 'vitest';
import { openSite, readRetryAfter, userAgent } from '../../src/puzzle/newspaper.ts';

/** A site where /start redirects to one address, and every other address answers with itself. */
async function follow(to: string, base = 'https://www.example.org/'): Promise<string> {
  const answer = async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    expect(init).toMatchObject({ redirect: 'manual', headers: { 'user-agent': 'us' } });
    const url = String(input);
    return url.endsWith('/start')
      ? new Response(null, { status: 301, headers: { location: to } })
      : new Response(url);
  };
  return openSite(new URL(base), { fetch: answer, userAgent: 'us', now: () => 0 }).get('start', '*/*');
}

describe('redirects', () => {
  test.each([
    ['/other', 'https://www.example.org/other'],
    ['https://www.example.org/other', 'https://www.example.org/other'],
    ['https://example.org/other', 'https://example.org/other'],
    ['https://games.example.org/other', 'https://games.example.org/other'],
    ['//games.example.org/other', 'https://games.example.org/other'],
  ])('to %s stay within the site', async (to, reached) => {
    expect(await follow(to)).toBe(reached);
  });

  test.each([
    'http://www.example.org/other',
    'https://www.example.org:8443/other',
    'https://badexample.org/other',
    'https://www.example.org.evil.net/other',
    'https://www.example.org@evil.net/other',
    'https://user:word@www.example.org/other',
    'https://127.0.0.1/other',
    'https://[bad',
    'data:text/plain,hello',
    '',
  ])('to "%s" are not followed', async (to) => {
    // An empty address is the same one again: a circle.
    await expect(follow(to)).rejects.toMatchObject({ trouble: 'redirected' });
  });

  test('a base without www. is its own host only', async () => {
    await expect(follow('https://a.example.org/x', 'https://example.org/')).rejects.toMatchObject({
      trouble: 'redirected',
    });
  });

  test('a base below a path keeps it: a proxy for the newspaper', async () => {
    expect(await follow('/news/other', 'https://proxy.example.org/news/')).toBe(
      'https://proxy.example.org/news/other',
    );
  });
});

test.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Thu, 01 Jan 1970 00:10:00 GMT', 540_000],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 0],
  ['99999999999', 86_400_000],
])('Retry-After "%s" a minute after midnight is %s ms', (text, wait) => {
  expect(readRetryAfter(text, 60_000)).toBe(wait);
});

test.each([
  [{}, 'letterboxed-bot/1.2.0'],
  [{ contact: 'me@example.org' }, 'letterboxed-bot/1.2.0 (me@example.org)'],
  [{ homepage: 'https://example.org' }, 'letterboxed-bot/1.2.0 (+https://example.org)'],
  [
    { homepage: 'https://example.org', contact: 'me@example.org' },
    'letterboxed-bot/1.2.0 (+https://example.org; me@example.org)',
  ],
])('sends %j with the user agent, and no other address', (known, expected) => {
  expect(userAgent({ version: '1.2.0', ...known })).toBe(expected);
});
