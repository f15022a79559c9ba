import { SECOND } from '../core/clock.ts';
import { type Log, logFault } from '../core/log.ts';
import type { Store } from '../store/store.ts';
import type { ClaimedDelivery } from '../store/tables/deliveries.ts';

/** How many deliveries of one door may be under way at once. A door enforces its platform's own limits itself. */
export const CONCURRENCY = 48;

/** How often a door looks without a notification: for retries, and for what other processes planned or left behind. */
const POLL_INTERVAL_MS = SECOND;
/**
 * Few, because the process that looks first would otherwise hold everything that is due: others would idle, and the posts
 * would wait if it ended.
 */
const MAX_CLAIMED_TOGETHER = 8;

export interface DeliveryQueueOptions {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  /** Identifies the process that claims. */
  readonly owner: string;
  /** Milliseconds for which a claimed delivery is nobody else's. */
  readonly lease: number;
  /** The doors of this process. */
  readonly doors: readonly string[];
  /** See `CONCURRENCY`. */
  readonly concurrency: number;
  /** Rejects only for faults of the store. */
  readonly deliver: (door: string, claimed: ClaimedDelivery) => Promise<void>;
}

/**
 * Claims deliveries that are due and delivers them through the doors of this process. Each door claims rows of its own as
 * long as it has capacity, so a slow or busy door delays no other. Several processes on one database run it side by side: a
 * claim skips the rows that another process is just claiming.
 */
export class DeliveryQueue {
  readonly #doors: readonly DoorQueue[];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeliveryQueueOptions) {
    this.#doors = options.doors.map((door) => new DoorQueue(door, options));
  }

  start(): void {
    this.#timer = setInterval(() => this.notify(), POLL_INTERVAL_MS);
  }

  /** Looks for work at once instead of at the next poll. */
  notify(): void {
    for (const door of this.#doors) door.poll();
  }

  /** Starts nothing new and resolves when deliveries under way have ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#doors.map((door) => door.stop()));
  }

  /** Delivers until nothing is ready any longer. */
  async runDue(): Promise<void> {
    await Promise.all(this.#doors.map((door) => door.drain()));
  }
}

/** Claims and delivers the rows of one door. */
class DoorQueue {
  readonly #door: string;
  readonly #options: DeliveryQueueOptions;
  /** Claimed deliveries that have not ended. */
  readonly #underWay = new Set<Promise<void>>();
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #isStopped = false;

  constructor(door: string, options: DeliveryQueueOptions) {
    this.#door = door;
    this.#options = options;
  }

  poll(): void {
    if (this.#isStopped) return;
    this.#pollAgain = true;
    this.#polling ??= this.#claimAll().finally(() => {
      this.#polling = undefined;
      if (this.#pollAgain && this.#hasCapacity()) this.poll();
    });
  }

  /** Resolves when nothing is ready and nothing under way. */
  async drain(): Promise<void> {
    this.poll();
    // A delivery that ends polls again, so this ends when a poll has found nothing.
    while (this.#polling !== undefined || this.#underWay.size > 0) {
      await this.#polling;
      await Promise.all(this.#underWay);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#polling;
    await Promise.all(this.#underWay);
  }

  #hasCapacity(): boolean {
    return this.#underWay.size < this.#options.concurrency && !this.#isStopped;
  }

  async #claimAll(): Promise<void> {
    const { store, log, now, owner, lease, concurrency } = this.#options;
    while (this.#hasCapacity()) {
      this.#pollAgain = false;
      const limit = Math.min(concurrency - this.#underWay.size, MAX_CLAIMED_TOGETHER);
      const moment = now();
      const claim = { owner, now: moment, until: moment + lease };
      const claimed = await store.allDeliveries.claim(this.#door, limit, claim).catch((error: unknown) => {
        logFault(log, error, { door: this.#door }, 'deliveries could not be claimed');
        return [];
      });
      for (const one of claimed) this.#begin(one);
      if (claimed.length < limit) return;
    }
  }

  #begin(claimed: ClaimedDelivery): void {
    const { deliver, log } = this.#options;
    const delivering = deliver(this.#door, claimed)
      .catch((error: unknown) => {
        const where = { door: this.#door, ...claimed.lease };
        logFault(log, error, where, 'the outcome of a delivery could not be recorded');
      })
      .finally(() => {
        this.#underWay.delete(delivering);
        this.poll();
      });
    this.#underWay.add(delivering);
  }
}
