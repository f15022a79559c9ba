import { schedule } from 'node-cron';
import { DAY_KIND, REMINDER_KIND } from '../core/channel-ref.ts';
import { type Clock, ClockJumps, HOUR, MINUTE, SECOND } from '../core/clock.ts';
import { logFault } from '../core/log.ts';
import type { Poster } from '../dispatch/poster.ts';
import { addDays, dateAt } from '../puzzle/calendar.ts';
import type { Delivery } from '../store/tables/deliveries.ts';
import type { Subscription } from '../store/tables/subscriptions.ts';
import { type DayTools, deliverDays } from './delivery/day.ts';
import {
  type DatedHandler,
  type DeliveryEvent,
  type DeliveryHandler,
  type DeliveryHandlers,
  deliver,
  LEASE_MS,
  type PostTools,
} from './delivery/deliver.ts';
import { cacheAnswers } from './delivery/messages.ts';
import { planDue } from './plan/planner.ts';
import { DeliveryQueue, type DeliveryQueueOptions } from './queue.ts';
import { remind } from './reminders.ts';
import { reactivateIfReady, unlessHeld } from './suspension.ts';

/** More than any wait between two attempts, unless a platform asks for a longer one. */
const MAX_RETRY_WAIT_MS = 15 * MINUTE;
/** More than any wait for a daily reminder: two days where a zone moves over the date line and repeats a date. */
const MAX_REMINDER_WAIT_MS = 49 * HOUR;
/** Milliseconds in which every process has noticed a restore, also one whose store fails now and then. */
const RESTORE_NOTICED_MS = 5 * MINUTE;

export interface DailyOptions
  extends Pick<DayTools, 'store' | 'puzzles' | 'answerSteps' | 'log' | 'random' | 'reviews'>,
    Pick<DeliveryQueueOptions, 'owner' | 'concurrency'>,
    Partial<Pick<DeliveryQueueOptions, 'lease'>> {
  /** One for each door of this process. */
  readonly posters: readonly Poster[];
  readonly clock: Clock;
  /** A version of what plans depend on beside settings and rows: the program and the rules of time zones. */
  readonly rules?: string;
  /** Called when a puzzle's day begins, so that nobody who asks, and no opening, has to wait for what it makes. */
  readonly prepareDay?: () => Promise<void>;
  /** Called after every attempt whose outcome was stored, for metrics and logs. */
  readonly onDelivery?: (event: DeliveryEvent) => void;
  /** Called after every tick with the milliseconds that it took. */
  readonly onTick?: (took: number) => void;
  /** For kinds other than days and reminders. */
  readonly handlers?: Partial<DeliveryHandlers>;
}

/**
 * The daily thread, running.
 *
 * @example
 * const daily = new Daily({ store, puzzles, answerSteps: answerSteps(app), posters: [door.poster], log, clock: Date, random: Math.random, owner: 'a' });
 * await daily.start();
 */
export class Daily {
  readonly #options: DailyOptions;
  readonly #posters: ReadonlyMap<string, Poster>;
  readonly #tools: PostTools;
  readonly #handlers: Readonly<Record<string, DeliveryHandler | DatedHandler>>;
  /** One for each door. */
  readonly #queues: readonly DeliveryQueue[];
  #ticking = Promise.resolve();
  /** Settles with the last check of suspended channels. */
  #checking = Promise.resolve();
  #isStopped = false;
  #lastTick: number | undefined;
  #endTicks: (() => void) | undefined;
  /** The answer of `store.restoredUntil` that was acted on last. */
  #restoredUntil: number | null = null;

  constructor(options: DailyOptions) {
    const { store, puzzles, log, random, owner, reviews, lease = LEASE_MS, concurrency } = options;
    const now = this.#now;
    this.#options = options;
    this.#posters = new Map(options.posters.map((poster) => [poster.door, poster]));
    const answers = cacheAnswers(options.answerSteps);
    const underWay: PostTools['underWay'] = new Set();
    const tools = { store, puzzles, answerSteps: answers, log, now, random, lease, underWay, reviews };
    this.#tools = tools;
    this.#handlers = {
      ...options.handlers,
      [DAY_KIND]: deliverDays(tools),
      [REMINDER_KIND]: (attempt) => remind(attempt, puzzles),
    };
    const queueing = { store, log, now, owner, lease, concurrency, deliver: this.#deliver };
    this.#queues = options.posters.map((poster) => new DeliveryQueue(poster, queueing));
  }

  /** Ticks each minute and delivers, until stopped. */
  async start(): Promise<void> {
    for (const queue of this.#queues) queue.start();
    // What is due is computed, so a minute that is skipped or repeated does no harm.
    const { clock, log } = this.#options;
    this.#endTicks = await everyMinute(clock, () =>
      this.tick().catch((error: unknown) =>
        logFault(log, error, {}, 'planning failed; the next minute tries again'),
      ),
    );
  }

  /** Starts nothing new and resolves when what was begun is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endTicks?.();
    await this.#ticking;
    await Promise.all(this.#queues.map((queue) => queue.stop()));
    await this.#checking;
  }

  /**
   * Plans what is due, and starts deliveries without waiting for them. One tick at a time: the next waits, and then finds
   * little to do.
   */
  tick(): Promise<void> {
    const ticked = this.#ticking.then(() => this.#tickNow());
    this.#ticking = ticked.catch(() => undefined);
    return ticked;
  }

