/** Results of people who don't exist. */
import type { PuzzleDate } from '../../src/core/clock.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import type { Result } from '../../src/store/tables/results.ts';
import { makeTestApp, type TestApp } from '../fakes/app.ts';
import { house, WORDS } from '../fakes/small-board.ts';

const MONDAY: PuzzleDate = '2026-11-16';
export const dayOf = (index: number) => addDays(MONDAY, index);

/** Solved this many milliseconds after the puzzle came out. */
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

export interface Month extends TestApp {
  /** A tenant of its own, with these results. */
  tenantWith(results: readonly Result[], hidden?: readonly string[]): Promise<string>;
}

/** A store with a board for each day of November. */
export async function openMonth(): Promise<Month> {
  const test = await makeTestApp({ words: WORDS, house });
  for (let date: PuzzleDate = '2026-11-01'; date <= '2026-11-30'; date = addDays(date, 1))
    await test.store.puzzles.keep({ date, source: 'house', puzzle: {}, at: spanOf(date).from });
  let tenants = 0;
  return {
    ...test,
    async tenantWith(results, hidden = []) {
      const tenant = `web:t${tenants++}`;
      const store = test.store.tenant(tenant);
      for (const result of results) await store.results.record(result);
      for (const person of hidden) await store.people.choose(person, { hidden: true });
      return tenant;
    },
  };
}
