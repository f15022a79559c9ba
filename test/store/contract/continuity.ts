import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../../src/core/clock.ts';
import { LONGEST_PAUSE } from '../../../src/store/tables/continuity.ts';
import type { Ground } from './ground.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 30);

export function continuityContract({ store }: Ground): void {
  describe('what the store can not account for', () => {
    test('is nothing while somebody plans every minute, and the time of a longer pause', async () => {
      const { continuity } = store();
      const before = await continuity.beat(NOW);
      for (let minute = 1; minute <= 5; minute++)
        expect(await continuity.beat(NOW + minute * MINUTE)).toEqual(before);
      const late = NOW + 5 * MINUTE + LONGEST_PAUSE + 1;
      expect(await continuity.gaps(late)).toEqual(before);
      expect(await continuity.beat(late)).toEqual({ ...before, gapUntil: late });
      expect(await continuity.beat(late + MINUTE)).toEqual({ ...before, gapUntil: late });
      expect(await continuity.gaps(late + MINUTE)).toEqual({ ...before, gapUntil: late });
    });

    test('is nothing where only the clock went back', async () => {
      const { continuity } = store();
      const { gapUntil } = await continuity.beat(NOW + 9 * MINUTE);
      expect((await continuity.beat(NOW - 120 * MINUTE)).gapUntil).toBe(gapUntil);
      expect((await continuity.beat(NOW - 119 * MINUTE)).gapUntil).toBe(gapUntil);
    });

    test('ends at the time by the clock where a gap was written by one that was days ahead', async () => {
      const { continuity } = store();
      await continuity.beat(NOW);
      const wrong = NOW + 400 * DAY;
      expect((await continuity.beat(wrong)).gapUntil).toBe(wrong);
      expect((await continuity.beat(wrong - 2 * DAY)).gapUntil).toBe(wrong);
      expect((await continuity.beat(NOW)).gapUntil).toBe(NOW);
      expect((await continuity.gaps(NOW)).gapUntil).toBe(NOW);
    });
  });
}
