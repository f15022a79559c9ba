import { expect, test } from 'vitest';
import { isRestored } from '../../../src/daily/delivery/unaccounted.ts';

test('a delivery that was due by the moment of a restore may have been posted', () => {
  const gaps = { gapUntil: 20, restoredUntil: 10 };
  expect([9, 10, 11].map((dueAt) => isRestored({ dueAt }, gaps))).toEqual([true, true, false]);
  expect(isRestored({ dueAt: 9 }, { gapUntil: 20, restoredUntil: null })).toBe(false);
});
