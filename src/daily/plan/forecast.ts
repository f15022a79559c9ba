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
import { afterLeavingOut, afterPost, type PlannedSubscription, todo } from './todo.ts';

/** A message that will be posted if nothing changes and everything is delivered on time, or a step that will not be. */
interface Foreseen {
  readonly at: number;
  readonly date: PuzzleDate;
  /** Several, if one message has several steps. */
  readonly steps: readonly DayStep[];
  /** Why they are left out. */
  readonly skip?: Reason;
}

/**
 * What is posted in a channel at a moment, by the functions that plan and post it. It is noted in the days. Returns when to look
 * again.
 */
export function* foreseeMoment(
  days: Map<PuzzleDate, Day>,
  subscription: PlannedSubscription,
  now: number,
): Generator<Foreseen, number> {
  const plan = planOf(subscription, now);
  for (const { date } of plan.days) if (!days.has(date)) days.set(date, newDay(date));
  let next = plan.nextAt;
  // The next day's opening closes the one before.
  for (const date of [...days.keys()].sort().reverse())
    next = Math.min(next, yield* foreseeDay(days, date, subscription, now));
  return next;
}

function* foreseeDay(
  days: Map<PuzzleDate, Day>,
  date: PuzzleDate,
  subscription: PlannedSubscription,
  now: number,
): Generator<Foreseen, number> {
  for (;;) {
    const asked = days.get(date)!;
    // Any later one that is open closes this day.
    const later = [...days.values()].find((other) => other.date > date && other.openedAt !== null);
    const nextThreadAt = later?.openedAt ?? undefined;
    const { post, leaveOut, lookAt } = todo({ day: asked, subscription, now, nextThreadAt });
    const day = afterLeavingOut(asked, leaveOut, now);
    for (const { step, reason } of leaveOut) yield { at: now, date, steps: [step], skip: reason };
    if (post.length === 0) {
      days.set(date, day);
      return lookAt ?? Number.POSITIVE_INFINITY;
    }
    yield { at: now, date, steps: post };
    days.set(date, afterPost(day, post, { state: 'sent', at: now }));
  }
}

/** A thread stays open until the next one opens: over a weekend off, or after a pause. */
const MAX_OPEN_DAYS = 14;

/** What will be posted in each of these channels from a moment on. It may never end. */
async function foresee(
  { allDeliveries }: Pick<ReadingStore, 'allDeliveries'>,
  subscriptions: readonly Subscription[],
  from: number,
  log: Pick<Log, 'warn'>,
) {
  const rows = await allDeliveries.days(subscriptions, addDays(dateAt(from), -MAX_OPEN_DAYS));
  const byChannel = Map.groupBy(rows, (row) => channelKey(row));
  return subscriptions.map((subscription) => {
    const known = byChannel.get(channelKey(subscription)) ?? [];
    const days = new Map(known.map((row) => [row.date, dayOf(row, recordOf(row, log), from)]));
    const read = readSubscription(subscription);
    function* posts(): Generator<Foreseen> {
      for (let now = from; now < Number.POSITIVE_INFINITY; ) now = yield* foreseeMoment(days, read, now);
    }
    return { subscription, posts: posts() };
  });
}

export interface NextPost extends ChannelRef, Pick<Foreseen, 'at' | 'date'> {
  readonly step: DayStep;
}

/** Posts looked at for the next one: channels leave out days in a row, such as those of a long weekend. */
const MAX_FORESEEN = 60;

/** The earliest post in any of these channels: now if something is due already, undefined if nothing will be posted. */
export async function nextPostIn(
  store: Pick<ReadingStore, 'allDeliveries'>,
  subscriptions: readonly Subscription[],
  now: number,
  log: Pick<Log, 'warn'>,
): Promise<NextPost | undefined> {
  let next: NextPost | undefined;
  for (const { subscription, posts } of await foresee(store, subscriptions, now, log)) {
    const { tenant, channel, state, until } = subscription;
    if (state === 'off' || state === 'suspended' || (state === 'paused' && until === null)) continue;
    const post = posts.take(MAX_FORESEEN).find(({ skip }) => skip === undefined);
    if (post !== undefined && post.at < (next?.at ?? Number.POSITIVE_INFINITY))
      next = { tenant, channel, at: post.at, date: post.date, step: post.steps[0]! };
  }
  return next;
}

export type Forecast = Foreseen & ChannelRef;

/** What would be posted or skipped in all channels between two moments, if everything is delivered on time. */
export async function forecast(
  store: Store,
  { from, to }: Span,
  log: Pick<Log, 'warn'>,
): Promise<Forecast[]> {
  const subscriptions = (await store.allTenants.subscriptions()).filter(({ state }) => state !== 'off');
  const found: Forecast[] = [];
  for (const { subscription, posts } of await foresee(store, subscriptions, from, log)) {
    const { tenant, channel } = subscription;
    for (const post of posts) {
      if (post.at > to) break;
      found.push({ ...post, tenant, channel });
    }
  }
  return found.sort((a, b) => a.at - b.at || (a.tenant < b.tenant ? -1 : 1));
}
