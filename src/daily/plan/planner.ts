import { setImmediate } from 'node:timers/promises';
import { DAY_KIND } from '../../core/channel-ref.ts';
import { DAY, HOUR, type PuzzleDate } from '../../core/clock.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { Store } from '../../store/store.ts';
import { PRIORITIES } from '../../store/tables/deliveries.ts';
import {
  type DueChannels,
  type NewDay,
  type NextPlan,
  PLAN_NOW,
  type Subscription,
} from '../../store/tables/subscriptions.ts';
import { readSubscription } from '../settings/settings.ts';
import { isDayOff, scheduleOf } from './schedule.ts';
import { holdReason, type PlannedSubscription, whyNoThread } from './todo.ts';

/** Channels that are locked and planned together. */
const CHANNELS_PER_BATCH = 200;
/** Milliseconds of planning after which the network has its turn. On SQLite, queries wait for the whole batch. */
const MAX_TURN_MS = 10;
/** Milliseconds after which a suspended channel is planned again and its requirements checked, besides with each of its days. */
const SUSPENDED_RECHECK_MS = HOUR;
/** Milliseconds after the notice about a suspension from which on that is no longer done: the channel may be deleted. */
const RECHECKED_FOR_MS = 7 * DAY;

/** A day that needs a row. */
interface PlannedDay {
  readonly date: PuzzleDate;
  readonly opensAt: number;
  /** Its puzzle is over: its row only records why it has no thread. */
  readonly isOver: boolean;
}

/**
 * The days of a channel that need a row by a moment: those whose opening is due, and yesterday's, so that operators see why it
 * had no thread. Most have their row already, and keep it. What happens in a day with a row is up to `todo`.
 *
 * While its puzzle is on, no day begins in a paused or suspended channel: when that is active again on the same day, it gets
 * that day's thread.
 *
 * @returns `nextAt`: the first moment at which this returns other days, if the subscription stays as it is
 */
export function planOf(
  subscription: PlannedSubscription,
  now: number,
): { readonly days: readonly PlannedDay[]; readonly nextAt: number } {
  const days: PlannedDay[] = [];
  const { until, settings, state } = subscription;
  if (state === 'off') return { days, nextAt: Number.POSITIVE_INFINITY };
  const held = holdReason(subscription, now);
  let nextAt = until !== null && until > now ? until : Number.POSITIVE_INFINITY;
  const today = dateAt(now);
  // No other can be due, since a thread opens while its puzzle is on; tomorrow's opening is a moment to look again.
  for (const date of [addDays(today, -1), today, addDays(today, 1)]) {
    const day = scheduleOf(settings, date);
    const { opensAt, span } = day;
    const isOver = span.to <= now;
    if (!isOver) nextAt = Math.min(nextAt, opensAt > now ? opensAt : span.to);
    if (opensAt > now || isDayOff(settings, date)) continue;
    const noThread = whyNoThread(subscription, day, now);
    // A day that is over needs none if the channel was switched on too late for it.
    const needsRow = isOver ? noThread !== 'settings-changed' : (held ?? noThread) === undefined;
    if (needsRow) days.push({ date, opensAt, isOver });
  }
  return { days, nextAt };
}

/**
 * Adds a row for each day that begins by a moment, in every channel. Each channel's row says when its plan changes next, so
 * this reads the channels whose time has come and no others. A row is added once, whichever process plans it.
 *
 * @returns the channels among them that are suspended
 */
export async function planDue(store: Store, now: number): Promise<Subscription[]> {
  const suspended: Subscription[] = [];
  if (!(await store.planning.isAnyDue(now))) return suspended;
  for (;;) {
    // The channels that have waited longest.
    const planned = await store.planning.withDue(now, CHANNELS_PER_BATCH, (due) => planChannels(due, now));
    suspended.push(...planned.filter(({ state }) => state === 'suspended'));
    if (planned.length < CHANNELS_PER_BATCH) return suspended;
    // SQLite answers at once: people's requests have their turn between two batches.
    await setImmediate();
  }
}

/** Adds the days that begin in these channels, wakes the open days of changed ones, and schedules the next plan of each. */
async function planChannels(
  { subscriptions, deliveries, reschedule }: DueChannels,
  now: number,
): Promise<readonly Subscription[]> {
  const rows: NewDay[] = [];
  const next: NextPlan[] = [];
  const changed: Subscription[] = [];
  let began = performance.now();
  for (const subscription of subscriptions) {
    // The first plan in a time zone takes milliseconds.
    if (performance.now() - began > MAX_TURN_MS) {
      await setImmediate();
      began = performance.now();
    }
    const { tenant, channel, state, notifiedAt } = subscription;
    // The others were planned for this moment, and their open days know their own.
    if (subscription.planAt === PLAN_NOW.planAt) changed.push(subscription);
    const { days, nextAt } = planOf(readSubscription(subscription), now);
    // The store keeps the rows that are there.
    for (const { date, opensAt, isOver } of days) {
      const priority = isOver ? PRIORITIES.other : PRIORITIES.opening;
      // When it counts as overdue from: `planAt` is the end of a pause, if there was one, and a suspension leaves its reason
      // until a post. After a change, metrics consider when that was.
      const dueAt = Math.max(opensAt, subscription.reason === null ? (subscription.planAt ?? 0) : now);
      rows.push({ tenant, channel, date, kind: DAY_KIND, dueAt, opensAt, priority });
    }
    const isRechecked = state === 'suspended' && now - (notifiedAt ?? now) < RECHECKED_FOR_MS;
    const recheck = isRechecked ? SUSPENDED_RECHECK_MS : Number.POSITIVE_INFINITY;
    const planAt = Math.min(nextAt, now + recheck);
    next.push({ tenant, channel, planAt: planAt === Number.POSITIVE_INFINITY ? null : planAt });
  }
  await deliveries.wake(changed, now);
  await deliveries.plan(rows);
  await reschedule(next);
  return subscriptions;
}
