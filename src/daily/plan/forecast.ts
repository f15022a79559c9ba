import { type ChannelRef, channelKey } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { addDays, dateAt, type Span } from '../../puzzle/calendar.ts';
import type { Reason } from '../../store/schema.ts';
import type { ReadingStore, Store } from '../../store/store.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { type Day, dayOf, newDay, recordOf } from '../day-thread.ts';
import { readSubscription } from '../settings/settings.ts';
import { planOf } from './planner.ts';
import type { DayStep } from './schedule.ts';
import { afterLeavingOut, afterPost, goesOnAt, type PlannedSubscription, todo } from './todo.ts';

/** A message of a channel's day that will be posted if nothing changes and everything is delivered on time. */
interface Foreseen {
  readonly at: number;
  readonly date: PuzzleDate;
  /** Several, if one message has several steps. */
  readonly steps: readonly DayStep[];
  /** Why it is not posted, but left out. */
  readonly skip?: Reason;
}

/**
 * What is posted in a channel at a moment, by the functions that plan and post it. Changes `days` to what they are after that.
 *
 * @returns `nextAt`: when to look again
 */
export function foreseeMoment(
  days: Map<PuzzleDate, Day>,
  subscription: PlannedSubscription,
  now: number,
): { readonly posts: readonly Foreseen[]; readonly nextAt: number } {
  const plan = planOf(subscription, now);
  for (const { date } of plan.days) if (!days.has(date)) days.set(date, newDay(date));
  const posts: Foreseen[] = [];
  let { nextAt } = plan;
  /** When the next day's thread, which closes this one, was opened. The loop goes backwards, so it has seen that day already. */
  let nextThreadAt: number | undefined;
  for (const date of [...days.keys()].sort().reverse()) {
    let day = days.get(date)!;
    for (;;) {
      const { post, leaveOut, lookAt } = todo({ day, subscription, now, nextThreadAt });
      day = afterLeavingOut(day, leaveOut, now);
      for (const { step, reason } of leaveOut) posts.push({ at: now, date, steps: [step], skip: reason });
      if (post.length === 0) {
        nextAt = Math.min(nextAt, lookAt ?? Number.POSITIVE_INFINITY);
        break;
      }
      posts.push({ at: now, date, steps: post });
      day = afterPost(day, post, { state: 'sent', at: now });
    }
    days.set(date, day);
    nextThreadAt = day.openedAt ?? nextThreadAt;
  }
  return { posts, nextAt };
}

/** Days to look back for open threads. A thread stays open until the next one opens, as after a weekend off or a pause. */
const MAX_OPEN_DAYS = 14;

export type Forecast = Foreseen & ChannelRef;

/** What will be posted in each of these channels from a moment on; for some, this never ends. */
async function foresee(
  { allDeliveries }: Pick<ReadingStore, 'allDeliveries'>,
  subscriptions: readonly Subscription[],
  from: number,
  log: Pick<Log, 'warn'>,
  beginOf: (subscription: Subscription) => number = () => from,
): Promise<readonly Generator<Forecast>[]> {
  const rows = await allDeliveries.days(subscriptions, addDays(dateAt(from), -MAX_OPEN_DAYS));
  const byChannel = Map.groupBy(rows, (row) => channelKey(row));
  return subscriptions.map(function* (subscription) {
    const { tenant, channel } = subscription;
    const known = byChannel.get(channelKey(subscription)) ?? [];
    const days = new Map(known.map((row) => [row.date, dayOf(row, recordOf(row, log), from)]));
    const read = readSubscription(subscription);
    for (let now = beginOf(subscription); now < Number.POSITIVE_INFINITY; ) {
      const { posts, nextAt } = foreseeMoment(days, read, now);
      for (const post of posts) yield { ...post, tenant, channel };
      now = nextAt;
    }
  });
}

/** Enough to get past all that a channel leaves out in a row, such as the days of a long weekend. */
const MAX_FORESEEN = 60;

/** The earliest post in any of these channels: now if something is due already, undefined if nothing will be posted. */
export async function nextPostIn(
  store: Pick<ReadingStore, 'allDeliveries'>,
  subscriptions: readonly Subscription[],
  now: number,
  log: Pick<Log, 'warn'>,
): Promise<Forecast | undefined> {
  // Begins where a pause ends: a long one leaves out more days than MAX_FORESEEN. Others go on only once somebody acts.
  const beginOf = (one: Subscription) => goesOnAt(one, now);
  const active = subscriptions.filter((one) => beginOf(one) < Number.POSITIVE_INFINITY);
  let next: Forecast | undefined;
  for (const posts of await foresee(store, active, now, log, beginOf)) {
    const post = posts.take(MAX_FORESEEN).find(({ skip }) => skip === undefined);
    if (post !== undefined && post.at < (next?.at ?? Number.POSITIVE_INFINITY)) next = post;
  }
  return next;
}

/** What would be posted or skipped in all channels between two moments, if everything is delivered on time. */
export async function forecast(
  store: Store,
  { from, to }: Span,
  log: Pick<Log, 'warn'>,
): Promise<Forecast[]> {
  // What a suspended channel leaves out is of interest, too.
  const subscriptions = (await store.allTenants.subscriptions()).filter(({ state }) => state !== 'off');
  const found: Forecast[] = [];
  for (const posts of await foresee(store, subscriptions, from, log)) {
    for (const post of posts) {
      if (post.at > to) break;
      found.push(post);
    }
  }
  return found.sort((a, b) => a.at - b.at || (a.tenant < b.tenant ? -1 : 1));
}
