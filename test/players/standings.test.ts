import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { standingsOf } from '../../src/players/standings.ts';
import { spanOf } from '../../src/puzzle/calendar.ts';
import type { PuzzleDate } from '../../src/puzzle/types.ts';
import { dayOf, resultOf, results } from './made-up.ts';

const shown = (result: ReturnType<typeof resultOf>) => ({ ...result, hidden: false });
const places = (list: Parameters<typeof standingsOf>[0]) =>
  standingsOf(list).map(({ rank, person }) => `${rank} ${person}`);

describe('standings', () => {
  const cases: [
    string,
    Parameters<typeof resultOf>[1],
    Parameters<typeof resultOf>[1] & { days?: number },
  ][] = [
    ['more days', {}, { days: 1, words: 1 }],
    ['fewer words', {}, { words: 3, letters: 12 }],
    ['fewer letters', {}, { letters: 13 }],
    ['fewer hints', {}, { hints: 1 }],
    ['earlier', {}, { after: 3_600_001 }],
  ];
  test.each(cases)('%s come first', (_, better, { days = 2, ...worse }) => {
    const list = [
      ...[0, 1].slice(0, days).map((day) => shown(resultOf(dayOf(day), { person: 'ann', ...worse }))),
      ...[0, 1].map((day) => shown(resultOf(dayOf(day), { person: 'bob', ...better }))),
    ];
    expect(places(list)).toEqual(['1 bob', '2 ann']);
  });

  test('those who are level share a place, and the next one skips', () => {
    const list = ['dan', 'ann', 'cleo', 'bob'].map((person) =>
      shown(resultOf(dayOf(0), { person, words: person === 'bob' ? 4 : person === 'dan' ? 1 : 2 })),
    );
    expect(places(list)).toEqual(['1 dan', '2 ann', '2 cleo', '4 bob']);
  });

  test('earliest is meant within each day, so that a Friday is no later than a Monday', () => {
    const list = [
      shown(resultOf(dayOf(0), { person: 'ann', after: 2000 })),
      shown(resultOf(dayOf(4), { person: 'bob', after: 1000 })),
    ];
    expect(places(list)).toEqual(['1 bob', '2 ann']);
  });

  test('who stays off the board, and what was solved after its day, does not count', () => {
    const list = [
      { ...resultOf(dayOf(0), { person: 'ann' }), hidden: true },
      shown(resultOf(dayOf(0), { person: 'bob', after: 25 * 3_600_000 })),
    ];
    expect(standingsOf(list)).toEqual([]);
  });

  test('sums are those of a plain recomputation, and a place is one more than how many are better', () => {
    fc.assert(
      fc.property(results, (list) => {
        const standings = standingsOf(list);
        const counting = list.filter((one) => !one.hidden && one.sinceOpening !== null);
        expect(new Set(standings.map(({ person }) => person))).toEqual(
          new Set(counting.map(({ person }) => person)),
        );
        const keyOf = (person: string) => {
          const own = counting.filter((one) => one.person === person);
          const sum = (pick: (one: (typeof own)[number]) => number) =>
            own.reduce((total, one) => total + pick(one), 0);
          return [
            -own.length,
            sum(({ words }) => words),
            sum(({ letters }) => letters),
            sum(({ hints }) => hints),
            sum(({ solvedAt, date }) => solvedAt - spanOf(date as PuzzleDate).from),
          ];
        };
        for (const { rank, person, days, words, letters, hints, time } of standings) {
          expect([-days, words, letters, hints, time]).toEqual(keyOf(person));
          const better = standings.filter((other) => isBefore(keyOf(other.person), keyOf(person)));
          expect(rank).toBe(better.length + 1);
        }
        expect(standings.map(({ rank }) => rank)).toEqual(
          standings.map(({ rank }) => rank).toSorted((a, b) => a - b),
        );
      }),
    );
  });

  test('the order of results makes no difference', () => {
    fc.assert(
      fc.property(results, (list) => {
        expect(standingsOf(list.toReversed())).toEqual(standingsOf(list));
      }),
    );
  });
});

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const first = a.findIndex((value, index) => value !== b[index]);
  return first >= 0 && a[first]! < b[first]!;
}
