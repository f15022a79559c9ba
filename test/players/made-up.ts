/** Results of people who don't exist. */
import type { PuzzleDate } from '../../src/core/clock.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import type { Result, Results } from '../../src/store/tables/results.ts';

const MONDAY: PuzzleDate = '2026-11-16';
export const dayOf = (index: number) => addDays(MONDAY, index);

/** Solved so many milliseconds after the puzzle came out. */
export function resultOf(date: PuzzleDate, change: Partial<Result> & { after?: number } = {}): Result {
  const { after = 3_600_000, ...rest } = change;
  const { from, to } = spanOf(date);
  const solvedAt = from + after;
  return {
    person: 'ann',
    channel: 'general',
    date,
    board: 'bcd fgh jkl mnp',
    words: 2,
    letters: 12,
    hints: 0,
    solvedAt,
    sinceOpening: solvedAt < to ? after : null,
    ...rest,
  };
}

/** What is stored of a person in a channel of a tenant. */
export async function resultIn(
  results: Pick<Results, 'ofPerson'>,
  person: string,
  channel: string,
  date: PuzzleDate,
): Promise<Result | undefined> {
  return (await results.ofPerson(person)).find((one) => one.channel === channel && one.date === date);
}
