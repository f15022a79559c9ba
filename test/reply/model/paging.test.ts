import { describe, expect, test } from 'vitest';
import { pageButtons, pageNote, pageOf, takePage } from '../../../src/reply/model/action.ts';
import fc from '../../fakes/fast-check.ts';

const ACTION = { command: 'words', options: { sides: 'a-b-c' } };

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

  test.each([
    [0, 1],
    [-3, 1],
    [1.5, 1],
    [99, 3],
  ])('page %d of three is page %d', (asked, number) => {
    expect(pageOf([1, 2, 3, 4, 5], asked, 2).number).toBe(number);
  });

  test('reads only one item more than the page from an endless list', () => {
    let asked = 0;
    function* endless() {
      for (;;) yield ++asked;
    }
    expect(takePage(endless(), 3, 10)).toMatchObject({ from: 21, to: 30, hasMore: true, number: 3 });
    expect(asked).toBe(31);
  });

  test('have buttons to existing previous and next pages', () => {
    const labels = (number: number, hasMore: boolean) =>
      pageButtons(ACTION, { number, hasMore }).map(({ label, action }) => [label, action.options.page]);
    expect(labels(1, false)).toEqual([]);
    expect(labels(1, true)).toEqual([['More', 2]]);
    expect(labels(2, true)).toEqual([
      ['Back', 1],
      ['More', 3],
    ]);
    expect(labels(3, false)).toEqual([['Back', 2]]);
  });

  test('have a note with the part shown and the total', () => {
    expect(pageNote('Word', pageOf([1, 2], 1, 2))).toEqual([]);
    expect(pageNote('Word', pageOf([1, 2, 3, 4], 2, 2))).toEqual([
      { kind: 'note', line: 'Words 3 to 4 of 4.' },
    ]);
    expect(pageNote('Word', pageOf([1, 2, 3], 2, 2))).toEqual([{ kind: 'note', line: 'Word 3 of 3.' }]);
  });
});
