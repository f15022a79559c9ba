import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pgBossQueue } from '../../src/daily/queue.ts';
import { openStore } from '../../src/store/store.ts';
import { ask, describeOnPostgres, makeDatabase } from '../store/real-postgres.ts';
import { quiet } from './ground.ts';

/** Milliseconds: more than the test takes, so that what is delivered had the job that it was notified with. */
const NEVER = 600_000;
const PROCESS = { log: quiet, now: Date.now, lease: NEVER, doors: ['web'], concurrency: 4 };

describeOnPostgres('the queue of several processes', () => {
  test('posts soon what comes to a process whose clock is behind, for which nothing is due yet', async () => {
    const databaseUrl = await makeDatabase();
    const store = await openStore({ databaseUrl });
    const key = { tenant: 'web:1', channel: 'c', date: '2026-11-20' as const, step: 'opening' };
    const delivered = Promise.withResolvers<string>();
    const makeQueue = await pgBossQueue({ databaseUrl, pollEvery: 200 });
    const queue = makeQueue({
      ...PROCESS,
      store,
      now: () => Date.now() - 1_000,
      owner: 'behind',
      async deliver(door) {
        delivered.resolve(door);
      },
    });
    await queue.start();
    await store.allDeliveries.plan([{ ...key, dueAt: Date.now() }]);
    queue.notify([key]);
    expect(await delivered.promise).toBe('web');
    await queue.stop();
    await store.close();
  });

  test('brings a step of a thread that another process had claimed and left', async () => {
    const databaseUrl = await makeDatabase();
    const store = await openStore({ databaseUrl });
    const key = { tenant: 'web:1', channel: 'c', date: '2026-11-20' as const, step: 'start' };
    const now = Date.now();
    await store.allDeliveries.plan([{ ...key, dueAt: now }]);
    const { deliveries } = store.tenant(key.tenant);
    expect(await deliveries.claim('c', key.date, 'start', { owner: 'gone', now, until: now })).toBeDefined();
    const delivered: string[] = [];
    const queue = (await pgBossQueue({ databaseUrl, pollEvery: 200 }))({
      ...PROCESS,
      store,
      owner: 'next',
      async deliver(_, group) {
        for (const { lease } of group) delivered.push(lease.step);
      },
    });
    await queue.start();
    await expect.poll(() => delivered).toEqual(['start']);
    await queue.stop();
    await store.close();
  });

  test('leaves to the others what a process has no room for', async () => {
    const databaseUrl = await makeDatabase();
    const store = await openStore({ databaseUrl });
    const keys = Array.from({ length: 24 }, (_, index) => ({
      tenant: `web:t${index}`,
      channel: 'c',
      date: '2026-11-20' as const,
      step: 'opening',
    }));
    const delivered: string[] = [];
    const answer = Promise.withResolvers<void>();
    const makeQueue = await pgBossQueue({ databaseUrl, pollEvery: NEVER });
    const make = (owner: string, answered?: Promise<void>) =>
      makeQueue({
        ...PROCESS,
        store,
        owner,
        async deliver() {
          delivered.push(owner);
          await answered;
        },
      });
    const first = make('first', answer.promise);
    await first.start();
    await store.allDeliveries.plan(keys.map((key) => ({ ...key, dueAt: Date.now() })));
    first.notify(keys);
    await expect.poll(() => delivered.length).toBe(4);
    const second = make('second');
    await second.start();
    await expect.poll(() => delivered.length).toBe(24);
    expect(delivered.filter((owner) => owner === 'first')).toHaveLength(4);
    answer.resolve();
    await first.stop();
    await second.stop();
    await store.close();
  });

  test('makes its tables again when they were dropped, and delivers', async () => {
    const databaseUrl = await makeDatabase();
    const store = await openStore({ databaseUrl });
    const lines: string[] = [];
    const note = (_: object, message: string) => lines.push(message);
    const delivered: string[] = [];
    const queue = (await pgBossQueue({ databaseUrl, pollEvery: 600_000 }))({
      ...PROCESS,
      log: { ...quiet, info: note, error: note },
      store,
      owner: 'one',
      async deliver(_, group) {
        for (const { lease } of group) delivered.push(lease.step);
      },
    });
    await queue.start();
    await ask('drop schema letterboxed_jobs cascade', databaseUrl);
    const key = { tenant: 'web:1', channel: 'c', date: '2026-11-20' as const, step: 'opening' };
    await store.allDeliveries.plan([{ ...key, dueAt: Date.now() }]);
    queue.notify([key]);
    await expect.poll(() => lines.at(-1)).toBe('the job queue works again');
    queue.notify([key]);
    await expect.poll(() => delivered).toEqual(['opening']);
    expect(lines).toEqual([
      'the tables of the job queue (schema letterboxed_jobs) are gone: they are made again',
      'the job queue works again',
    ]);
    await queue.stop();
    await store.close();
  });

  test('takes no more connections than docs/hosting.md says, however much there is to do', async () => {
    const databaseUrl = await makeDatabase();
    const store = await openStore({ databaseUrl });
    const queue = (await pgBossQueue({ databaseUrl, pollEvery: 50 }))({
      ...PROCESS,
      concurrency: 48,
      store,
      owner: 'one',
      deliver: async () => {},
    });
    await queue.start();
    const keys = Array.from({ length: 500 }, (_, index) => ({
      tenant: `web:t${index}`,
      channel: 'c',
      date: '2026-11-20' as const,
      step: 'opening',
    }));
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
    await store.close();
  });
});
