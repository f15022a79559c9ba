import type { ChannelRef } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import { Schedules } from '../daily/plan/schedule.ts';
import type { DailySettings } from '../daily/settings/settings.ts';
import { addDays } from '../puzzle/calendar.ts';
import type { Streak } from '../reply/replies/stats.ts';
import type { ReadingStore } from '../store/store.ts';
import { FIRST_DATE, puzzleDays, streakOf } from './results/stats.ts';

/** A channel and the last date that is counted. */
export interface ReviewedUntil extends ChannelRef {
  readonly date: PuzzleDate;
  readonly settings: DailySettings;
}

/** The number of days in a row, up to this one, on which somebody solved the board. */
export async function channelStreak(
  store: ReadingStore,
  { tenant, channel, date, settings }: ReviewedUntil,
): Promise<Streak> {
  const days = await store.tenant(tenant).channelResults.byDay(channel, FIRST_DATE, date);
  const known = [...(await puzzleDays(store))].filter(
    (one) => one <= date && (one === date || !isOff(settings, one)),
  );
  const solved = days.map((day) => day.date);
  // The day itself is over, so it breaks the streak if nobody solved it.
  return streakOf(solved, [...known, date], addDays(date, 1));
}

const schedules = new Schedules();

/** Whether a date has no thread in a channel, and so breaks no streak there. */
export function isOff(settings: DailySettings, date: PuzzleDate): boolean {
  return !settings.weekends && schedules.isWeekend(settings, date);
}
