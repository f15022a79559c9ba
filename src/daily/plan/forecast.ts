import type { ChannelRef } from '../../core/channel-ref.ts';
import { channelKey } from '../../core/channel-ref.ts';
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

interface Foresight {
  readonly subscription: PlannedSubscription;
  /** The days of the channel that have a row. */
  readonly days: readonly Day[];
  readonly from: number;
}

/** What will be posted in a channel from a moment on, by the functions that plan and post it. It may never end. */
function* foresee({ subscription, days: known, from }: Foresight): Generator<Foreseen> {
  const days = new Map(known.map((day) => [day.date, day]));
  for (let now = from; now < Number.POSITIVE_INFINITY; ) now = yield* foreseeMoment(days, subscription, now);
}

/** What is posted at a moment, which is noted in the days. Returns when to look again. */
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
    const followedAt = later?.openedAt ?? undefined;
    const { post, leaveOut, lookAt } = todo({ day: asked, subscription, now, followedAt });
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

export interface NextPost extends Pick<Foreseen, 'at' | 'date'> {
  readonly step: DayStep;
}

/** Posts looked at for the next one: more than a long weekend has days that are left out. */
const MAX_FORESEEN = 60;

/** The next post of a channel: now if something is due already, undefined if nothing will be posted. */
function nextPost(foresight: Foresight): NextPost | undefined {
  const { state, until } = foresight.subscription;
  if (state === 'off' || state === 'suspended' || (state === 'paused' && until === null)) return undefined;
  let looked = 0;
  for (const { at, date, steps, skip } of foresee(foresight)) {
    if (skip === undefined) return { at, date, step: steps[0]! };
    if (++looked >= MAX_FORESEEN) return undefined;
  }
  return undefined;
}

/** The earliest post in any of these channels; undefined if nothing will be posted. */
export async function nextPostIn(
  store: Pick<ReadingStore, 'allDeliveries'>,
  subscriptions: readonly Subscription[],
  now: number,
  log: Pick<Log, 'warn'>,
): Promise<(NextPost & ChannelRef) | undefined> {
  const days = await daysOf(store, subscriptions, now, log);
  let found: (NextPost & ChannelRef) | undefined;
  for (const one of subscriptions) {
    const { tenant, channel } = one;
    const known = days.get(channelKey(one)) ?? [];
    const post = nextPost({ subscription: readSubscription(one), days: known, from: now });
    if (post !== undefined && post.at < (found?.at ?? Number.POSITIVE_INFINITY))
      found = { ...post, tenant, channel };
  }
  return found;
}

/** A thread stays open until the next one opens: over a weekend off, or after a pause. */
const MAX_OPEN_DAYS = 14;

async function daysOf(
  { allDeliveries }: Pick<ReadingStore, 'allDeliveries'>,
  channels: readonly ChannelRef[],
  now: number,
  log: Pick<Log, 'warn'>,
): Promise<Map<string, Day[]>> {
  const rows = await allDeliveries.days(channels, addDays(dateAt(now), -MAX_OPEN_DAYS));
  const byChannel = Map.groupBy(rows, (row) => channelKey(row));
  return new Map(
    [...byChannel].map(([key, some]) => [key, some.map((row) => dayOf(row, recordOf(row, log), now))]),
  );
}

export type Forecast = Foreseen & ChannelRef;

/** What would be posted or skipped in all channels between two moments, if everything is delivered on time. */
export async function forecast(
  store: Store,
  { from, to }: Span,
  log: Pick<Log, 'warn'>,
): Promise<Forecast[]> {
  const subscriptions = (await store.allTenants.subscriptions()).filter(({ state }) => state !== 'off');
  const days = await daysOf(store, subscriptions, from, log);
  const found: Forecast[] = [];
  for (const one of subscriptions) {
    const { tenant, channel } = one;
    const known = { subscription: readSubscription(one), days: days.get(channelKey(one)) ?? [] };
    for (const post of foresee({ ...known, from })) {
      if (post.at > to) break;
      found.push({ ...post, tenant, channel });
    }
  }
  return found.sort((a, b) => a.at - b.at || (a.tenant < b.tenant ? -1 : 1));
}
