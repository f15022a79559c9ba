import { setImmediate } from 'node:timers/promises';
import type { ChannelRef } from '../../core/channel-ref.ts';
import { HOUR, MINUTE, type PuzzleDate } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { ReadingStore, Store } from '../../store/store.ts';
import type { AddedDelivery, DeliveryKey, NewDelivery } from '../../store/tables/deliveries.ts';
import type { DueChannels, NextPlan, Subscription } from '../../store/tables/subscriptions.ts';
import { readSubscription } from '../settings/settings.ts';
import { describeReason } from '../suspension.ts';
import {
  aheadOf,
  LOOK_BACK_DAYS,
  type NextPost,
  nextPost,
  type PlannedStep,
  type PlanQuestion,
  planOf,
  StepStates,
} from './plan.ts';
import { DAY_STEPS, priorityOf } from './schedule.ts';

/** Channels that are locked and planned together. */
const CHANNELS_PER_BATCH = 200;
/** Milliseconds of planning in one turn of the event loop. */
const MAX_TURN_MS = 10;
/** Milliseconds after which a suspended channel is planned again and its requirements checked. */
const SUSPENDED_RECHECK_MS = HOUR;
/**
 * Milliseconds after which a channel is planned again while its thread is being opened: the process that opens it may die
 * before recording that.
 */
const OPENING_RECHECK_MS = MINUTE / 2;

export interface PlannerTools {
  readonly store: Store;
  readonly log: Log;
  /** Minutes before their time over which channels are opened. */
  readonly spread?: number;
  /** Called with the channels of each plan that are suspended. */
  readonly onSuspended?: (suspended: readonly Subscription[]) => void;
}

/**
 * Adds rows for everything that is due at a moment, in every channel, and returns the ones that wait to be delivered. Each
 * channel's row says when its plan changes next, so this reads the channels whose time has come and no others. A row is added
 * once, whichever process plans it.
 */
export async function planDue(tools: PlannerTools, now: number): Promise<DeliveryKey[]> {
  const planned: DeliveryKey[] = [];
  if (!(await tools.store.planning.isAnyDue(now))) return planned;
  for (;;) {
    const { added, isLast } = await planBatch(tools, now);
    for (const key of added) planned.push(key);
    if (isLast) return planned;
    // SQLite answers at once: people's requests have their turn between two batches.
    await setImmediate();
  }
}

/** Plans one batch: the channels that have waited longest. */
export async function planBatch(
  tools: PlannerTools,
  now: number,
): Promise<{ added: DeliveryKey[]; isLast: boolean }> {
  const { store, log, onSuspended } = tools;
  const { channels, added } = await store.planning.withDue(now, CHANNELS_PER_BATCH, async (due) => ({
    channels: due.subscriptions,
    added: await planChannels(tools, due, now),
  }));
  const suspended = channels.filter(({ state }) => state === 'suspended');
  if (suspended.length > 0) onSuspended?.(suspended);
  const waiting: DeliveryKey[] = [];
  for (const { skip, ...key } of added) {
    if (skip === null) waiting.push(key);
    else log.info({ ...key, reason: describeReason(skip) }, 'a step is skipped');
  }
  return { added: waiting, isLast: channels.length < CHANNELS_PER_BATCH };
}

