import type { Poster } from '../../dispatch/poster.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import { doorOf } from '../../store/tables/tenant.ts';
import type { DeliveryKey, NewDelivery, Store, Subscription } from '../../store/types.ts';
import type { DailyLog } from '../delivery/log.ts';
import { parseStored, type StoredSettings } from '../settings/settings.ts';
import { isProbed, reactivate } from '../suspension.ts';
import type { DayStep } from '../types.ts';
import { DeliveryStateCache } from './delivery-state-cache.ts';
import { LOOK_BACK, type Plan, type PlannedStep, planOf } from './plan.ts';
import { PRIORITY } from './priority.ts';

/** Between looks whether a resting place has got what it lacked. */
const PROBE_EVERY = 60 * 60_000;

export interface TickReport {
  /** Rows written now that wait to be delivered. */
  readonly planned: readonly DeliveryKey[];
  /** Steps written down as skipped. */
  readonly skipped: number;
  readonly places: number;
}

export interface PlannerOptions {
  readonly store: Store;
  readonly log: DailyLog;
  readonly posterOf: (door: string) => Poster | undefined;
}

export interface Planner {
  /** Writes down all that is due at a moment, in every place. */
  tick(now: number): Promise<TickReport>;
  /** The same for one place whose thread has just been opened. */
  opened(key: DeliveryKey, now: number): Promise<TickReport>;
}

interface Known {
  readonly version: number;
  readonly settings: StoredSettings;
  readonly shape: string;
  readonly plan: Plan;
  readonly at: number;
}

/**
 * Turns plans into rows. What it remembers between ticks only saves work: a place is asked about again
 * when something about it, its rows or the time calls for it, and a row is written once whoever asks.
 */
