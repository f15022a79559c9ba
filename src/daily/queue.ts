import type { PgBoss } from 'pg-boss';
import { channelKey, doorOf } from '../core/channel-ref.ts';
import { SECOND } from '../core/clock.ts';
import { type Log, logFault } from '../core/log.ts';
import { THREAD_STEPS } from '../reply/replies/thread-steps.ts';
import type { Store } from '../store/store.ts';
import type { ClaimedDelivery, DeliveryKey } from '../store/tables/deliveries.ts';
import { chunksOf } from '../store/tables/rows.ts';
import type { ClaimedGroup } from './delivery/deliver.ts';
import { isThreadStep, priorityOf } from './plan/schedule.ts';

/** Claims deliveries that are due and delivers them through the doors of this process. */
export interface DeliveryQueue {
  start(): Promise<void>;
  /** Starts nothing new and resolves when deliveries under way have ended. */
  stop(): Promise<void>;
  /** Reports new deliveries, so that the queue looks for work at once instead of at its next poll. */
  notify(planned: readonly DeliveryKey[]): void;
  /** Delivers until nothing is ready any longer. */
  runDue(): Promise<void>;
}

/** How many deliveries of one door may be under way at once. A door enforces its platform's own limits itself. */
export const CONCURRENCY = 48;

/** How often a door looks without a notification: for retries, and for what other processes left behind. */
const POLLING: Polling = { interval: SECOND, age: 0 };
const MAX_CLAIMED_TOGETHER = 32;

/** What every queue is given. */
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
  readonly deliver: (door: string, group: ClaimedGroup) => Promise<void>;
}

interface Polling {
  /** Milliseconds between two looks for deliveries. */
  readonly interval: number;
  /** Milliseconds for which a delivery must have been ready. */
  readonly age: number;
}

export type DeliveryQueueMaker = (options: DeliveryQueueOptions) => DeliveryQueue;

/**
 * The queue of one process: each door claims rows of its own as long as it has capacity, so a slow
 * or busy door delays no other. Several processes on one database may run it side by side.
 */
export function makeInProcessQueue(
  options: DeliveryQueueOptions,
  { interval, age } = POLLING,
): DeliveryQueue {
  const queues = options.doors.map((door) => new DoorQueue(door, options, age));
  const poll = () => {
    for (const queue of queues) queue.poll();
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    async start() {
      timer = setInterval(poll, interval);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(queues.map((queue) => queue.stop()));
    },
    notify: poll,
    async runDue() {
      await Promise.all(queues.map((queue) => queue.drain()));
    },
  };
}

const THREAD = 'thread';

/** The part of a channel's day that a step belongs to: steps of one thread that are due together make one message. */
function partOf(step: string): string {
  return isThreadStep(step) ? THREAD : step;
}

/** Groups claimed rows by what is posted together. */
export function groupsOf(claimed: readonly ClaimedDelivery[]): ClaimedGroup[] {
  const groups = Map.groupBy(claimed, ({ lease }) => channelKey(lease, lease.date, partOf(lease.step)));
  return [...groups.values()].map(([first, ...others]) => [first!, ...others]);
}

/** Claims and delivers the rows of one door. */
class DoorQueue {
  readonly #door: string;
  readonly #options: DeliveryQueueOptions;
  readonly #age: number;
  /** Claimed deliveries that have not ended. */
  readonly #underWay = new Set<Promise<void>>();
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #isStopped = false;