/** Adds the rows that are due in some channels, and schedules the next plan of each. Returns the rows that were not there. */
async function planChannels(
  { spread = 0 }: PlannerTools,
  { subscriptions, deliveries, reschedule }: DueChannels,
  now: number,
): Promise<AddedDelivery[]> {
  const today = dateAt(now);
  const from = subscriptions.map((one) => firstDate(one, today)).sort()[0] ?? today;
  const states = new StepStates(await deliveries.stepsIn(subscriptions, from, DAY_STEPS));
  const rows: NewDelivery[] = [];
  const next: NextPlan[] = [];
  let began = performance.now();
  for (const subscription of subscriptions) {
    const { tenant, channel, state } = subscription;
    const { steps, nextAt, isWaiting } = planOf({
      now,
      subscription: readSubscription(subscription),
      rowOf: states.in(subscription),
      from: firstDate(subscription, today),
      ahead: aheadOf(subscription, spread),
    });
    for (const step of steps) rows.push({ tenant, channel, ...step, priority: priorityOf(step.step) });
    let recheck = state === 'suspended' ? SUSPENDED_RECHECK_MS : Number.POSITIVE_INFINITY;
    if (isWaiting) recheck = OPENING_RECHECK_MS;
    const planAt = Math.min(nextAt, now + recheck);
    next.push({ tenant, channel, planAt: planAt === Number.POSITIVE_INFINITY ? null : planAt });
    // The first plan of a time zone takes milliseconds.
    if (performance.now() - began < MAX_TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
  const added = await deliveries.plan(rows);
  await reschedule(next);
  return added;
}

/** Channels that `unplanned` looks at. */
const CHECK_SAMPLE_SIZE = 500;

/**
 * For the planner's check of itself: among the channels whose next plan is farthest ahead, those in which something is due now
 * that has no row.
 */
export async function unplanned(store: Store, now: number): Promise<Subscription[]> {
  const some = await store.planning.waiting(now, CHECK_SAMPLE_SIZE);
  const from = addDays(dateAt(now), -1);
  const states = new StepStates(await store.allDeliveries.stepsIn(some, from, DAY_STEPS));
  return some.filter((one) => {
    const subscription = readSubscription(one);
    return planOf({ now, subscription, from, rowOf: states.in(one) }).steps.length > 0;
  });
}

/**
 * The first date to plan for a channel. The day before its last plan may have had steps to come. A bound applies after a
 * longer downtime, or with a wrong clock.
 */
function firstDate({ state, plannedAt }: Subscription, today: PuzzleDate): PuzzleDate {
  const earliest = addDays(today, -LOOK_BACK_DAYS);
  const last = dateAt(plannedAt);
  // A thread may have been left open in a pause before the channel was switched off.
  if (state === 'off' || last <= earliest) return earliest;
  return addDays(last < today ? last : today, -1);
}

export interface Forecast extends PlannedStep, ChannelRef {
  /** When the tick would plan it. */
  readonly at: number;
}

/**
 * What would be posted or skipped in all channels between two moments, if everything is delivered on time.
 *
 * @param spread see `PlannerTools`
 */
export async function forecast(store: Store, from: number, to: number, spread: number): Promise<Forecast[]> {
  const subscriptions = await store.allTenants.subscriptions();
  const first = addDays(dateAt(from), -LOOK_BACK_DAYS);
  const known = new StepStates(await store.allDeliveries.stepsIn(subscriptions, first, DAY_STEPS));
  return subscriptions
    .filter(({ state }) => state !== 'off')
    .flatMap((subscription) => forecastOf(subscription, { known, from, to, spread }))
    .sort((a, b) => a.at - b.at || (a.tenant < b.tenant ? -1 : 1));
}

function forecastOf(
  subscription: Subscription,
  { known, from, to, spread }: { known: StepStates; from: number; to: number; spread: number },
): Forecast[] {
  const { tenant, channel } = subscription;
  const states = new StepStates();
  const [expected, before] = [states.in(subscription), known.in(subscription)];
  const rowOf: PlanQuestion['rowOf'] = (date, step) => {
    const row = expected(date, step) ?? before(date, step);
    return row?.state === 'due' || row?.state === 'sending' ? { ...row, state: 'sent' } : row;
  };
  const found: Forecast[] = [];
  const add = (step: PlannedStep, now: number) => {
    const state = step.skip === undefined ? 'sent' : 'skipped';
    states.set({ tenant, channel, date: step.date, step: step.step, state, doneAt: now });
    found.push({ ...step, tenant, channel, at: now });
  };
  for (let now = from; now <= to; ) {
    const { steps, nextAt, isWaiting } = planOf({
      now,
      subscription: readSubscription(subscription),
      rowOf,
      from: addDays(dateAt(now), now === from ? -LOOK_BACK_DAYS : -1),
      ahead: aheadOf(subscription, spread),
    });
    for (const step of steps) {
      add(step, now);
      if (step.step !== 'opening' || step.skip !== undefined) continue;
      const open = openThreadBefore(step.date, rowOf);
      if (open !== undefined) add({ date: open, step: 'closing', dueAt: now }, now);
    }
    // Steps follow an opening within the same minute.
    if (!(isWaiting && steps.length > 0)) now = nextAt;
  }
  return found;
}

/** The last thread before a day's, which is closed when that day's is opened; undefined if there is none to close. */
function openThreadBefore(date: PuzzleDate, rowOf: PlanQuestion['rowOf']): PuzzleDate | undefined {
  for (let days = 1; days <= LOOK_BACK_DAYS; days++) {
    const before = addDays(date, -days);
    if (rowOf(before, 'opening')?.state === 'sent')
      return rowOf(before, 'closing') === undefined ? before : undefined;
  }
  return undefined;
}

/** The earliest post in any of these channels; undefined if nothing will be posted. */
export async function nextPostIn(
  { allDeliveries }: Pick<ReadingStore, 'allDeliveries'>,
  subscriptions: readonly Subscription[],
  now: number,
  spread: number,
): Promise<(NextPost & ChannelRef) | undefined> {
  const yesterday = addDays(dateAt(now), -1);
  const states = new StepStates(await allDeliveries.stepsIn(subscriptions, yesterday, DAY_STEPS));
  let found: (NextPost & ChannelRef) | undefined;
  for (const one of subscriptions) {
    const { tenant, channel } = one;
    const subscription = readSubscription(one);
    const post = nextPost({ now, subscription, ahead: aheadOf(one, spread), rowOf: states.in(one) });
    if (post !== undefined && post.at < (found?.at ?? Number.POSITIVE_INFINITY))
      found = { ...post, tenant, channel };
  }
  return found;
}
