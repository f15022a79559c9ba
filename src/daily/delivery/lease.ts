import { setTimeout as sleep } from 'node:timers/promises';
import { doubling, MINUTE, SECOND } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { type CheckLease, type Posted, PostFailure } from '../../dispatch/poster.ts';
import type { ClaimedDelivery, Deliveries } from '../../store/tables/deliveries.ts';
import { recordOf } from '../day-thread.ts';

interface LeaseOptions {
  readonly deliveries: Deliveries;
  readonly log: Log;
  readonly now: () => number;
  /** Milliseconds for which a claim or a renewal is good. */
  readonly length: number;
  /** Called when this process turns out to have stood still. */
  readonly onStandstill?: (() => void) | undefined;
}

/** Work that takes longer than this is stuck, so its leases are no longer renewed. */
const MAX_HELD_MS = 5 * MINUTE;
const RENEWALS_PER_LEASE = 3;
/** The share of a lease after which it is old. Renewals come before that, unless the process or the store stands still. */
const OLD_AFTER_SHARE = 0.5;

const TAKEN_MESSAGE = 'another process has this delivery now';

/** One moment by the wall clock and by a monotonic one, which a change of the time does not affect. */
interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/**
 * The leases of deliveries that are worked on together, renewed until `stop`. It notices when the process stood still, as
 * when its machine was suspended, so that another process may have taken over.
 */
export class HeldLease {
  readonly #claimed: readonly [ClaimedDelivery, ...ClaimedDelivery[]];
  readonly #options: LeaseOptions;
  readonly #timer: NodeJS.Timeout;
  #renewals: number;
  /** The last moment at which the first delivery certainly belonged to us. */
  #ours: Moment;

  constructor(claimed: readonly [ClaimedDelivery, ...ClaimedDelivery[]], options: LeaseOptions) {
    this.#claimed = claimed;
    this.#options = options;
    this.#renewals = Math.ceil(MAX_HELD_MS / options.length) * RENEWALS_PER_LEASE;
    this.#ours = this.#moment();
    this.#timer = setInterval(() => this.#keep(), options.length / RENEWALS_PER_LEASE);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * The last check before a request that posts. If the lease was over, the attempt ends even if nobody else took the
   * delivery: its facts may be hours old, and the next attempt looks for the post first.
   */
  readonly check: CheckLease = async () => {
    if (!this.#isOld()) return;
    const wasOver = this.#age() >= this.#options.length;
    const isOurs = await this.renew().catch((error: unknown) => {
      throw new PostFailure('later', 'the lease could not be checked', { cause: error });
    });
    if (!isOurs) throw taken();
    // The renewal may have taken long, too.
    if (!wasOver && !this.#isOld()) return;
    this.#options.onStandstill?.();
    throw new PostFailure('later', 'this process stood still, or could not reach the store');
  };

  /** Extends the lease of the first delivery; false once another process has it. */
  async renew(): Promise<boolean> {
    const { deliveries, now, length } = this.#options;
    // Taken before the request, since the process may stand still until the answer.
    const moment = this.#moment();
    const isOurs = await deliveries.renew(this.#claimed[0].lease, now() + length);
    if (isOurs) this.#ours = moment;
    return isOurs;
  }

  /**
   * Deletes a post that was sent after another process had taken over the delivery, once that one has posted too; keeps it
   * if the other process found it. A process killed in the fraction of a second until then leaves its post behind: others
   * could find it only long afterwards, when people may have answered it.
   */
  async retract(posted: Posted, remove: () => Promise<void>): Promise<void> {
    const { log } = this.#options;
    const { owner: _, ...where } = this.#claimed[0].lease;
    for (const pause of CHECK_PAUSES) {
      await sleep(pause);
      const fate = await this.#fateOf(posted);
      if (fate === 'keep') return;
      if (fate === 'wait') continue;
      log.warn(
        { ...where, ...posted },
        'this process stood still, and another one posted: its own post is deleted',
      );
      return this.#remove(posted, remove);
    }
    log.warn(
      { ...where, ...posted },
      'a post was sent too late; the process that has its delivery now looks for it',
    );
  }

  async #remove(posted: Posted, remove: () => Promise<void>): Promise<void> {
    const { log } = this.#options;
    const { owner: _, ...where } = this.#claimed[0].lease;
    let failure: unknown;
    for (const pause of REMOVAL_PAUSES) {
      await sleep(pause);
      try {
        return await remove();
      } catch (error) {
        failure = error;
      }
    }
    const fields = { ...where, ...posted, error: String(failure) };
    log.error(fields, 'a post is there twice, since this one could not be deleted: delete it by hand');
  }

  async #fateOf({ message }: Posted): Promise<'keep' | 'wait' | 'delete'> {
    const { deliveries, log } = this.#options;
    const { channel, date, step, owner } = this.#claimed[0].lease;
    const row = await deliveries.get(channel, date, step);
    if (row === undefined) return 'keep';
    const other = recordOf(row, log).message;
    if (other !== undefined) return other === message ? 'keep' : 'delete';
    if (row.state === 'skipped') return 'delete';
    // The next attempt belongs to this process. It waits for this one to end, and then finds the post.
    if (row.owner === owner) return 'keep';
    // If the other process gave up, our post may have been in time, and is the only one.
    return row.state === 'given-up' ? 'keep' : 'wait';
  }

  #isOld(): boolean {
    return this.#age() >= this.#options.length * OLD_AFTER_SHARE;
  }

  #age(): number {
    const { wall, monotonic } = this.#moment();
    return Math.max(wall - this.#ours.wall, monotonic - this.#ours.monotonic);
  }

  #moment(): Moment {
    return { wall: this.#options.now(), monotonic: performance.now() };
  }

  #keep(): void {
    if (--this.#renewals <= 0) this.stop();
    const { deliveries, log, now, length } = this.#options;
    const [, ...siblings] = this.#claimed;
    const renewals = [this.renew(), ...siblings.map(({ lease }) => deliveries.renew(lease, now() + length))];
    for (const renewal of renewals)
      renewal.catch((error: unknown) => {
        const { owner: _, ...where } = this.#claimed[0].lease;
        log.warn({ ...where, error: String(error) }, 'a lease could not be renewed');
      });
  }
}

/** The failure after which this process can do nothing more; what it stores has no effect. */
export function taken(): PostFailure {
  return new PostFailure('later', TAKEN_MESSAGE);
}

/** Milliseconds before each attempt to delete a post. */
const REMOVAL_PAUSES = [0, SECOND, 5 * SECOND, 20 * SECOND];
/** Milliseconds between checks of the other process: for two leases, after which a third process looks for the post. */
const CHECK_PAUSES = [0, ...doubling(100, 5 * SECOND), ...Array<number>(11).fill(5 * SECOND)];
