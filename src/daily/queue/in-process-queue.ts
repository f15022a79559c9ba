import type { Log } from '../../core/log.ts';
import type { Store } from '../../store/store.ts';
import type { ClaimedGroup, DeliveryEvent } from '../delivery/deliver.ts';
import { logFault } from '../log-fault.ts';
import { DEFAULT_PACE, type DeliveryQueue, groupsOf, type Pace } from './queue.ts';

const SECOND = 1_000;
/** How often a door looks for work without a notification: retries, and what other processes left behind. */
const LOOK_EVERY = SECOND;
const MOST_AT_ONCE = 32;

/** What every queue is given. */
export interface DeliveryQueueOptions {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  readonly owner: string;
  readonly lease: number;
  /** Doors of this process. */
  readonly doors: readonly string[];
  readonly pace: (door: string) => Pace;
  /** Rejects only for faults of the store. */
  readonly deliver: (door: string, group: ClaimedGroup) => Promise<readonly DeliveryEvent[]>;
}

export type DeliveryQueueMaker = (options: DeliveryQueueOptions) => DeliveryQueue;

/**
 * The queue of one process: each door claims rows of its own as long as it has capacity, so a slow or
 * busy door delays no other. Several processes on one database may run it side by side.
 */
export function makeInProcessQueue(options: DeliveryQueueOptions, lookEvery = LOOK_EVERY): DeliveryQueue {
  const doors = options.doors.map((door) => makeLane(door, options));
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    async start() {
      timer = setInterval(() => {
        for (const lane of doors) lane.look();
      }, lookEvery);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(doors.map((lane) => lane.stop()));
    },
    notify() {
      for (const lane of doors) lane.look();
    },
    async runDue() {
      await Promise.all(doors.map((lane) => lane.drain()));
    },
  };
}

interface Lane {
  look(): void;
  /** Resolves when nothing is ready and nothing under way. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

function makeLane(door: string, options: DeliveryQueueOptions): Lane {
  const { store, log, now, owner, lease, deliver } = options;
  const pace = options.pace(door) ?? DEFAULT_PACE;
  const allowance = makeAllowance(pace.perSecond, now);
  const underWay = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let isStopped = false;

  function look(): void {
    if (isStopped) return;
    lookAgain = true;
    looking ??= claimAll().finally(() => {
      looking = undefined;
      if (lookAgain && hasCapacity()) look();
    });
  }

  const hasCapacity = () => underWay.size < pace.concurrency && !isStopped;

  async function claimAll(): Promise<void> {
    while (hasCapacity()) {
      lookAgain = false;
      const free = Math.min(pace.concurrency - underWay.size, MOST_AT_ONCE, allowance.left());
      if (free <= 0) return;
      const moment = now();
      let claimed: Awaited<ReturnType<typeof store.allTenants.claim>>;
      try {
        claimed = await store.allTenants.claim(door, free, { owner, now: moment, until: moment + lease });
      } catch (error) {
        logFault(log, error, { door }, 'deliveries could not be claimed');
        return;
      }
      allowance.take(claimed.length);
      for (const group of groupsOf(claimed)) begin(group);
      if (claimed.length < free) return;
    }
  }

  function begin(group: ClaimedGroup): void {
    const work = deliver(door, group)
      .then(
        () => undefined,
        (error: unknown) =>
          logFault(
            log,
            error,
            { door, ...group[0].lease },
            'the outcome of a delivery could not be recorded',
          ),
      )
      .finally(() => {
        underWay.delete(work);
        look();
      });
    underWay.add(work);
  }

  return {
    look,
    async drain() {
      look();
      // What ends looks again by itself, so this ends when a look has found nothing.
      while (looking !== undefined || underWay.size > 0) {
        await looking;
        await Promise.all(underWay);
      }
    },
    async stop() {
      isStopped = true;
      await looking;
      await Promise.all(underWay);
    },
  };
}

/** So many in a second, and no more saved up than a second's worth. */
function makeAllowance(perSecond: number | undefined, now: () => number) {
  let saved = perSecond ?? Number.POSITIVE_INFINITY;
  let since = now();
  return {
    left() {
      if (perSecond === undefined) return Number.POSITIVE_INFINITY;
      const moment = now();
      saved = Math.min(perSecond, saved + (Math.max(0, moment - since) / SECOND) * perSecond);
      since = moment;
      return Math.floor(saved);
    },
    take(count: number) {
      saved -= count;
    },
  };
}