  constructor(door: string, options: DeliveryQueueOptions, age: number) {
    this.#door = door;
    this.#options = options;
    this.#age = age;
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
    const { store, now, owner, lease, concurrency } = this.#options;
    while (this.#hasCapacity()) {
      this.#pollAgain = false;
      const limit = Math.min(concurrency - this.#underWay.size, MAX_CLAIMED_TOGETHER);
      const moment = now();
      const claim = { owner, now: moment - this.#age, until: moment + lease };
      const claiming = store.allDeliveries.claim(this.#door, limit, claim);
      const claimed = await noneIfFailed(claiming, this.#options, this.#door);
      for (const group of groupsOf(claimed)) this.#begin(group);
      if (claimed.length < limit) return;
    }
  }

  #begin(group: ClaimedGroup): void {
    const delivering = deliverGroup(this.#options, this.#door, group).finally(() => {
      this.#underWay.delete(delivering);
      this.poll();
    });
    this.#underWay.add(delivering);
  }
}

/** Nothing is claimed while the store fails: the rows stay ready. */
function noneIfFailed(claiming: Promise<ClaimedDelivery[]>, { log }: DeliveryQueueOptions, door: string) {
  return claiming.catch((error: unknown) => {
    logFault(log, error, { door }, 'deliveries could not be claimed');
    return [];
  });
}

/** After a failure of the store, the leases run out, and the rows are claimed again. */
async function deliverGroup({ deliver, log }: DeliveryQueueOptions, door: string, group: ClaimedGroup) {
  try {
    await deliver(door, group);
  } catch (error) {
    logFault(log, error, { door, ...group[0].lease }, 'the outcome of a delivery could not be recorded');
  }
}

/**
 * Milliseconds between two looks for rows that no job has brought: rows of retries, lost jobs and ended processes. Also the
 * time that a job has for a row.
 */
const LEFT_BEHIND_MS = 3 * SECOND;
/** How many such rows of one door may be under way at once. */
const LEFT_BEHIND_CONCURRENCY = 8;
const QUEUE_OPTIONS = {
  // Only one job with a key waits.
  policy: 'short',
  // The rows are kept; a job is only a reminder.
  retryLimit: 0,
  expireInSeconds: 300,
  deleteAfterSeconds: 3_600,
  retentionSeconds: 86_400,
  notify: true,
} as const;

/**
 * Jobs that are fetched together. Few, because the process that is notified first would otherwise hold everything that is
 * due: others would idle, and the posts would wait if it ended.
 */
const JOBS_PER_FETCH = 2;

const WORK_OPTIONS = {
  batchSize: JOBS_PER_FETCH,
  pollingIntervalSeconds: 2,
  // Notifications wake the workers for what is due now, so that each of them rarely needs to poll.
  notifyPollingIntervalSeconds: 10,
  burstWhenBatchFull: true,
} as const;

/** A part of a channel's day; see `partOf`. */
type Job = Pick<DeliveryKey, 'tenant' | 'channel' | 'date'> & { readonly part: string };

/** The schema of pg-boss's tables. */
const SCHEMA = 'letterboxed_jobs';
/** Connections of a process for its jobs; one more listens for notifications. */
const PG_BOSS_CONNECTIONS = 4;

export interface PgBossOptions {
  readonly databaseUrl: string;
  /** See `LEFT_BEHIND_MS`. */
  readonly leftBehind?: number;
}

/**
 * The queue of several processes: pg-boss on the same PostgreSQL gives each new delivery to one of them. A job only says where
 * to look: the rows decide what is posted, so a job that is lost, doubled, late or early does no harm.
 *
 * @example new Daily({ …, queue: await pgBossQueue({ databaseUrl }) })
 */
export async function pgBossQueue(options: PgBossOptions): Promise<DeliveryQueueMaker> {
  // Processes without PostgreSQL start without it.
  const { PgBoss } = await import('pg-boss');
  const { explainPostgres } = await import('../store/engines/postgres.ts');
  const { databaseUrl, leftBehind = LEFT_BEHIND_MS } = options;
  const settings = {
    connectionString: databaseUrl,
    schema: SCHEMA,
    max: PG_BOSS_CONNECTIONS,
    useListenNotify: true,
  };
  const explain = (error: unknown) => explainPostgres(error, databaseUrl);
  return (queue) => new BossQueue({ boss: new PgBoss(settings), explain, leftBehind }, queue);
}

/** pg-boss passes the errors of its workers on as plain objects with all that was in them, the code as well. */
function asError(error: Error): Error {
  return error instanceof Error ? error : Object.assign(new Error(), error);
}

interface BossTools {
  readonly boss: PgBoss;
  readonly explain: (error: unknown) => unknown;
  readonly leftBehind: number;
}

class BossQueue implements DeliveryQueue {
  readonly #tools: BossTools;
  readonly #options: DeliveryQueueOptions;
  /** Delivers the rows that no job has brought. */
  readonly #polling: DeliveryQueue;
  /** Jobs being sent: a stop waits for them. */
  #sending: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(tools: BossTools, options: DeliveryQueueOptions) {
    const { leftBehind } = tools;
    this.#tools = tools;
    this.#options = options;
    const few = { ...options, concurrency: Math.min(options.concurrency, LEFT_BEHIND_CONCURRENCY) };
    this.#polling = makeInProcessQueue(few, { interval: leftBehind, age: leftBehind });
  }

  async start(): Promise<void> {
    const { boss } = this.#tools;
    boss.on('error', (error) => this.#failed(asError(error)));
    await boss.start();
    for (const door of this.#options.doors) await this.#work(door);
    await this.#polling.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#polling.stop();
    await this.#sending;
    await this.#tools.boss.stop({ graceful: true, timeout: 30 * SECOND });
  }

  notify(planned: readonly DeliveryKey[]): void {
    this.#sending = this.#sending.then(() => this.#send(planned)).catch((error) => this.#failed(error));
  }

  /** Delivers in this process, without jobs. */
  runDue(): Promise<void> {
    return makeInProcessQueue(this.#options).runDue();
  }

  async #work(door: string): Promise<void> {
    const { boss } = this.#tools;
    await boss.createQueue(queueOf(door), QUEUE_OPTIONS);
    const localConcurrency = Math.max(1, Math.ceil(this.#options.concurrency / JOBS_PER_FETCH));
    await boss.work(queueOf(door), { ...WORK_OPTIONS, localConcurrency }, (jobs: { readonly data: Job }[]) =>
      Promise.all(jobs.map(({ data }) => deliverPart(this.#options, door, data))),
    );
  }

  async #send(planned: readonly DeliveryKey[]): Promise<void> {
    for (const [door, rows] of Map.groupBy(planned, ({ tenant }) => doorOf(tenant)))
      for (const some of chunksOf(rows)) await this.#tools.boss.insert(queueOf(door), some.map(jobOf));
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return;
    const line = `the job queue fails: posts come some seconds late until it works. If its tables (schema ${SCHEMA}) are gone, a restart makes them again`;
    logFault(this.#options.log, this.#tools.explain(error), {}, line);
  }
}

async function deliverPart(options: DeliveryQueueOptions, door: string, job: Job): Promise<void> {
  const claimed = await noneIfFailed(claimPart(options, job), options, door);
  for (const group of groupsOf(claimed)) await deliverGroup(options, door, group);
}

/** Claims the ready rows of this job's part; none if they were delivered already. */
function claimPart(
  { store, now, owner, lease }: DeliveryQueueOptions,
  { tenant, channel, date, part }: Job,
): Promise<ClaimedDelivery[]> {
  const moment = now();
  const steps = part === THREAD ? THREAD_STEPS : [part];
  return store
    .tenant(tenant)
    .deliveries.claimSteps(channel, date, steps, { owner, now: moment, until: moment + lease });
}

function jobOf({ tenant, channel, date, step }: DeliveryKey) {
  const data: Job = { tenant, channel, date, part: partOf(step) };
  return { data, priority: priorityOf(step), singletonKey: channelKey(data, date, data.part) };
}

function queueOf(door: string): string {
  return `deliver-${door}`;
}
