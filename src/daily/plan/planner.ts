import { channelKey } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { Store } from '../../store/store.ts';
import type { DeliveryKey, NewDelivery } from '../../store/tables/deliveries.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { describeReason } from '../reasons.ts';
import { parseStored, type StoredSettings } from '../settings/settings.ts';
import { DAY_STEPS, priorityOf } from '../types.ts';
import { LOOK_BACK, type Plan, type PlannedStep, planOf, StepStates } from './plan.ts';
import type { Schedules } from './schedule.ts';

export interface TickReport {
  /** Rows added now that wait to be delivered. */
  readonly planned: readonly DeliveryKey[];
  /** Subscriptions that were looked at. */
  readonly channels: number;
}

/** Days held in memory: as many as a tick looks at. */
const MOST_DAYS = 3;

/** The plan made last for a subscription, and of what. */
interface KnownPlan {
  readonly version: number;
  readonly settings: StoredSettings;
  readonly state: string;
  readonly plan: Plan;
  readonly at: number;
}

/**
 * Turns plans into rows. What it remembers between ticks only saves work: a subscription is planned again
 * when it, its rows or the time calls for it, and a row is added once whichever process plans it.
 */
export class Planner {
  readonly #store: Store;
  readonly #log: Log;
  readonly #schedules: Schedules;
  /**
   * The states of planned rows as far as this process knows them, so that a tick need not read them all each minute. They
   * may lag behind other processes: planning what is planned already adds nothing.
   */
  readonly #days = new Map<PuzzleDate, StepStates>();
  readonly #plans = new Map<string, KnownPlan>();
  #lastDate: PuzzleDate | undefined;

  constructor({ store, log, schedules }: { store: Store; log: Log; schedules: Schedules }) {
    this.#store = store;
    this.#log = log;
    this.#schedules = schedules;
  }

  /** Adds rows for all that is due at a moment, in every channel. */
  async tick(now: number): Promise<TickReport> {
    const today = dateAt(now);
    const from = await this.#firstDate(today);
    const isWaiting = [...this.#plans.values()].some(({ plan }) => plan.isWaiting);
    for (let date = from; date <= today; date = addDays(date, 1)) {
      // Threads opened by other processes are only visible in the store.
      if (isWaiting && date >= addDays(today, -1)) this.#days.delete(date);
      await this.#load(date);
    }
    const subscriptions = await this.#store.allTenants.subscriptions();
    const report = await this.#add(
      subscriptions.flatMap((subscription) => this.#plan(subscription, now, from)),
      subscriptions.length,
    );
    this.#forgetOthers(subscriptions);
    this.#lastDate = today;
    for (const date of [...this.#days.keys()].sort().slice(0, -MOST_DAYS)) this.#days.delete(date);
    return report;
  }

  /** Reads all rows again, because the store was restored or the clock set back. */
  forget(): void {
    this.#days.clear();
    this.#plans.clear();
    this.#lastDate = undefined;
  }

  /** The same for one channel whose thread has just been opened. */
  async opened(key: DeliveryKey, now: number): Promise<TickReport> {
    const subscription = await this.#store.tenant(key.tenant).subscriptions.get(key.channel);
    const date = key.date;
    await this.#load(date);
    await this.#load(addDays(date, -1));
    this.#days.get(date)?.set({ ...key, state: 'sent', doneAt: now });
    if (subscription === undefined) return { planned: [], channels: 0 };
    this.#plans.delete(channelKey(key));
    return this.#add(this.#plan(subscription, now, date), 1);
  }

  /**
   * Later ticks look back as far as the last one may have left something, which is years ago where the machine started
   * with a wrong clock. The first looks for the last day that was planned at all: the days before it were completed
   * when it was.
   */
  async #firstDate(today: PuzzleDate): Promise<PuzzleDate> {
    const yesterday = addDays(today, -1);
    const farthest = addDays(today, -LOOK_BACK);
    if (this.#lastDate !== undefined) {
      const before = addDays(this.#lastDate, -1);
      if (before < farthest) return farthest;
      return before < yesterday ? before : yesterday;
    }
    let planned = yesterday;
    while (planned > farthest && (await this.#load(planned)) === 0) planned = addDays(planned, -1);
    return planned > farthest ? addDays(planned, -1) : farthest;
  }

  /** Reads a day's rows unless they are known. Returns how many there are. */
  async #load(date: PuzzleDate): Promise<number> {
    const known = this.#days.get(date);
    if (known !== undefined) return known.size;
    const day = new StepStates();
    for (const row of await this.#store.allDeliveries.steps(date, DAY_STEPS)) day.set(row);
    this.#days.set(date, day);
    return day.size;
  }

  #plan(subscription: Subscription, now: number, from: PuzzleDate): NewDelivery[] {
    const key = channelKey(subscription);
    const before = this.#plans.get(key);
    const state = `${subscription.state} ${subscription.until}`;
    const isSame = before?.version === subscription.version && before.state === state;
    const isUnchanged = isSame && !before.plan.isWaiting && before.at <= now && now < before.plan.nextAt;
    if (isUnchanged) return [];
    const settings = isSame ? before.settings : parseStored(subscription.settings);
    const plan = planOf({
      now,
      schedules: this.#schedules,
      subscription: { ...subscription, settings },
      from,
      stateOf: (date, step) => this.#days.get(date)?.stateOf(subscription, date, step),
      openedAt: (date) => this.#days.get(date)?.openedAt(subscription, date),
    });
    this.#plans.set(key, { version: subscription.version, settings, state, plan, at: now });
    return plan.steps.map((step) => newDelivery(subscription, step));
  }

  async #add(rows: readonly NewDelivery[], channels: number): Promise<TickReport> {
    const added = await this.#addByDay(rows);
    for (const { tenant, channel, date, step, skip } of rows) {
      const state = skip === undefined ? 'due' : 'skipped';
      this.#days.get(date)?.set({ tenant, channel, date, step, state, doneAt: null });
    }
    const skips = new Map(rows.map((row) => [channelKey(row, row.date, row.step), row.skip]));
    const planned: DeliveryKey[] = [];
    for (const key of added) {
      const skip = skips.get(channelKey(key, key.date, key.step));
      if (skip === undefined) planned.push(key);
      else this.#log.info({ ...key, reason: describeReason(skip) }, 'a step is skipped');
    }
    return { planned, channels };
  }

  /** Day after day, so that a day with rows proves that the days before it have theirs. */
  async #addByDay(rows: readonly NewDelivery[]): Promise<DeliveryKey[]> {
    const days = [...Map.groupBy(rows, ({ date }) => date)].sort(([a], [b]) => (a < b ? -1 : 1));
    const added: DeliveryKey[] = [];
    try {
      for (const [, ofDay] of days)
        for (const key of await this.#store.allDeliveries.plan(ofDay)) added.push(key);
      return added;
    } catch (error) {
      // Plans whose rows were not added must be made again, and not only when something changes in them.
      this.#plans.clear();
      throw error;
    }
  }

  #forgetOthers(subscriptions: readonly Subscription[]): void {
    if (this.#plans.size <= subscriptions.length) return;
    const present = new Set(subscriptions.map((subscription) => channelKey(subscription)));
    for (const key of this.#plans.keys()) if (!present.has(key)) this.#plans.delete(key);
  }
}

function newDelivery(
  { tenant, channel }: Subscription,
  { date, step, dueAt, skip }: PlannedStep,
): NewDelivery {
  return { tenant, channel, date, step, dueAt, priority: priorityOf(step), skip };
}
