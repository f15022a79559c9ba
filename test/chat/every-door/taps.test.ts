/**
 * How many taps it takes from the day's message in the channel to having read something: pressing a button or a cover
 * is one, choosing from a menu is two. Found by trying all ways in the order of what they cost, each with another person.
 */
import { expect, test } from 'vitest';
import { fewestTaps, GOALS, TAPS_DOORS } from './taps.ts';

const EXPECTED = {
  discord: { 'hint 1': 1, 'hint 3': 3, solution: 2 },
  slack: { 'hint 1': 1, 'hint 3': 3, solution: 2 },
  web: { 'hint 1': 1, 'hint 3': 3, solution: 2 },
};

test.each(Object.entries(TAPS_DOORS))(
  '%s: hints and the solution are as near as expected',
  async (name, open) => {
    const door = await open();
    try {
      const taps: Record<string, number | undefined> = {};
      for (const [goal, pattern] of Object.entries(GOALS)) taps[goal] = await fewestTaps(door, pattern);
      expect(taps).toEqual(EXPECTED[name as keyof typeof EXPECTED]);
    } finally {
      await door.close();
    }
  },
);
