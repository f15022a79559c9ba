import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { parseStored, type StoredSettings } from '../../daily/settings/settings.ts';
import { addDays, weekdayOf } from '../../puzzle/calendar.ts';
import type { Block } from '../../reply/model/types.ts';
import { monthReviewBlocks } from '../../reply/replies/reviews.ts';
import type { ReadingStore } from '../../store/reading.ts';
import { periodOf, standingsOf } from '../results/standings.ts';
import { puzzleDays, streakOf } from '../results/streak.ts';

const SATURDAY = 6;

/** What a channel has chosen that its reviews keep to. */
export interface ReviewSettings {
  /** Whether people are named. */
  readonly names: boolean;
  /** Dates without a thread here, which break no streak. */
  readonly isOff: (date: PuzzleDate) => boolean;
}

export function reviewSettingsOf({
  names,
  weekends,
}: Pick<StoredSettings, 'names' | 'weekends'>): ReviewSettings {
  return { names, isOff: (date: PuzzleDate) => !weekends && weekdayOf(date) >= SATURDAY };
}

/** The same of a channel, with or without a daily thread. */
export async function reviewSettings(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
): Promise<ReviewSettings> {
  const subscription = await store.tenant(tenant).subscriptions.get(channel);
  return reviewSettingsOf(parseStored(subscription?.settings ?? {}));
}

export interface MonthToReview extends ChannelRef, ReviewSettings {
  /** Any date of the month; dates after it are not counted yet. */
  readonly date: PuzzleDate;
}

/** Ranks of the month that are shown. */
const MOST_RANKS = 3;
const MOST_NAMED = 5;

/** How a month went in a channel, up to a date. Hidden people and late results count nowhere in it. */
export async function monthReview(
  { store }: { readonly store: ReadingStore },
  { tenant, channel, date, names, isOff }: MonthToReview,
): Promise<Block[]> {
  const { channelResults } = store.tenant(tenant);
  const { from } = periodOf('month', date);
  const days = await channelResults.byDay(channel, from, date);
  const people = new Map(days.map((day) => [day.date, day.people]));
  const known = await puzzleDays(store);
  const dates: PuzzleDate[] = [];
  for (let one = from; one <= date; one = addDays(one, 1)) dates.push(one);
  const counted = dates.filter((one) => people.has(one) || (known.has(one) && !isOff(one)));
  const standings = standingsOf(await channelResults.sums(channel, from, date));
  return monthReviewBlocks({
    from,
    days: dates.map((one) => ({ date: one, people: people.get(one) ?? 0 })),
    boards: counted.length,
    solved: people.size,
    longest: streakOf(people.keys(), counted, addDays(date, 1)).longest,
    people: standings.length,
    best: standings.filter(({ rank }) => rank <= MOST_RANKS).slice(0, MOST_NAMED),
    names,
  });
}
