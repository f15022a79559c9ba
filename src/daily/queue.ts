import { SECOND } from '../core/clock.ts';
import { logFault } from '../core/log.ts';
import type { Poster } from '../dispatch/poster.ts';
import type { Delivery } from '../store/tables/deliveries.ts';
import type { PostTools } from './delivery/deliver.ts';

/** How many deliveries of one door may be under way at once. A door enforces its platform's own limits itself. */
const CONCURRENCY = 48;
/** How often a door looks by itself: for retries, and for what other processes planned or left behind. */
const POLL_INTERVAL_MS = SECOND;
/**
 * Few, because the process that looks first would otherwise hold everything that is due: others would idle, and the posts
 * would wait if it ended.
 */
const MAX_CLAIMED_TOGETHER = 8;

export interface DeliveryQueueOptions extends Pick<PostTools, 'store' | 'log' | 'now' | 'lease'> {
  /** Identifies the process that claims. */
  readonly owner: string;
  readonly concurrency?: number | undefined;
  /** Rejects only for faults of the store. */
  readonly deliver: (poster: Poster, claimed: Delivery) => Promise<void>;
}

/**
 * Claims deliveries of one door that are due, as long as there is capacity, and delivers them. Each door has a queue of its
 * own, so a slow or busy one delays no other. Several processes on one database run it side by side: a claim skips the rows
 * that another process is just claiming.
 */
export class DeliveryQueue {
  readonly #poster: Poster;
  readonly #options: DeliveryQueueOptions;
  /** Claimed deliveries that have not ended. */
  readonly #underWay = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | undefined;
  /** Whether something may have become ready since the last claim. */
  #mayBeReady = false;
  #isStopped = false;

  constructor(poster: Poster, options: DeliveryQueueOptions) {
    this.#poster = poster;
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.poll(), POLL_INTERVAL_MS);
  }

  /** Looks for work now. */
  poll(): void {
    this.#mayBeReady = true;
    if (this.#room > 0) this.#claiming ??= this.#claim();
  }

  /** Delivers until nothing is ready any longer. */
  async drain(): Promise<void> {
    this.poll();
    // A delivery that ends polls again, so this ends when a poll has found nothing.
    while (this.#claiming !== undefined || this.#underWay.size > 0) {
      await this.#claiming;
      await Promise.all(this.#underWay);
    }
  }

  /** Starts nothing new and resolves when deliveries under way have ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#claiming;
    await Promise.all(this.#underWay);
  }

  /** How many more deliveries may be begun. */
  get #room(): number {
    return this.#isStopped ? 0 : (this.#options.concurrency ?? CONCURRENCY) - this.#underWay.size;
  }

  async #claim(): Promise<void> {
    const { store, log, now, owner, lease } = this.#options;
    const { door } = this.#poster;
    while (this.#mayBeReady && this.#room > 0) {
      const limit = Math.min(this.#room, MAX_CLAIMED_TOGETHER);
      const moment = now();
      const claim = { owner, now: moment, until: moment + lease };
      this.#mayBeReady = false;
      const claimed = await store.allDeliveries.claim(door, limit, claim).catch((error: unknown) => {
        logFault(log, error, { door }, 'deliveries could not be claimed');
        return [];
      });
      for (const one of claimed) this.#begin(one);
      if (claimed.length === limit) this.#mayBeReady = true;
    }
    this.#claiming = undefined;
  }

  #begin(claimed: Delivery): void {
    const { deliver, log } = this.#options;
    const delivering = deliver(this.#poster, claimed)
      .catch((error: unknown) => {
        const { tenant, channel, date, kind } = claimed;
        const where = { tenant, channel, date, kind };
        logFault(log, error, where, 'the outcome of a delivery could not be recorded');
      })
      .finally(() => {
        this.#underWay.delete(delivering);
        this.poll();
      });
    this.#underWay.add(delivering);
  }
}
