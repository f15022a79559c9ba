import { afterAll, describe, expect, test } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { UserError } from '../../src/core/errors.ts';
import { counted, grouped, listed } from '../../src/core/text.ts';
import {
  makeAction,
  packAction,
  parseAction,
  personCode,
  unpackAction,
} from '../../src/reply/model/action.ts';
import { pageNote, pageOf, takePage } from '../../src/reply/model/page.ts';
import { bold, joined, lineText, typeAction } from '../../src/reply/model/text.ts';
import type { Action } from '../../src/reply/model/types.ts';
import { makeTestApp } from '../fakes/app.ts';
import fc, { anyCharacter } from '../fakes/fast-check.ts';

const actions: fc.Arbitrary<Action> = fc.record({
  command: fc.constantFrom('hint', 'play'),
  options: fc.dictionary(
    fc.string({ unit: anyCharacter }),
    fc.oneof(fc.string({ unit: anyCharacter }), fc.boolean(), fc.integer()),
  ),
});

describe('actions as text', () => {
  test('any action survives writing and parsing', () => {
    const typed = ({ options }: Action) =>
      Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
    fc.assert(
      fc.property(actions, (action) => {
        const parsed = parseAction(makeAction(action));
        expect(parsed.command).toBe(action.command);
        expect(typed(parsed)).toEqual(typed(action));
      }),
    );
  });

  test('still reads version 2, which buttons of old messages use', () => {
    const action = {
      command: 'hint',
      options: { step: 'lengths', date: '2026-11-20', page: 2, everyday: true, all: false, words: 'a,b=c%' },
    };
    const text = '2|hint|all=false&date=2026-11-20&everyday=true&page=2&step=lengths&words=a,b%3Dc%25';
    expect(makeAction(action)).toBe(text);
    expect(parseAction(text)).toEqual(action);
    expect(makeAction({ command: 'help', options: {} })).toBe('2|help|');
  });

  test('treats __proto__ as an ordinary option name', () => {
    const { options } = parseAction('2|hint|__proto__=x');
    expect(Object.keys(options)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(options)).toBe(Object.prototype);
  });

  test.each(['', '1|hint|', '3|hint|', '2', '2|', '2|hint', '2||', `2|hint|a=${'x'.repeat(9000)}`])(
    '%j is a mistake, never a fault',
    (text) => expect(() => parseAction(text)).toThrow(UserError),
  );

  test('reads any options', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(parseAction(`2|hint|${text}`).command).toBe('hint');
      }),
    );
  });

  test('types flags without a value and quotes spaces', () => {
    const options = { step: 'lengths', all: true, everyday: false, sides: 'ozu nri lfa mbt', page: 2 };
    expect(typeAction({ command: 'hint', options })).toBe(
      'hint step:lengths all sides:"ozu nri lfa mbt" page:2',
    );
  });

  test('leaves out what only buttons say, and the first page', () => {
    const options = { private: true, period: 'week', page: 1 };
    expect(typeAction({ command: 'leaderboard', options })).toBe('leaderboard period:week');
    expect(typeAction({ command: 'reveal', options: { open: true } })).toBe('reveal open');
    expect(typeAction({ command: 'hint', options: { step: 'count', shown: 'start' } })).toBe(
      'hint step:count',
    );
  });
});

const { app, clock, close } = await makeTestApp();
afterAll(close);

test('a short action is its own text', async () => {
  const action = { command: 'hint', options: { date: '2026-11-20', step: 'count' } };
  expect(await packAction(action, app)).toBe(makeAction(action));
  expect(await unpackAction(makeAction(action), app)).toEqual(action);
});

test('a long one becomes a short key, the same each time, that leads back for 60 days', async () => {
  const action = {
    command: 'check',
    options: { words: 'forum,mozart,'.repeat(20), sides: 'ozu-nri-lfa-mbt', all: true },
  };
  const key = await packAction(action, app);
  expect(key).toMatch(/^@[\w-]{1,99}$/);
  expect(await packAction(action, app)).toBe(key);
  const began = clock.time;
  clock.time += 59 * DAY;
  expect(await unpackAction(key, app)).toEqual(action);
  clock.time = began + 61 * DAY;
  await expect(unpackAction(key, app)).rejects.toMatchObject({ code: 'action.expired' });
});

test('somebody who erases their data leaves the same button of others', async () => {
  const action = { command: 'check', options: { words: 'forum,mozart,'.repeat(20) } };
  const [ann, ben] = ['ann', 'ben'].map((id) => ({
    who: { id },
    where: { tenant: 'slack:T1', channel: 'C1' },
  }));
  const key = await packAction(action, app, ann);
  await packAction(action, app, ben);
  await app.store.actions.erase(await personCode(ben!));
  expect(await unpackAction(key, app)).toEqual(action);
});

test.each(['', '@', '@nonsense', '1|hint', 'hint', '@'.repeat(100_000)])(
  '%j is a mistake, with a friendly explanation',
  async (text) => {
    await expect(unpackAction(text, app)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('type help'),
    });
  },
);

describe('pages', () => {
  test('together are the whole list, each item once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 9 }), (list, size) => {
        const seen: number[] = [];
        for (let number = 1; ; number++) {
          const page = pageOf(list, number, size);
          expect(page.from).toBe(seen.length + 1);
          seen.push(...page.items);
          expect(page.to).toBe(seen.length);
          if (!page.hasMore) break;
        }
        expect(seen).toEqual(list);
      }),
    );
  });

  test('reads only one item more than the page from an endless list', () => {
    let asked = 0;
    function* endless() {
      for (;;) yield ++asked;
    }
    expect(takePage(endless(), 3, 10)).toMatchObject({ from: 21, to: 30, hasMore: true, number: 3 });
    expect(asked).toBe(31);
  });

  test('have a note that names a single item as one', () => {
    expect(pageNote('Word', pageOf([1, 2, 3], 2, 2))).toEqual([{ kind: 'note', line: 'Word 3 of 3.' }]);
  });
});

test('lines as plain text', () => {
  expect(lineText([{ person: '42' }, ' leads'])).toBe('@42 leads');
  expect(lineText({ person: '42' }, { person: (id) => `<${id}>` })).toBe('<42>');
  expect(lineText([{ moment: Date.UTC(2026, 10, 20, 8), style: 'full' }])).toBe('2026-11-20 08:00 UTC');
});

test('counted, grouped and listed', () => {
  expect(joined(['a', bold('b')], ', ')).toEqual(['a', ', ', { bold: 'b' }]);
  expect(joined([], ', ')).toEqual([]);
  expect([counted(1, 'word'), counted(1n, 'word'), counted(0, 'word'), counted(1234, 'word')]).toEqual([
    '1 word',
    '1 word',
    '0 words',
    '1,234 words',
  ]);
  expect(grouped(2n ** 64n)).toBe('18,446,744,073,709,551,616');
  expect([listed([]), listed(['a']), listed(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
});
