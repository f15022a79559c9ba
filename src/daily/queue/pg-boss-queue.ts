import { PgBoss } from 'pg-boss';
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

const SECOND = 1_000;
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

/** Steps of one thread travel as one job, so that those that are due together make one message. */
const PARTS = ['opening', 'thread', 'closing'] as const;
type Part = (typeof PARTS)[number];

interface Job extends Pick<DeliveryKey, 'tenant' | 'channel' | 'date'> {
  readonly part: Part;
}

export interface PgBossOptions {
  readonly databaseUrl: string;
  /** Where its tables stand in the database. */
  readonly schema?: string;
  /** Milliseconds after which rows that no job has brought to anyone are claimed without one. */
  readonly overdue?: number;
}

/**
 * The queue of several processes: pg-boss on the same PostgreSQL hands each delivery to one of them, tries
 * again with backoff, and keeps what fails for good as dead letters. A job only says where to look: what is
 * posted, and whether, rests on the rows, so a job that is lost, doubled or late does no harm.
 *
 * @example makeDaily({ …, engine: bossEngine({ databaseUrl }) })
 */
export function pgBossQueue(boss: PgBossOptions): DeliveryQueueMaker {
  return (options) => makeBossEngine(options, boss);
}

function makeBossEngine(
  options: DeliveryQueueOptions,
  { databaseUrl, schema = 'letterboxed_jobs', overdue = OVERDUE }: PgBossOptions,
): DeliveryQueue {
  const { log, now, doors } = options;
  const boss = new PgBoss({ connectionString: databaseUrl, schema, max: 4, useListenNotify: true });
  boss.on('error', (error) => logFault(log, error, {}, 'the job queue has trouble'));
  const byHand = makeInProcessQueue(options);
  const net = makeInProcessQueue(
    { ...options, now: () => now() - overdue, lease: options.lease + overdue },
    Math.min(LOOK_EVERY, overdue),
  );
  /** Jobs being sent: a stop waits for them. */
  const sending = new Set<Promise<unknown>>();

  function send(jobs: readonly Job[], startAfter?: Date): void {
    for (const [door, ofDoor] of byDoor(jobs)) {
      const inserted = boss
        .insert(
          queueOf(door),
          ofDoor.map((data) => ({
            data,
            priority: PRIORITY[data.part === 'thread' ? 'step' : data.part],
            ...(startAfter !== undefined && { startAfter }),
          })),
        )
        // Without its job a row is only late: the net finds it.
        .catch((error: unknown) =>
          logFault(log, error, { door, jobs: ofDoor.length }, 'jobs could not be sent'),
        )
        .finally(() => sending.delete(inserted));
      sending.add(inserted);
    }
  }

  async function work(door: string, job: Job): Promise<void> {
    const claimed = await claimPart(options, job);
    for (const group of groupsOf(claimed)) follow(job, await options.deliver(door, group));
  }

  /** A failure here is the store's: pg-boss brings the job again, a little later each time. */
  async function workQuietly(door: string, id: string, job: Job) {
    try {
      await work(door, job);
      return { id, status: 'completed' as const };
    } catch (error) {
      logFault(log, error, { door, ...job }, 'a delivery could not be written down');
      return { id, status: 'failed' as const, output: { error: String(error) } };
    }
  }

  /** An attempt that was put off comes back as a job of its own, at its own time. */
  function follow(job: Job, events: readonly DeliveryEvent[]): void {
    for (const { ending } of events) {
      if (ending.end === 'later') send([job], new Date(ending.at));
    }
  }

  return {
    async start() {
      await boss.start();
      for (const door of doors) {
        await boss.createQueue(deadLettersOf(door));
        await boss.createQueue(queueOf(door), {
          ...QUEUE_OPTIONS,
          deadLetter: deadLettersOf(door),
          notify: true,
        });
        const { concurrency } = options.pace(door);
        const batchSize = Math.max(2, Math.ceil(concurrency / 2));
        const handle = (jobs: { id: string; data: Job }[]) =>
          Promise.all(jobs.map(({ id, data }) => workQuietly(door, id, data)));
        await boss.work(
          queueOf(door),
          {
            batchSize,
            localConcurrency: 2,
            pollingIntervalSeconds: 2,
            notifyPollingIntervalSeconds: 5,
            burstWhenBatchFull: true,
            perJobResults: true,
          },
          handle,
        );
      }
      await net.start();
    },
    async stop() {
      await net.stop();
      await Promise.allSettled(sending);
      await boss.stop({ graceful: true, timeout: 30 * SECOND });
      await byHand.stop();
    },
    notify: (planned) => send(jobsFor(planned)),
    runDue: () => byHand.runDue(),
  };
}

/** What is ready of this job's part; nothing if it was seen to already. */
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
    jobs.set(`${tenant}\n${channel}\n${date}\n${part}`, { tenant, channel, date, part });
  }
  return [...jobs.values()];
}

function partOf(step: string): Part {
  return step === 'opening' || step === 'closing' ? step : 'thread';
}

function byDoor(jobs: readonly Job[]): Map<string, Job[]> {
  const doors = new Map<string, Job[]>();
  for (const job of jobs) {
    const door = job.tenant.slice(0, job.tenant.indexOf(':'));
    doors.set(door, [...(doors.get(door) ?? []), job]);
  }
  return doors;
}

function queueOf(door: string): string {
  return `deliver-${door}`;
}

function deadLettersOf(door: string): string {
  return `undelivered-${door}`;
}
