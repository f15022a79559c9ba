import type { PuzzleDate } from '../../core/clock.ts';
import type { ReadingApp, Request } from '../../dispatch/contract.ts';
import { addDays, firstOfMonth, weekdayOf } from '../../puzzle/calendar.ts';
import type { Place } from '../../reply/replies/result-line.ts';
import type { ResultSums } from '../../store/tables/results.ts';

export const PERIODS = ['day', 'week', 'month', 'all'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** Both dates are included. */
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
      const from = firstOfMonth(date);
      return { name, from, to: addDays(firstOfMonth(addDays(from, 31)), -1) };
    }
    case 'all':
      return { name, from: BEGINNING, to: date };
  }
}

/** The period before; undefined for all time. */
export function periodBefore({ name, from }: Period): Period | undefined {
  return name === 'all' ? undefined : periodOf(name, addDays(from, -1));
}

/** One line of a leaderboard. */
export interface Standing extends ResultSums {
  /** Counted from 1. People with equal results share a rank, and the next rank is skipped. */
  readonly rank: number;
}

/**
 * Most days played first, then most days reported, then fewest words, then fewest letters, then fewest hints, then
 * earliest. People compared by words have equally many days, so sums say the same as averages. People who did not say how
 * many letters they took come after the others.
 *
 * @example standingsOf(await channelResults.sums('456', '2026-11-16', '2026-11-22'))[0]?.rank // 1
 */
export function standingsOf(sums: readonly ResultSums[]): Standing[] {
  const ordered = sums.toSorted((a, b) => compare(a, b) || (a.person < b.person ? -1 : 1));
  const standings: Standing[] = [];
  for (const [index, sum] of ordered.entries()) {
    const above = standings.at(-1);
    const isLevel = above !== undefined && compare(above, sum) === 0;
    standings.push({ rank: isLevel ? above.rank : index + 1, ...sum });
  }
  return standings;
}

function compare(a: ResultSums, b: ResultSums): number {
  return (
    playedDays(b) - playedDays(a) ||
    b.days - a.days ||
    a.words - b.words ||
    b.counted - a.counted ||
    a.letters - b.letters ||
    a.hints - b.hints ||
    a.solvedAt - b.solvedAt
  );
}

function playedDays({ days, reported }: ResultSums): number {
  return days - reported;
}

/** The asker's rank on the channel's leaderboard; undefined when they are not on it, or alone on it. */
export async function rankIn(
  { store }: Pick<ReadingApp, 'store'>,
  { who, where }: Pick<Request, 'who' | 'where'>,
  { from, to }: Period,
): Promise<Place | undefined> {
  const standings = standingsOf(
    await store.tenant(where.tenant).channelResults.sums(where.channel, from, to),
  );
  const own = standings.find(({ person }) => person === who.id);
  if (own === undefined || standings.length === 1) return undefined;
  return { rank: own.rank, of: standings.length };
}