  /** Delivers until nothing is ready any longer. */
  async runDue(): Promise<void> {
    await this.#checking;
    await Promise.all(this.#queues.map((queue) => queue.drain()));
  }

  /** The store holds whole milliseconds; a clock may have fractions. */
  readonly #now = (): number => Math.floor(this.#options.clock.now());

  async #tickNow(): Promise<void> {
    const moment = this.#now();
    const began = performance.now();
    await this.#noticeRestore(moment);
    if (this.#lastTick === undefined) {
      // The clock may have been set back while no process ran.
      await this.#lookAgain(moment);
      await this.#options.store.planning.rescheduleAtStart(this.#options.rules ?? '', moment);
    } else if (moment < this.#lastTick - MINUTE) {
      this.#options.log.warn({}, 'the clock was set back');
      await this.#lookAgain(moment);
      await this.#options.store.planning.rescheduleAll();
    }
    if (this.#lastTick !== undefined && dateAt(moment) !== dateAt(this.#lastTick)) this.#prepareDay();
    this.#lastTick = moment;
    const suspended = await planDue(this.#options.store, moment);
    if (suspended.length > 0) this.#checkSuspended(suspended);
    for (const queue of this.#queues) queue.poll();
    this.#options.onTick?.(performance.now() - began);
  }

  #prepareDay(): void {
    const { prepareDay, log } = this.#options;
    prepareDay?.().catch((error: unknown) =>
      logFault(log, error, {}, "the day's board is not prepared; the first who asks waits for it"),
    );
  }

  /** Undoes what a clock that was ahead has left: waits that are too long, and days that opened or ended at a time to come. */
  async #lookAgain(moment: number): Promise<void> {
    const { allDeliveries, allReminders } = this.#options.store;
    await allDeliveries.releaseStuck(moment, moment + MAX_RETRY_WAIT_MS);
    await allDeliveries.reopen(moment, addDays(dateAt(moment), -1));
    await allReminders.wakeTooLate(moment, moment + MAX_REMINDER_WAIT_MS);
  }

  /** After a restore, what was due before is looked for before it is sent; all channels and days are looked at again. */
  async #noticeRestore(now: number): Promise<void> {
    const restoredUntil = await this.#options.store.restoredUntil(now);
    if (restoredUntil === this.#restoredUntil) return;
    // An older restore is new only to a process that has just started: others have dealt with it.
    if (restoredUntil !== null && restoredUntil >= now - RESTORE_NOTICED_MS) {
      const line =
        'the store was restored: posts that were due before now are looked for before they are sent';
      this.#options.log.warn({}, line);
      await this.#options.store.planning.rescheduleAll();
    }
    // Only now: if the store fails meanwhile, the next tick does it.
    this.#restoredUntil = restoredUntil;
  }

  readonly #deliver = async (poster: Poster, claimed: Delivery): Promise<void> => {
    const { kind } = claimed;
    const handler = this.#handlers[kind];
    if (handler === undefined) throw new Error(`nothing in this program delivers a ${kind}`);
    const handle: DeliveryHandler = 'post' in handler ? unlessHeld(handler) : handler;
    const event = await deliver(this.#tools, poster, claimed, handle);
    if (event !== undefined) this.#options.onDelivery?.(event);
  };

  /** Runs beside the ticks, which must not wait while a platform hangs. */
  #checkSuspended(channels: readonly Subscription[]): void {
    this.#checking = this.#checking
      .then(async () => {
        for (const channel of channels)
          if (!this.#isStopped) await reactivateIfReady(this.#tools, this.#posters, channel);
      })
      .catch((error: unknown) =>
        logFault(this.#options.log, error, {}, 'suspended channels could not be reactivated'),
      );
  }
}

/** Milliseconds between comparisons of the wall clock with the monotonic one. */
const CLOCK_CHECK_INTERVAL_MS = SECOND;

/**
 * Calls at once, and then at the beginning of each minute. node-cron waits for a moment of the wall clock: after a clock that
 * was set back it would be silent for hours, and after one that skipped years it would walk through every minute of them. So
 * a jump makes a new schedule before the old one wakes up.
 *
 * @param call never rejects, and waits for calls before it
 * @returns what ends it
 */
export async function everyMinute(clock: Clock, call: () => Promise<unknown>): Promise<() => void> {
  // UTC has no daylight saving. A minute that begins late, on a busy machine, still counts.
  const options = { timezone: 'UTC', suppressMissedWarning: true, missedExecutionTolerance: MINUTE };
  let task = schedule('* * * * *', call, options);
  const jumps = new ClockJumps(clock, performance);
  const comparing = setInterval(() => {
    if (jumps.take() === 0) return;
    void task.destroy();
    task = schedule('* * * * *', call, options);
    void call();
  }, CLOCK_CHECK_INTERVAL_MS);
  await call();
  return () => {
    void task.destroy();
    clearInterval(comparing);
  };
}
