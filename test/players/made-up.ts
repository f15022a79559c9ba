/** Results of people who don't exist. */
import fc from 'fast-check';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import type { PuzzleDate } from '../../src/puzzle/types.ts';
import type { Result } from '../../src/store/types.ts';

export const MONDAY: PuzzleDate = '2026-11-16';
export const dayOf = (index: number) => addDays(MONDAY, index);

/** Solved so many milliseconds after the puzzle came out. */
export function resultOf(date: PuzzleDate, change: Partial<Result> & { after?: number } = {}): Result {
  const { after = 3_600_000, ...rest } = change;
  const { from, to } = spanOf(date);
  const solvedAt = from + after;
  return {
    person: 'ann',
    place: 'general',
    date,
    words: 2,
    letters: 12,
    hints: 0,
    solvedAt,
    sinceOpening: solvedAt < to ? after : null,
    lengths: [6, 6],
    ...rest,
  };
}

/** Few different values, so that there are many ties. */
export const results = fc
  .uniqueArray(
    fc.record({
      person: fc.constantFrom('ann', 'bob', 'cleo', 'dan', 'eve'),
      day: fc.nat({ max: 6 }),
      words: fc.integer({ min: 1, max: 3 }),
      letters: fc.integer({ min: 12, max: 13 }),
      hints: fc.nat({ max: 1 }),
      after: fc.constantFrom(0, 1000, 30 * 3_600_000),
      hidden: fc.boolean(),
    }),
    { selector: ({ person, day }) => `${person} ${day}`, maxLength: 25 },
  )
  .map((drawn) => {
    const hidden = new Map(drawn.map((one) => [one.person, one.hidden]));
    return drawn.map(({ day, person, hidden: _, ...rest }) => ({
      ...resultOf(dayOf(day), { person, ...rest }),
      hidden: hidden.get(person)!,
    }));
  });
