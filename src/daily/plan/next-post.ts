import type { ChannelRef } from '../../core/channel-ref.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import type { DeliveryState } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { parseStored } from '../settings/settings.ts';
import { type NextPost, nextPost } from './plan.ts';
import { Schedules } from './schedule.ts';

/** What will be posted next in a channel, and when; undefined where nothing will. */
export async function nextPostIn(
  store: Store,
  { tenant, channel }: ChannelRef,
  now: number,
): Promise<NextPost | undefined> {
  const { subscriptions } = store.tenant(tenant);
  const subscription = await subscriptions.get(channel);
  return subscription && nextPostOf(store, subscription, now);
}

export async function nextPostOf(
  store: Store,
  subscription: Subscription,
  now: number,
): Promise<NextPost | undefined> {
  const { deliveries } = store.tenant(subscription.tenant);
  const states = new Map<string, DeliveryState>();
  const schedules = new Schedules();
  return lookAhead(now, {
    async load(date) {
      const rows = await deliveries.ofDay(subscription.channel, date);
      for (const { step, state } of rows) states.set(`${date} ${step}`, state);
      return rows.length > 0;
    },
    look: () =>
      nextPost({
        now,
        schedules,
        subscription: { ...subscription, settings: parseStored(subscription.settings) },
        stateOf: (date, step) => states.get(`${date} ${step}`),
      }),
  });
}

/**
 * What comes next, by the rows of the days it depends on. There may be some of days to come: the local
 * chat's clock, which people move on, goes back when the bot is started again.
 *
 * @param load reads the rows of a date; true if it has any.
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
