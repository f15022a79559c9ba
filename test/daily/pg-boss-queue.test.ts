import { readFileSync } from 'node:fs';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { ClaimedGroup } from '../../src/daily/delivery/deliver.ts';
import { type DeliveryQueue, type DeliveryQueueOptions, pgBossQueue } from '../../src/daily/queue.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { ask, describeOnPostgres, makeDatabase } from '../store/real-postgres.ts';
import { quiet } from './ground.ts';

/** Milliseconds: more than the test takes, so that what is delivered had the job that it was notified with. */
const NEVER = 600_000;
const PROCESS = { log: quiet, now: Date.now, lease: NEVER, doors: ['web'], concurrency: 4 };

const DATE = '2026-11-20';

function keysOf(name: string, count: number) {
  return Array.from(
    { length: count },
    (_, index) => ({ tenant: `web:${name}${index}`, channel: 'c', date: DATE, step: 'opening' }) as const,
  );
}

/** The queues of these tests share a database, whose tables pg-boss makes once: each test has tenants of its own. */
describeOnPostgres('the queue of several processes', () => {
  let databaseUrl: string;
  let store: Store;
  beforeAll(async () => {
    databaseUrl = await makeDatabase();
    store = await openStore({ databaseUrl });
  });
  afterAll(() => store.close());

  async function makeQueue(
    options: Partial<DeliveryQueueOptions>,
    pollEvery = NEVER,
  ): Promise<DeliveryQueue> {
    const make = await pgBossQueue({ databaseUrl, pollEvery });
    return make({ ...PROCESS, store, owner: 'one', deliver: async () => {}, ...options });
  }

  test('posts soon what comes to a process whose clock is behind, for which nothing is due yet', async () => {
    const key = { tenant: 'web:behind', channel: 'c', date: DATE, step: 'opening' } as const;
    const delivered = Promise.withResolvers<string>();
    const now = () => Date.now() - 1_000;
    const queue = await makeQueue({ now, deliver: async (door) => delivered.resolve(door) }, 200);
    await queue.start();
    await store.allDeliveries.plan([{ ...key, dueAt: Date.now() }]);
    queue.notify([key]);
    expect(await delivered.promise).toBe('web');
    await queue.stop();
  });

  test('brings a step of a thread that another process had claimed and left', async () => {
    const key = { tenant: 'web:left', channel: 'c', date: DATE, step: 'start' } as const;
    const now = Date.now();
    await store.allDeliveries.plan([{ ...key, dueAt: now }]);
    const { deliveries } = store.tenant(key.tenant);
    expect(await deliveries.claim('c', key.date, 'start', { owner: 'gone', now, until: now })).toBeDefined();
    const delivered: string[] = [];
    const deliver = async (_: string, group: ClaimedGroup) => {
      for (const { lease } of group) delivered.push(lease.step);
    };
    const queue = await makeQueue({ deliver }, 200);
    await queue.start();
    await expect.poll(() => delivered).toEqual(['start']);
    await queue.stop();
  });

  test('leaves to the others what a process has no room for', async () => {
    const keys = keysOf('full', 24);
    const delivered: string[] = [];
    const answer = Promise.withResolvers<void>();
    const make = (owner: string, answered?: Promise<void>) => {
      const deliver = async () => {
        delivered.push(owner);
        await answered;
      };
      return makeQueue({ owner, deliver });
    };
    const first = await make('first', answer.promise);
    await first.start();
    await store.allDeliveries.plan(keys.map((key) => ({ ...key, dueAt: Date.now() })));
    first.notify(keys);
    await expect.poll(() => delivered.length).toBe(4);
    const second = await make('second');
    await second.start();
    await expect.poll(() => delivered.length).toBe(24);
    expect(delivered.filter((owner) => owner === 'first')).toHaveLength(4);
    answer.resolve();
    await first.stop();
    await second.stop();
  });

  test('takes no more connections than docs/hosting.md says, however much there is to do', async () => {
    const queue = await makeQueue({ concurrency: 48 }, 50);
    await queue.start();
    const keys = keysOf('many', 100);
    await store.allDeliveries.plan(keys.map((key) => ({ ...key, dueAt: Date.now() })));
    const name = new URL(databaseUrl).pathname.slice(1);
    const count = `select count(*)::int as open from pg_stat_activity where datname = '${name}'`;
    let most = 0;
    for (let round = 0; round < 3; round++) {
      queue.notify(keys);
      await Promise.all(Array.from({ length: 50 }, () => store.allDeliveries.backlog(Date.now())));
      const [{ open } = {}] = await ask(count);
      most = Math.max(most, Number(open));
    }
    const documented = readFileSync(new URL('../../docs/hosting.md', import.meta.url), 'utf8');
    expect(most).toBeLessThanOrEqual(Number(/up to (\d+) connections/.exec(documented)?.[1]));
    expect(most).toBeGreaterThan(10);
    await queue.stop();
  });

  test('makes its tables again when they were dropped, though that fails once, and delivers', async () => {
    const lines: string[] = [];
    const note = (_: object, message: string) => lines.push(message);
    const delivered: string[] = [];
    const queue = await makeQueue({
      log: { ...quiet, info: note, error: note },
      async deliver(_, group) {
        for (const { lease } of group) delivered.push(lease.step);
      },
    });
    await queue.start();
    // The queue may hold locks just then. The drop notices a deadlock first, so that it is what fails, and is repeated.
    const drop = "set deadlock_timeout = '10ms'; drop schema if exists letterboxed_jobs cascade";
    const dropped = () =>
      ask(drop, databaseUrl).then(
        () => true,
        ({ code }) => code,
      );
    await expect.poll(dropped).toBe(true);
    const failing = vi.spyOn(PgBoss.prototype, 'createQueue').mockRejectedValueOnce(new Error('lost'));
    onTestFinished(() => failing.mockRestore());
    const key = { tenant: 'web:dropped', channel: 'c', date: DATE, step: 'opening' } as const;
    await store.allDeliveries.plan([{ ...key, dueAt: Date.now() }]);
    queue.notify([key]);
    await expect
      .poll(() => lines.at(-1))
      .toBe('the job queue could not be started; the next look tries again');
    queue.notify([key]);
    await expect.poll(() => lines.at(-1)).toBe('the job queue works again');
    queue.notify([key]);
    await expect.poll(() => delivered).toEqual(['opening']);
    expect(lines).toEqual([
      'the tables of the job queue (schema letterboxed_jobs) are gone: they are made again',
      'the job queue could not be started; the next look tries again',
      'the job queue works again',
    ]);
    await queue.stop();
  });
});
