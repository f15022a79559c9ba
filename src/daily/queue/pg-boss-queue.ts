import { PgBoss } from 'pg-boss';
import { channelKey, doorOf } from '../../core/channel-ref.ts';
import { SECOND } from '../../core/clock.ts';
import type { ClaimedDelivery, DeliveryKey } from '../../store/tables/delivery-row.ts';
import type { DeliveryEvent } from '../delivery/deliver.ts';
import { logFault } from '../log-fault.ts';
import { PRIORITY } from '../plan/plan.ts';
import {
  type DeliveryQueueMaker,
  type DeliveryQueueOptions,
  makeInProcessQueue,
} from './in-process-queue.ts';
import { type DeliveryQueue, groupsOf } from './queue.ts';
import { SlowStart } from './slow-start.ts';

const OVERDUE = 60 * SECOND;
const LOOK_EVERY = 5 * SECOND;
const QUEUE_OPTIONS = {
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: 300,
  // The rows are what is kept; a job is only a reminder.
  deleteAfterSeconds: 3_600,
  retentionSeconds: 86_400,
} as const;

/**
 * Jobs that are fetched together. Few, because who is notified first would otherwise hold what is due for all: others
 * would idle, and the posts would wait for that process if it ended.
 */
const BATCH = 2;

const WORK_OPTIONS = {
  batchSize: BATCH,
  pollingIntervalSeconds: 2,
  // There are as many workers as batches; notifications tell them of what is due now.
  notifyPollingIntervalSeconds: 10,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const;

/** Steps of one thread travel as one job, so that those that are due together make one message. */
const PARTS = ['opening', 'thread', 'closing'] as const;
type Part = (typeof PARTS)[number];

interface Job extends Pick<DeliveryKey, 'tenant' | 'channel' | 'date'> {
  readonly part: Part;
}

export interface PgBossOptions {
  readonly databaseUrl: string;
  /** The schema of its tables. */
  readonly schema?: string;
  /** Milliseconds after which ready rows are claimed without a job. */
  readonly overdue?: number;
}

/**
 * The queue of several processes: pg-boss on the same PostgreSQL gives each delivery to one of them, tries
 * again with backoff, and keeps what fails for good as dead letters. A job only says where to look: the rows
 * decide what is posted, so a job that is lost, doubled or late does no harm.
 *
 * @example makeDaily({ …, queue: pgBossQueue({ databaseUrl }) })
 */
export function pgBossQueue(boss: PgBossOptions): DeliveryQueueMaker {
  return (options) => new PgBossQueue(options, boss);
}

class PgBossQueue implements DeliveryQueue {
  readonly #options: DeliveryQueueOptions;
  readonly #boss: PgBoss;
  /** For `runDue`, which waits for no job. */
  readonly #direct: DeliveryQueue;
  /** Claims rows that are overdue because their job was lost. */
  readonly #overdue: DeliveryQueue;
  /** Of each door. */
  readonly #slowStarts: SlowStart[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Jobs being sent: a stop waits for them. */
  readonly #sending = new Set<Promise<unknown>>();

  constructor(
    options: DeliveryQueueOptions,
    { databaseUrl, schema = 'letterboxed_jobs', overdue = OVERDUE }: PgBossOptions,
  ) {
    const { log, now, lease } = options;
    this.#options = options;
    this.#boss = new PgBoss({ connectionString: databaseUrl, schema, max: 4, useListenNotify: true });
    this.#boss.on('error', (error) => logFault(log, error, {}, 'the job queue reports an error'));
    this.#direct = makeInProcessQueue(options);
    this.#overdue = makeInProcessQueue(
      { ...options, now: () => now() - overdue, lease: lease + overdue },
      Math.min(LOOK_EVERY, overdue),
    );
  }

  async start(): Promise<void> {
    await this.#boss.start();
    for (const door of this.#options.doors) await this.#workOn(door);
    this.#timer = setInterval(() => {
      for (const slowStart of this.#slowStarts) slowStart.widen();
    }, SECOND);
    await this.#overdue.start();
  }

  async stop(): Promise<void> {
    await this.#overdue.stop();
    await Promise.allSettled(this.#sending);
    await this.#boss.stop({ graceful: true, timeout: 30 * SECOND });
    clearInterval(this.#timer);
    await this.#direct.stop();
  }

  notify(planned: readonly DeliveryKey[]): void {
    this.#send(jobsFor(planned));
  }

  runDue(): Promise<void> {
    return this.#direct.runDue();
  }

  async #workOn(door: string): Promise<void> {
    const deadLetter = deadLettersOf(door);
    await this.#boss.createQueue(deadLetter);
    await this.#boss.createQueue(queueOf(door), { ...QUEUE_OPTIONS, deadLetter, notify: true });
    const { concurrency } = this.#options.pace(door);
    const localConcurrency = Math.max(1, Math.ceil(concurrency / BATCH));
    const slowStart = new SlowStart(concurrency);
    this.#slowStarts.push(slowStart);
    await this.#boss.work(
      queueOf(door),
      { ...WORK_OPTIONS, localConcurrency },
      (jobs: { readonly id: string; readonly data: Job }[]) =>
        Promise.all(jobs.map(({ id, data }) => slowStart.run(() => this.#deliver(door, id, data)))),
    );
  }

  /** A failure here is the store's: pg-boss brings the job again, a little later each time. */
  async #deliver(door: string, id: string, job: Job) {
    try {
      const claimed = await claimPart(this.#options, job);
      if (claimed.length === 0) await this.#sendAgainIfEarly(job);
      for (const group of groupsOf(claimed)) {
        this.#sendPostponed(job, await this.#options.deliver(door, group));
      }
      return { id, status: 'completed' as const };
    } catch (error) {
      logFault(this.#options.log, error, { door, ...job }, 'the outcome of a delivery could not be recorded');
      return { id, status: 'failed' as const, output: { error: String(error) } };
    }
  }

  /** By this machine's clock nothing is due yet: that of the process which has sent the job goes ahead. */
  async #sendAgainIfEarly(job: Job): Promise<void> {
    const { store, now } = this.#options;
    const rows = await store.tenant(job.tenant).deliveries.ofDay(job.channel, job.date);
    const early = rows
      .filter(({ step, state, nextAt }) => partOf(step) === job.part && state === 'due' && nextAt > now())
      .map(({ nextAt }) => nextAt);
    // The clock that the job waits by is the database's.
    if (early.length > 0) this.#send([job], new Date(Date.now() + Math.min(...early) - now()));
  }

  /** A postponed attempt gets a job of its own, at its own time. */
  #sendPostponed(job: Job, events: readonly DeliveryEvent[]): void {
    for (const { ending } of events) {
      if (ending.end === 'later') this.#send([job], new Date(ending.at));
    }
  }

  #send(jobs: readonly Job[], startAfter?: Date): void {
    for (const [door, ofDoor] of Map.groupBy(jobs, ({ tenant }) => doorOf(tenant))) {
      const inserted = this.#boss
        .insert(
          queueOf(door),
          ofDoor.map((data) => ({
            data,
            priority: PRIORITY[data.part === 'thread' ? 'step' : data.part],
            ...(startAfter !== undefined && { startAfter }),
          })),
        )
        // Without its job a row is only late: the search for overdue rows finds it.
        .catch((error: unknown) =>
          logFault(this.#options.log, error, { door, jobs: ofDoor.length }, 'jobs could not be sent'),
        )
        .finally(() => this.#sending.delete(inserted));
      this.#sending.add(inserted);
    }
  }
}

/** What is ready of this job's part; nothing if it was delivered already. */
async function claimPart(
  { store, now, owner, lease }: DeliveryQueueOptions,
  { tenant, channel, date, part }: Job,
): Promise<ClaimedDelivery[]> {
  const { deliveries } = store.tenant(tenant);
  const moment = now();
  const claim = { owner, now: moment, until: moment + lease };
  const steps =
    part === 'thread'
      ? (await deliveries.ofDay(channel, date))
          .filter(({ step, state }) => partOf(step) === 'thread' && (state === 'due' || state === 'sending'))
          .map(({ step }) => step)
      : [part];
  const claimed: ClaimedDelivery[] = [];
  for (const step of steps) {
    const one = await deliveries.claim(channel, date, step, claim);
    if (one !== undefined) claimed.push(one);
  }
  return claimed;
}

function jobsFor(planned: readonly DeliveryKey[]): Job[] {
  const jobs = new Map<string, Job>();
  for (const { tenant, channel, date, step } of planned) {
    const part = partOf(step);
    jobs.set(channelKey({ tenant, channel }, date, part), { tenant, channel, date, part });
  }
  return [...jobs.values()];
}

function partOf(step: string): Part {
  return step === 'opening' || step === 'closing' ? step : 'thread';
}

function queueOf(door: string): string {
  return `deliver-${door}`;
}

function deadLettersOf(door: string): string {
  return `undelivered-${door}`;
}
