import type { PuzzleDate } from '../../core/clock.ts';
import { addDays, weekdayOf } from '../../puzzle/calendar.ts';

export const PERIODS = ['day', 'week', 'month', 'all'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** Both dates belong to it. */
export interface Period {
  readonly name: PeriodName;
  readonly from: PuzzleDate;
  readonly to: PuzzleDate;
}

/** Before any puzzle that this bot can have. */
export const BEGINNING: PuzzleDate = '2000-01-01';

/**
 * The period a puzzle's date lies in: weeks begin on Monday, months on the first.
 *
 * @example periodOf('week', '2026-11-20') // { name: 'week', from: '2026-11-16', to: '2026-11-22' }
 */
export function periodOf(name: PeriodName, date: PuzzleDate): Period {
  switch (name) {
    case 'day':
      return { name, from: date, to: date };
    case 'week': {
      const from = addDays(date, 1 - weekdayOf(date));
      return { name, from, to: addDays(from, 6) };
    }
    case 'month': {
      const from = `${date.slice(0, 8)}01` as PuzzleDate;
      const next = `${addDays(from, 31).slice(0, 8)}01` as PuzzleDate;
      return { name, from, to: addDays(next, -1) };
    }
    case 'all':
      return { name, from: BEGINNING, to: date };
  }
}

/** The one before; none before everything. */
export function periodBefore({ name, from }: Period): Period | undefined {
  return name === 'all' ? undefined : periodOf(name, addDays(from, -1));
}
