import { describe, expect, test } from 'vitest';
import {
  NewspaperError,
  openSite,
  readPage,
  readPayload,
  readRetryAfter,
  userAgent,
} from '../../src/puzzle/newspaper.ts';
import { walkWord } from '../../src/solver/playable.ts';
import fc, { anyCharacter } from '../fakes/fast-check.ts';
import { ADDITIONS, MAIN, OBSCURE, page, payload } from '../fakes/newspaper.ts';
import { sample } from '../fakes/sample.ts';
import { TODAY } from './fixture.ts';

describe('a good payload', () => {
  test('becomes a puzzle: lower case, the tail of the dictionary obscure', () => {
    expect(readPayload(payload(TODAY), TODAY)).toEqual({
      dropped: 0,
      unread: [],
      puzzle: {
        date: TODAY,
        source: 'newspaper',
        board: expect.objectContaining({ sides: ['pam', 'ent', 'ril', 'ocs'] }),
        par: 4,
        editor: 'Ada Example',
        official: ['monitor', 'replaces'],
        dictionary: [
          ...[...MAIN, ...ADDITIONS].map((word) => ({ word, obscure: false })),
          ...OBSCURE.map((word) => ({ word, obscure: true })),
        ],
      },
    });
  });

  test.each([
    ['two runs', [...MAIN, ...ADDITIONS]],
    ['one run', MAIN],
    ['four runs', [...MAIN, ...ADDITIONS, ...OBSCURE, 'actor']],
  ])('%s: no telling which words are obscure, so none is', (_, dictionary) => {
    const { puzzle } = readPayload(payload(TODAY, { dictionary }), TODAY);
    expect(puzzle.dictionary?.some(({ obscure }) => obscure)).toBe(false);
  });

  test('a word of two runs counts as what it was first', () => {
    const dictionary = [...MAIN, ...ADDITIONS, 'actor', 'alans'];
    const { puzzle } = readPayload(payload(TODAY, { dictionary }), TODAY);
    expect(puzzle.dictionary?.filter(({ word }) => word === 'actor')).toEqual([
      { word: 'actor', obscure: false },
    ]);
    expect(puzzle.dictionary?.at(-1)).toEqual({ word: 'alans', obscure: true });
  });

  test.each([
    ['words that do not chain', ['ACTOR', 'MONITOR']],
    ['letters left over', ['ACTOR', 'REPLACES']],
    ['a word of another board', ['ZIGZAG']],
    ['no words', []],
  ])('an official solution of %s is left out', (_, ourSolution) => {
    expect(readPayload(payload(TODAY, { ourSolution }), TODAY).puzzle.official).toBeUndefined();
  });
});

test('whatever is in the payload: a puzzle of the date with nothing but words of its board, or an error that names a field', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('ACTOR', 'actor', '@here', 'PAM', 'ENT'),
  );
  const anything = fc.oneof(fc.jsonValue(), fc.array(text), text);
  const changes = fc.record(
    {
      printDate: fc.oneof({ weight: 9, arbitrary: fc.constant(TODAY) }, anything),
      sides: anything,
      dictionary: fc.oneof(fc.array(text), anything),
      ourSolution: anything,
      par: anything,
      editor: anything,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(changes, (changed) => {
      try {
        const { puzzle } = readPayload(payload(TODAY, changed), TODAY);
        expect(puzzle.date).toBe(TODAY);
        for (const { word } of puzzle.dictionary ?? []) expect(walkWord(puzzle.board, word)).not.toEqual([]);
        for (const word of puzzle.official ?? []) expect(walkWord(puzzle.board, word)).not.toEqual([]);
        expect(puzzle.editor ?? '').not.toMatch(/[@<>\p{C}]/u);
      } catch (error) {
        expect(error).toBeInstanceOf(NewspaperError);
        expect((error as NewspaperError).field).toMatch(
          /^(\(whole\)|(printDate|sides|dictionary)(\[\d+\])?)$/,
        );
      }
    }),
    { numRuns: sample(500, 100) },
  );
});

describe('the page', () => {
  test('any data comes out as it went in, whatever its strings hold', () => {
    const strings = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('}', '{', '\\', '"', '\\"}', '</div>', 'window.gameData = {'),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), strings), strings, (data, note) => {
        const whole = { ...data, note };
        const html = page(whole);
        // A page writes "</script" inside a string in some other way, or its own script would end there.
        fc.pre(!JSON.stringify(whole).toLowerCase().includes('</script'));
        expect(readPage(html)).toEqual(JSON.parse(JSON.stringify(whole)));
      }),
    );
  });

  test.each([
    ['no script', '<p>window.gameData = {"a":1}</p>'],
    ['another script', '<script>window.other = {"a":1}</script>'],
    ['code in place of data', '<script>window.gameData = {a: alert(1)}</script>'],
    ['a call in place of data', '<script>window.gameData = JSON.parse("{}")</script>'],
    ['an end too soon', '<script>window.gameData = {"a": {"b": 1}</script>'],
    ['a script that never closes its tag', '<script '],
  ])('%s is unreadable', (_, html) => {
    expect(() => readPage(html)).toThrow(
      expect.objectContaining({ name: 'NewspaperError', trouble: 'unreadable' }),
    );
  });

  // Each of these takes minutes, not milliseconds, when a search starts over from where it began.
  test.each([
    '<script',
    '<script>',
    '<script></script>',
    '<script>window.gam',
    '<script>window.gameData = {',
    '{"',
    '</script',
  ])('a megabyte of %s is done at once', (piece) => {
    const html = piece.repeat(1_000_000 / piece.length);
    expect(() => readPage(html)).toThrow(NewspaperError);
    expect(() => readPage(`${html}</script>`)).toThrow(NewspaperError);
  });
});

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
    'file:///etc/passwd',
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
