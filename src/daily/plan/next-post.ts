import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { ReadingStore } from '../../store/reading.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { parseStored } from '../settings/settings.ts';
import { type NextPost, nextPost, StepStates } from './plan.ts';
import { Schedules } from './schedule.ts';

/** What will be posted next in a channel, and when; undefined where nothing will. */
export async function nextPostIn(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
  now: number,
): Promise<NextPost | undefined> {
  const { subscriptions } = store.tenant(tenant);
  const subscription = await subscriptions.get(channel);
  return subscription && nextPostOf(store, subscription, now);
}

/** The same, for a caller that has the subscription already. */
export async function nextPostOf(
  store: ReadingStore,
  subscription: Subscription,
  now: number,
): Promise<NextPost | undefined> {
  const { deliveries } = store.tenant(subscription.tenant);
  const states = new StepStates();
  const schedules = new Schedules();
  return lookAhead(now, {
    async load(date) {
      const rows = await deliveries.ofDay(subscription.channel, date);
      for (const row of rows) states.set(row);
      return rows.length > 0;
    },
    look: () =>
      nextPost({
        now,
        schedules,
        subscription: { ...subscription, settings: parseStored(subscription.settings) },
        ...states.in(subscription),
      }),
  });
}

/**
 * Finds the next post with only the rows that it depends on: those of yesterday and today and, if the post found is
 * of a later day, those of that day too. A later day has rows already where the clock went back: people can move
 * the local chat's clock forward, and a restart resets it.
 *
 * @param load reads the rows of a date, for `look` to use; true if there are any
 * @param look computes the next post from the rows loaded so far
 */
export async function lookAhead<Post extends NextPost>(
  now: number,
  { load, look }: { load: (date: PuzzleDate) => Promise<boolean>; look: () => Post | undefined },
): Promise<Post | undefined> {
  const today = dateAt(now);
  const loaded = [addDays(today, -1), today];
  await Promise.all(loaded.map(load));
  for (;;) {
    const post = look();
    if (post === undefined || loaded.includes(post.date)) return post;
    loaded.push(post.date);
    if (!(await load(post.date))) return post;
  }
}
