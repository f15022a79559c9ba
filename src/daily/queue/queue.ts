import { channelKey } from '../../core/channel-ref.ts';
import { SECOND } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { Store } from '../../store/store.ts';
import { logFault } from '../../store/store-error.ts';
import type { ClaimedDelivery, DeliveryKey } from '../../store/tables/deliveries.ts';
import type { ClaimedGroup } from '../delivery/deliver.ts';
import { isThreadStep } from '../types.ts';

/** Claims deliveries that are due and delivers them through the doors of this process. */
export interface DeliveryQueue {
  start(): Promise<void>;
  /** Starts nothing new and resolves when what was begun is done. */
  stop(): Promise<void>;
  /** Reports new deliveries, so that the queue looks for work at once and not only at its next turn. */
  notify(planned: readonly DeliveryKey[]): void;
  /** Delivers until nothing is ready any longer. */
  runDue(): Promise<void>;
}

/** How fast a door delivers. */
export interface Pace {
  /** Deliveries under way at a time. */
  readonly concurrency: number;
  /** Deliveries begun in a second, in addition to the platform's own limits, which the door observes. */
  readonly perSecond?: number;
}

export const DEFAULT_PACE: Pace = { concurrency: 48 };

/** How often a door looks without a notification: for retries, and for what other processes left behind. */
const LOOK_EVERY = SECOND;
const MOST_AT_ONCE = 32;

/** What every queue is given. */
export interface DeliveryQueueOptions {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  /** The process that claims. */
  readonly owner: string;
  /** Milliseconds for which a claimed delivery is nobody else's. */
  readonly lease: number;
  /** Doors of this process. */
  readonly doors: readonly string[];
  readonly pace: (door: string) => Pace;
  /** Rejects only for faults of the store. */
  readonly deliver: (door: string, group: ClaimedGroup) => Promise<void>;
}

export type DeliveryQueueMaker = (options: DeliveryQueueOptions) => DeliveryQueue;

/**
 * The queue of one process: each door claims rows of its own as long as it has capacity, so a slow
 * or busy door delays no other. Several processes on one database may run it side by side.
 */
export function makeInProcessQueue(options: DeliveryQueueOptions): DeliveryQueue {
  const lanes = options.doors.map((door) => new Lane(door, options));
  const look = () => {
    for (const lane of lanes) lane.look();
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    async start() {
      timer = setInterval(look, LOOK_EVERY);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
    notify: look,
    async runDue() {
      await Promise.all(lanes.map((lane) => lane.drain()));
    },
  };
}

/** Groups the steps of one channel and day, which become one message. Everything else is a group of its own. */
export function groupsOf(claimed: readonly ClaimedDelivery[]): ClaimedGroup[] {
  const groups = new Map<string, [ClaimedDelivery, ...ClaimedDelivery[]]>();
  for (const one of claimed) {
    const { date, step } = one.lease;
    const key = channelKey(one.lease, date, isThreadStep(step) ? 'thread' : step);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** Claims and delivers the rows of one door. */
class Lane {
  readonly #door: string;
  readonly #options: DeliveryQueueOptions;
  readonly #concurrency: number;
  readonly #allowance: Allowance;
  /** Claimed deliveries that have not ended. */
  readonly #underWay = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #isStopped = false;

  constructor(door: string, options: DeliveryQueueOptions) {
    const { concurrency, perSecond } = options.pace(door);
    this.#door = door;
    this.#options = options;
    this.#concurrency = concurrency;
    this.#allowance = new Allowance(perSecond, options.now);
  }

  look(): void {
    if (this.#isStopped) return;
    this.#lookAgain = true;
    this.#looking ??= this.#claimAll().finally(() => {
      this.#looking = undefined;
      if (this.#lookAgain && this.#hasCapacity()) this.look();
    });
  }

  /** Resolves when nothing is ready and nothing under way. */
  async drain(): Promise<void> {
    this.look();
    // A delivery that ends looks again by itself, so this ends when a look has found nothing.
    while (this.#looking !== undefined || this.#underWay.size > 0) {
      await this.#looking;
      await Promise.all(this.#underWay);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#looking;
    await Promise.all(this.#underWay);
  }

  #hasCapacity(): boolean {
    return this.#underWay.size < this.#concurrency && !this.#isStopped;
  }

  async #claimAll(): Promise<void> {
    while (this.#hasCapacity()) {
      this.#lookAgain = false;
      const room = this.#concurrency - this.#underWay.size;
      const limit = Math.min(room, MOST_AT_ONCE, this.#allowance.left());
      if (limit <= 0) return;
      const claimed = await this.#claim(limit);
      if (claimed === undefined) return;
      this.#allowance.take(claimed.length);
      for (const group of groupsOf(claimed)) this.#begin(group);
      if (claimed.length < limit) return;
    }
  }

  async #claim(limit: number): Promise<ClaimedDelivery[] | undefined> {
    const { store, log, now, owner, lease } = this.#options;
    const moment = now();
    try {
      return await store.allDeliveries.claim(this.#door, limit, {
        owner,
        now: moment,
        until: moment + lease,
      });
    } catch (error) {
      logFault(log, error, { door: this.#door }, 'deliveries could not be claimed');
      return undefined;
    }
  }

  #begin(group: ClaimedGroup): void {
    const delivering = this.#deliver(group).finally(() => {
      this.#underWay.delete(delivering);
      this.look();
    });
    this.#underWay.add(delivering);
  }

  async #deliver(group: ClaimedGroup): Promise<void> {
    const { deliver, log } = this.#options;
    try {
      await deliver(this.#door, group);
    } catch (error) {
      const where = { door: this.#door, ...group[0].lease };
      logFault(log, error, where, 'the outcome of a delivery could not be recorded');
    }
  }
}

/** Limits deliveries to a number in a second, and saves up no more than a second's worth. */
class Allowance {
  readonly #perSecond: number | undefined;
  readonly #now: () => number;
  #saved: number;
  #since: number;

  constructor(perSecond: number | undefined, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#saved = perSecond ?? Number.POSITIVE_INFINITY;
    this.#since = now();
  }

  left(): number {
    if (this.#perSecond === undefined) return Number.POSITIVE_INFINITY;
    const moment = this.#now();
    const gained = (Math.max(0, moment - this.#since) / SECOND) * this.#perSecond;
    this.#saved = Math.min(this.#perSecond, this.#saved + gained);
    this.#since = moment;
    return Math.floor(this.#saved);
  }

  take(count: number): void {
    this.#saved -= count;
  }
}