export function makePlanner({ store, log, posterOf }: PlannerOptions): Planner {
  const ledger = new DeliveryStateCache(store);
  const known = new Map<string, Known>();
  const probed = new Map<string, number>();
  let lastDate: PuzzleDate | undefined;

  async function tick(now: number): Promise<TickReport> {
    const today = dateAt(now);
    const from = await firstDate(today);
    const isWaiting = [...known.values()].some(({ plan }) => plan.isWaiting);
    for (let date = from; date <= today; date = addDays(date, 1)) {
      // Threads opened by other processes are only seen in the store.
      await ledger.load(date, isWaiting && date >= addDays(today, -1));
    }
    const subscriptions = await store.allTenants.subscriptions();
    await wakeThoseThatLackNothing(subscriptions, now, today);
    const report = await write(
      subscriptions.flatMap((subscription) => planPlace(subscription, now, from)),
      subscriptions.length,
    );
    forget(subscriptions);
    lastDate = today;
    ledger.trim();
    return report;
  }

  /**
   * Later ticks look back as far as the last one may have left something. The first looks for the last day
   * that was planned at all: days before it were seen to when it was.
   */
  async function firstDate(today: PuzzleDate): Promise<PuzzleDate> {
    const yesterday = addDays(today, -1);
    if (lastDate !== undefined) {
      const before = addDays(lastDate, -1);
      return before < yesterday ? before : yesterday;
    }
    const farthest = addDays(today, -LOOK_BACK);
    let planned = yesterday;
    while (planned > farthest && (await ledger.load(planned)) === 0) planned = addDays(planned, -1);
    return planned > farthest ? addDays(planned, -1) : farthest;
  }

  function planPlace(subscription: Subscription, now: number, from: PuzzleDate): NewDelivery[] {
    const id = `${subscription.tenant}\n${subscription.channel}`;
    const before = known.get(id);
    const shape = `${subscription.state} ${subscription.until} ${subscription.reason}`;
    const isSame = before?.version === subscription.version && before.shape === shape;
    const isQuiet = isSame && !before.plan.isWaiting && before.at <= now && now < before.plan.nextAt;
    if (isQuiet) return [];
    const settings = isSame ? before.settings : parseStored(subscription.settings);
    const plan = planOf({
      now,
      subscription: { ...subscription, settings },
      from,
      stateOf: (date, step) => ledger.stateOf(subscription, date, step),
    });
    known.set(id, { version: subscription.version, settings, shape, plan, at: now });
    return plan.steps.map((step) => newDelivery(subscription, step));
  }

  async function write(rows: readonly NewDelivery[], places: number): Promise<TickReport> {
    const added = await writeDays(rows);
    for (const row of rows) ledger.note(row, row.skip === undefined ? 'due' : 'skipped');
    const skips = new Map(rows.filter(({ skip }) => skip !== undefined).map((row) => [textOf(row), row]));
    const planned: DeliveryKey[] = [];
    for (const key of added) {
      const skip = skips.get(textOf(key));
      if (skip === undefined) planned.push(key);
      else log.info({ ...key, reason: skip.skip }, 'a step is skipped');
    }
    return { planned, skipped: added.length - planned.length, places };
  }

  /** Day after day, so that a day that has rows tells that the days before it have theirs. */
  async function writeDays(rows: readonly NewDelivery[]): Promise<DeliveryKey[]> {
    const days = [...Map.groupBy(rows, ({ date }) => date)].sort(([a], [b]) => (a < b ? -1 : 1));
    const added: DeliveryKey[] = [];
    try {
      for (const [, ofDay] of days) added.push(...(await store.allTenants.plan(ofDay)));
      return added;
    } catch (error) {
      // Plans that were not written down must be made again, and not only when something changes in them.
      known.clear();
      throw error;
    }
  }

  async function opened(key: DeliveryKey, now: number): Promise<TickReport> {
    const subscription = await store.tenant(key.tenant).subscriptions.get(key.channel);
    const date = key.date as PuzzleDate;
    await ledger.load(date);
    await ledger.load(addDays(date, -1));
    ledger.note(key, 'sent');
    if (subscription === undefined) return { planned: [], skipped: 0, places: 0 };
    known.delete(`${key.tenant}\n${key.channel}`);
    return write(planPlace(subscription, now, date), 1);
  }

  async function wakeThoseThatLackNothing(
    subscriptions: readonly Subscription[],
    now: number,
    today: PuzzleDate,
  ) {
    for (const { tenant, channel, state, reason } of subscriptions) {
      const id = `${tenant}\n${channel}`;
      if (state !== 'resting' || !isProbed(reason)) continue;
      if (Math.abs(now - (probed.get(id) ?? Number.NEGATIVE_INFINITY)) < PROBE_EVERY) continue;
      const poster = posterOf(doorOf(tenant));
      if (poster === undefined) continue;
      probed.set(id, now);
      const lacks = await poster.missingRequirements({ tenant, channel }).catch(() => undefined);
      if (lacks?.length !== 0) continue;
      if (await reactivate(store, { tenant, channel }, now, today)) {
        log.info({ tenant, channel }, 'a resting place lacks nothing any longer and is woken');
      }
    }
  }

  function forget(subscriptions: readonly Subscription[]): void {
    if (known.size <= subscriptions.length) return;
    const there = new Set(subscriptions.map(({ tenant, channel }) => `${tenant}\n${channel}`));
    for (const id of known.keys()) if (!there.has(id)) known.delete(id);
    for (const id of probed.keys()) if (!there.has(id)) probed.delete(id);
  }

  return { tick, opened };
}

function newDelivery(
  { tenant, channel }: Subscription,
  { date, step, dueAt, skip }: PlannedStep,
): NewDelivery {
  const urgency = step === 'opening' ? PRIORITY.opening : PRIORITY.step;
  return { tenant, channel, date, step, dueAt, priority: urgency, ...(skip !== undefined && { skip }) };
}

function textOf({ tenant, channel, date, step }: DeliveryKey): string {
  return [tenant, channel, date, step satisfies string as DayStep].join('\n');
}
