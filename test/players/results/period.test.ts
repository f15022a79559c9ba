import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PERIODS, periodBefore, periodOf } from '../../../src/players/results/period.ts';
import { addDays, weekdayOf } from '../../../src/puzzle/calendar.ts';
import { dayOf } from '../made-up.ts';

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
