import { PgBoss } from 'pg-boss';
import { channelKey, doorOf } from '../../core/channel-ref.ts';
import { SECOND } from '../../core/clock.ts';
import { logFault } from '../../store/store-error.ts';
import type { ClaimedDelivery, DeliveryKey } from '../../store/tables/deliveries.ts';
import { chunksOf } from '../../store/tables/rows.ts';
import { isThreadStep, priorityOf } from '../types.ts';
import {
  type DeliveryQueue,
  type DeliveryQueueMaker,
  type DeliveryQueueOptions,
  groupsOf,
  makeInProcessQueue,
} from './queue.ts';

/** How often ready rows are looked for: rows of retries, lost jobs and ended processes. */
const LOOK_EVERY = 5 * SECOND;
/** Rows that get a job at one look: the others get theirs at the next. */
const MOST_AT_A_LOOK = 500;
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
const BATCH = 2;

const WORK_OPTIONS = {
  batchSize: BATCH,
  pollingIntervalSeconds: 2,
  // There are as many workers as batches; notifications tell them of what is due now.
  notifyPollingIntervalSeconds: 10,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const;

/** Steps of one thread travel as one job, so that steps that are due together make one message. */
type Job = Pick<DeliveryKey, 'tenant' | 'channel' | 'date'> & { readonly part: string };

export interface PgBossOptions {
  readonly databaseUrl: string;
  /** The schema of its tables. */
  readonly schema?: string;
  /** Milliseconds between two looks for rows that are ready. */
  readonly lookEvery?: number;
}

/**
 * The queue of several processes: pg-boss on the same PostgreSQL gives each delivery to one of them, tries
 * again with backoff where the store failed, and keeps what fails for good as dead letters. A job only says where to
 * look: the rows decide what is posted, so a job that is lost, doubled, late or early does no harm.
 *
 * @example new Daily({ …, queue: pgBossQueue({ databaseUrl }) })
 */
export function pgBossQueue({
  databaseUrl,
  schema = 'letterboxed_jobs',
  lookEvery = LOOK_EVERY,
}: PgBossOptions): DeliveryQueueMaker {
  return (options) => {
    const { store, log, now, doors, concurrency } = options;
    const boss = new PgBoss({ connectionString: databaseUrl, schema, max: 4, useListenNotify: true });
    boss.on('error', (error) => logFault(log, error, {}, 'the job queue reports an error'));
    let timer: ReturnType<typeof setInterval> | undefined;
    /** Jobs being sent: a stop waits for them. */
    let sending: Promise<unknown> = Promise.resolve();

    /** Where it fails, the rows are only late: the next look finds them. */
    const send = (find: () => Promise<readonly DeliveryKey[]> | readonly DeliveryKey[]) => {
      sending = sending.then(async () => {
        try {
          for (const [door, rows] of Map.groupBy(await find(), ({ tenant }) => doorOf(tenant)))
            for (const some of chunksOf(rows)) await boss.insert(queueOf(door), jobsFor(some));
        } catch (error) {
          logFault(log, error, {}, 'jobs could not be sent; the next look for ready posts tries again');
        }
      });
    };
    const look = async () => {
      const moment = now();
      const ready = doors.map((door) => store.allDeliveries.ready(door, moment, MOST_AT_A_LOOK));
      return (await Promise.all(ready)).flat();
    };

    const work = async (door: string) => {
      const deadLetter = `undelivered-${door}`;
      await boss.createQueue(deadLetter);
      await boss.createQueue(queueOf(door), { ...QUEUE_OPTIONS, deadLetter });
      const localConcurrency = Math.max(1, Math.ceil(concurrency / BATCH));
      await boss.work(
        queueOf(door),
        { ...WORK_OPTIONS, localConcurrency },
        (jobs: { readonly id: string; readonly data: Job }[]) =>
          Promise.all(jobs.map(({ id, data }) => run(options, door, id, data))),
      );
    };

    return {
      async start() {
        await boss.start();
        for (const door of doors) await work(door);
        timer = setInterval(() => send(look), lookEvery);
      },
      async stop() {
        clearInterval(timer);
        await sending;
        await boss.stop({ graceful: true, timeout: 30 * SECOND });
      },
      notify: (planned) => send(() => planned),
      // It waits for no job.
      runDue: () => makeInProcessQueue(options).runDue(),
    } satisfies DeliveryQueue;
  };
}

/** A failure here is the store's: pg-boss brings the job again, a little later each time. */
async function run(options: DeliveryQueueOptions, door: string, id: string, job: Job) {
  try {
    for (const group of groupsOf(await claimPart(options, job))) await options.deliver(door, group);
    return { id, status: 'completed' as const };
  } catch (error) {
    logFault(options.log, error, { door, ...job }, 'the outcome of a delivery could not be recorded');
    return { id, status: 'failed' as const, output: { error: String(error) } };
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
    part === THREAD
      ? (await deliveries.ofDay(channel, date))
          .filter(({ step, state }) => partOf(step) === THREAD && (state === 'due' || state === 'sending'))
          .map(({ step }) => step)
      : [part];
  const claimed: ClaimedDelivery[] = [];
  for (const step of steps) {
    const one = await deliveries.claim(channel, date, step, claim);
    if (one !== undefined) claimed.push(one);
  }
  return claimed;
}

function jobsFor(rows: readonly DeliveryKey[]) {
  const jobs = new Map<string, { data: Job; priority: number; singletonKey: string }>();
  for (const { tenant, channel, date, step } of rows) {
    const part = partOf(step);
    const singletonKey = channelKey({ tenant, channel }, date, part);
    jobs.set(singletonKey, {
      data: { tenant, channel, date, part },
      priority: priorityOf(step),
      singletonKey,
    });
  }
  return [...jobs.values()];
}

const THREAD = 'thread';

function partOf(step: string): string {
  return isThreadStep(step) ? THREAD : step;
}

function queueOf(door: string): string {
  return `deliver-${door}`;
}
