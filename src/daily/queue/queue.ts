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

/** Deliveries of a door that are under way at a time. The platform's own limits are its door's business. */
export const CONCURRENCY = 48;

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
  /** See `CONCURRENCY`. */
  readonly concurrency: number;
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
  /** Claimed deliveries that have not ended. */
  readonly #underWay = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #isStopped = false;

  constructor(door: string, options: DeliveryQueueOptions) {
    this.#door = door;
    this.#options = options;
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
    return this.#underWay.size < this.#options.concurrency && !this.#isStopped;
  }

  async #claimAll(): Promise<void> {
    while (this.#hasCapacity()) {
      this.#lookAgain = false;
      const limit = Math.min(this.#options.concurrency - this.#underWay.size, MOST_AT_ONCE);
      const claimed = await this.#claim(limit);
      if (claimed === undefined) return;
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
