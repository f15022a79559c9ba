import { describe, expect, test } from 'vitest';
import { streakOf } from '../../../src/players/results/stats.ts';
import fc from '../../fakes/fast-check.ts';
import { dayOf } from '../made-up.ts';

const days = (...indices: number[]) => indices.map(dayOf);

describe('a streak', () => {
  test('continues as long as each day that had a puzzle is solved', () => {
    expect(streakOf(days(0, 1, 3, 4), days(0, 1, 2, 3, 4), dayOf(4))).toEqual({
      current: 2,
      longest: 2,
      isTodaySolved: true,
    });
  });

  test('is not broken by a day without a puzzle', () => {
    expect(streakOf(days(0, 1, 3, 4), days(0, 1, 3, 4), dayOf(4)).current).toBe(4);
  });

  test('is not broken by today, which is not over yet', () => {
    expect(streakOf(days(0, 1), days(0, 1, 2), dayOf(2))).toEqual({
      current: 2,
      longest: 2,
      isTodaySolved: false,
    });
    expect(streakOf(days(0, 1), days(0, 1, 2, 3), dayOf(3)).current).toBe(0);
  });

  test('counts a solved day that is not among the known dates', () => {
    expect(streakOf(days(0, 1, 2), [], dayOf(2)).current).toBe(3);
  });

  test('continues across months, years and daylight-saving changes', () => {
    const long = Array.from({ length: 400 }, (_, index) => dayOf(index));
    expect(streakOf(long, long, long.at(-1)!).current).toBe(400);
  });

  test('equals a straightforward recomputation', () => {
    const some = fc.uniqueArray(fc.nat({ max: 20 }));
    fc.assert(
      fc.property(some, some, fc.nat({ max: 20 }), (solved, other, today) => {
        const known = new Set([...solved, ...other]);
        const found = streakOf(days(...solved), days(...other), dayOf(today));
        const countFrom = (last: number) => {
          let count = 0;
          for (let day = last; day >= 0; day--) {
            if (!known.has(day)) continue;
            if (!solved.includes(day)) break;
            count++;
          }
          return count;
        };
        const isOpen = known.has(today) && !solved.includes(today);
        expect(found.current).toBe(countFrom(isOpen ? today - 1 : today));
        expect(found.longest).toBe(
          Math.max(...Array.from({ length: today + 1 }, (_, day) => countFrom(day))),
        );
        expect(found.isTodaySolved).toBe(solved.includes(today));
      }),
    );
  });
});
