import { describe, expect, test } from 'vitest';
import { PERIODS, periodBefore, periodOf, standingsOf } from '../../../src/players/results/standings.ts';
import { addDays, weekdayOf } from '../../../src/puzzle/calendar.ts';
import type { ResultSums } from '../../../src/store/tables/results.ts';
import fc from '../../fakes/fast-check.ts';
import { dayOf } from '../made-up.ts';

const KEYS = ['words', 'counted', 'letters', 'hints', 'solvedAt'] as const;
const sumsOf = (person: string, change: Partial<ResultSums> = {}): ResultSums => ({
  person,
  days: 2,
  reported: 0,
  counted: 2,
  words: 5,
  letters: 25,
  hints: 1,
  solvedAt: 1000,
  ...change,
});
/** Few different values, so that there are many ties. */
const board = fc.uniqueArray(
  fc.record({
    person: fc.string({ minLength: 1, maxLength: 2 }),
    days: fc.integer({ min: 1, max: 2 }),
    reported: fc.nat({ max: 1 }),
    counted: fc.nat({ max: 1 }),
    words: fc.integer({ min: 2, max: 3 }),
    letters: fc.integer({ min: 12, max: 13 }),
    hints: fc.nat({ max: 1 }),
    solvedAt: fc.nat({ max: 1 }),
  }),
  { selector: ({ person }) => person },
);
const ranks = (sums: readonly ResultSums[]) =>
  standingsOf(sums).map(({ rank, person }) => `${rank} ${person}`);

describe('standings', () => {
  test.each([
    ['more days', { days: 3, words: 9, letters: 99, hints: 9 }],
    ['fewer words', { words: 4, letters: 99, hints: 9 }],
    ['fewer letters', { letters: 24, hints: 9 }],
    ['fewer hints', { hints: 0, solvedAt: 9999 }],
    ['earlier', { solvedAt: 999 }],
    ['more days, all else reported,', { days: 4, reported: 2 }],
  ])('%s come first', (_, better) => {
    expect(ranks([sumsOf('ann'), sumsOf('bob', better)])).toEqual(['1 bob', '2 ann']);
  });

  test('a rank is one more than the number of better people, compared pair by pair', () => {
    fc.assert(
      fc.property(board, (sums) => {
        const keyOf = (one: ResultSums) => [
          one.reported - one.days,
          -one.days,
          ...KEYS.map((key) => (key === 'counted' ? -one[key] : one[key])),
        ];
        const isBetter = (a: ResultSums, b: ResultSums) => {
          const [mine, other] = [keyOf(a), keyOf(b)];
          const first = mine.findIndex((value, index) => value !== other[index]);
          return first >= 0 && mine[first]! < other[first]!;
        };
        const standings = standingsOf(sums);
        expect(standings.map(({ person }) => person).toSorted()).toEqual(
          sums.map(({ person }) => person).toSorted(),
        );
        for (const { rank, ...own } of standings)
          expect(rank).toBe(1 + sums.filter((other) => isBetter(other, own)).length);
        const ranks = standings.map(({ rank }) => rank);
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });
});

test.each([
  ['day', '2026-11-20', '2026-11-20', '2026-11-20'],
  ['week', '2026-11-20', '2026-11-16', '2026-11-22'],
  ['week', '2026-11-16', '2026-11-16', '2026-11-22'],
  ['week', '2026-11-22', '2026-11-16', '2026-11-22'],
  ['week', '2027-01-01', '2026-12-28', '2027-01-03'],
  ['month', '2026-11-20', '2026-11-01', '2026-11-30'],
  ['month', '2024-02-29', '2024-02-01', '2024-02-29'],
  ['month', '2026-12-31', '2026-12-01', '2026-12-31'],
] as const)('the %s of %s', (name, date, from, to) => {
  expect(periodOf(name, date)).toEqual({ name, from, to });
});

test('the period of all time ends today and has none before it', () => {
  const all = periodOf('all', '2026-11-20');
  expect(all.to).toBe('2026-11-20');
  expect(all.from < '2010-01-01').toBe(true);
  expect(periodBefore(all)).toBeUndefined();
});

test('periods of a kind are adjacent, and each includes its own dates', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PERIODS), fc.integer({ min: -2000, max: 2000 }), (name, offset) => {
      const date = dayOf(offset);
      const period = periodOf(name, date);
      expect(period.from <= date && date <= period.to).toBe(true);
      const before = periodBefore(period);
      if (before === undefined) return;
      expect(addDays(before.to, 1)).toBe(period.from);
      expect(periodOf(name, period.from)).toEqual(period);
      expect(periodOf(name, period.to)).toEqual(period);
      if (name === 'week') expect(weekdayOf(period.from)).toBe(1);
    }),
  );
});
