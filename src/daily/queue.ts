import type { PgBoss } from 'pg-boss';
import { channelKey, doorOf } from '../core/channel-ref.ts';
import { SECOND } from '../core/clock.ts';
import { errorCodes } from '../core/errors.ts';
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
const POLL_INTERVAL_MS = SECOND;
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

export type DeliveryQueueMaker = (options: DeliveryQueueOptions) => DeliveryQueue;

/**
 * The queue of one process: each door claims rows of its own as long as it has capacity, so a slow
 * or busy door delays no other. Several processes on one database may run it side by side.
 */
export function makeInProcessQueue(options: DeliveryQueueOptions): DeliveryQueue {
  const queues = options.doors.map((door) => new DoorQueue(door, options));
  const poll = () => {
    for (const queue of queues) queue.poll();
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    async start() {
      timer = setInterval(poll, POLL_INTERVAL_MS);
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
      for (const group of groupsOf(claimed)) this.#begin(group);
      if (claimed.length < limit) return;
    }
  }

  #begin(group: ClaimedGroup): void {
    const { deliver, log } = this.#options;
    const delivering = deliver(this.#door, group)
      .catch((error: unknown) => {
        const where = { door: this.#door, ...group[0].lease };
        logFault(log, error, where, 'the outcome of a delivery could not be recorded');
      })
      .finally(() => {
        this.#underWay.delete(delivering);
        this.poll();
      });
    this.#underWay.add(delivering);
  }
}

/** How often ready rows get jobs: rows of retries, lost jobs and ended processes. */
const SEND_INTERVAL_MS = 5 * SECOND;
/** Rows that get a job at one poll: the others get theirs at the next. */
const MAX_JOBS_PER_SEND = 500;
const QUEUE_OPTIONS = {
  // Only one job with a key waits, so jobs may be sent again and again.
  policy: 'short',
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: 300,
  // The rows are kept; a job is only a reminder.
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
  perJobResults: true,
} as const;

/** A part of a channel's day; see `partOf`. */
type Job = Pick<DeliveryKey, 'tenant' | 'channel' | 'date'> & { readonly part: string };

/** The schema of pg-boss's tables. */
const SCHEMA = 'letterboxed_jobs';
/** Connections of a process for its jobs; one more listens for notifications. */
const PG_BOSS_CONNECTIONS = 4;

export interface PgBossOptions {
  readonly databaseUrl: string;
  /** Milliseconds between two looks for rows that are ready. */
  readonly pollEvery?: number;
}

/**
 * The queue of several processes: pg-boss on the same PostgreSQL gives each delivery to one of them, tries
 * again with backoff where the store failed, and keeps what fails for good as dead letters. A job only says where to
 * look: the rows decide what is posted, so a job that is lost, doubled, late or early does no harm.
 *
 * @example new Daily({ …, queue: await pgBossQueue({ databaseUrl }) })
 */
export async function pgBossQueue(options: PgBossOptions): Promise<DeliveryQueueMaker> {
  // Processes without PostgreSQL start without it.
  const { PgBoss } = await import('pg-boss');
  const { explainPostgres } = await import('../store/engines/postgres.ts');
  const { databaseUrl, pollEvery = SEND_INTERVAL_MS } = options;
  const settings = {
    connectionString: databaseUrl,
    schema: SCHEMA,
    max: PG_BOSS_CONNECTIONS,
    useListenNotify: true,
  };
  const explain = (error: unknown) => explainPostgres(error, databaseUrl);
  const tools = { make: () => new PgBoss(settings), explain, pollEvery };
  return (queue) => new BossQueue(tools, queue);
}

/** Codes of a table and of a schema that is not there: somebody has dropped the queue, which holds nothing but reminders. */
const DROPPED_QUEUE_CODES: ReadonlySet<unknown> = new Set(['42P01', '3F000']);

/** pg-boss passes the errors of its workers on as plain objects with all that was in them, the code as well. */
function asError(error: Error): Error {
  return error instanceof Error ? error : Object.assign(new Error(), error);
}

interface BossTools {
  readonly make: () => PgBoss;
  readonly explain: (error: unknown) => unknown;
  readonly pollEvery: number;
}

class BossQueue implements DeliveryQueue {
  readonly #tools: BossTools;
  readonly #options: DeliveryQueueOptions;
  #boss: PgBoss;
  #timer: NodeJS.Timeout | undefined;
  /** Jobs being sent: a stop waits for them. */
  #sending: Promise<unknown> = Promise.resolve();
  #restarting: Promise<void> | undefined;
  /** Whether the latest restart failed halfway. */
  #isBroken = false;
  #isStopped = false;

  constructor(tools: BossTools, options: DeliveryQueueOptions) {
    this.#tools = tools;
    this.#options = options;
    this.#boss = tools.make();
  }

  async start(): Promise<void> {
    await this.#begin();
    this.#timer = setInterval(() => this.#send(() => this.#ready()), this.#tools.pollEvery);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#sending;
    await this.#restarting;
    await this.#boss.stop({ graceful: true, timeout: 30 * SECOND });
  }

  notify(planned: readonly DeliveryKey[]): void {
    this.#send(() => planned);
  }

  /** Delivers in this process, without jobs. */
  runDue(): Promise<void> {
    return makeInProcessQueue(this.#options).runDue();
  }

  async #begin(): Promise<void> {
    this.#boss.on('error', (error) => this.#failed(asError(error), 'the job queue reports an error'));
    await this.#boss.start();
    for (const door of this.#options.doors) await this.#work(door);
  }

  async #work(door: string): Promise<void> {
    const boss = this.#boss;
    const deadLetter = `undelivered-${door}`;
    await boss.createQueue(deadLetter);
    await boss.createQueue(queueOf(door), { ...QUEUE_OPTIONS, deadLetter });
    const localConcurrency = Math.max(1, Math.ceil(this.#options.concurrency / JOBS_PER_FETCH));
    await boss.work(
      queueOf(door),
      { ...WORK_OPTIONS, localConcurrency },
      (jobs: { readonly id: string; readonly data: Job }[]) =>
        Promise.all(jobs.map(({ id, data }) => run(this.#options, door, id, data))),
    );
  }

  async #ready(): Promise<DeliveryKey[]> {
    const { store, now, doors } = this.#options;
    const moment = now();
    const ready = doors.map((door) => store.allDeliveries.ready(door, moment, MAX_JOBS_PER_SEND));
    return (await Promise.all(ready)).flat();
  }

  /** A failure only makes posts late: the next poll finds their rows again. */
  #send(find: () => Promise<readonly DeliveryKey[]> | readonly DeliveryKey[]): void {
    this.#sending = this.#sending.then(async () => {
      try {
        await this.#restarting;
        if (this.#isBroken) await this.#restartOnce();
        if (this.#isBroken) return;
        for (const [door, rows] of Map.groupBy(await find(), ({ tenant }) => doorOf(tenant)))
          for (const some of chunksOf(rows)) await this.#boss.insert(queueOf(door), some.map(jobOf));
      } catch (error) {
        this.#failed(error, 'jobs could not be sent; the next look for ready posts tries again');
      }
    });
  }

  #failed(error: unknown, message: string): void {
    const isDropped = errorCodes(error).some((code) => DROPPED_QUEUE_CODES.has(code));
    // Everything that was begun before fails until it is back.
    if (this.#isStopped || this.#restarting !== undefined) return;
    if (!isDropped) {
      logFault(this.#options.log, this.#tools.explain(error), {}, message);
      return;
    }
    this.#options.log.error(
      {},
      `the tables of the job queue (schema ${SCHEMA}) are gone: they are made again`,
    );
    void this.#restartOnce();
  }

  #restartOnce(): Promise<void> {
    this.#restarting ??= this.#restart().finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  /** Starting again makes the tables. */
  async #restart(): Promise<void> {
    const { log } = this.#options;
    const before = this.#boss;
    await before.stop({ graceful: false }).catch(() => {});
    this.#boss = this.#tools.make();
    try {
      await this.#begin();
      this.#isBroken = false;
      log.info({}, 'the job queue works again');
    } catch (error) {
      this.#isBroken = true;
      logFault(
        log,
        this.#tools.explain(error),
        {},
        'the job queue could not be started; the next look tries again',
      );
    }
  }
}

/** A failure here comes from the store: pg-boss retries the job, a little later each time. */
async function run(options: DeliveryQueueOptions, door: string, id: string, job: Job) {
  try {
    for (const group of groupsOf(await claimPart(options, job))) await options.deliver(door, group);
    return { id, status: 'completed' as const };
  } catch (error) {
    logFault(options.log, error, { door, ...job }, 'the outcome of a delivery could not be recorded');
    return { id, status: 'failed' as const, output: { error: String(error) } };
  }
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
