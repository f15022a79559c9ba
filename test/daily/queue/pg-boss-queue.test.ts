import { expect, test } from 'vitest';
import { pgBossQueue } from '../../../src/daily/queue/pg-boss-queue.ts';
import { openStore } from '../../../src/store/open.ts';
import { describeOnPostgres, makeDatabase } from '../../store/real-postgres.ts';
import { quiet } from '../ground.ts';

describeOnPostgres('the queue of several processes', () => {
  test('posts soon what comes to a process whose clock is behind, for which nothing is due yet', async () => {
    const databaseUrl = await makeDatabase();
    const store = await openStore({ databaseUrl });
    const key = { tenant: 'web:1', channel: 'c', date: '2026-11-20' as const, step: 'opening' };
    const delivered = Promise.withResolvers<string>();
    const claims: number[] = [];
    const queue = pgBossQueue({ databaseUrl })({
      store,
      log: quiet,
      now: () => Date.now() - 1_000,
      owner: 'behind',
      lease: 60_000,
      doors: ['web'],
      pace: () => ({ concurrency: 2 }),
      async deliver(door) {
        claims.push(Date.now());
        delivered.resolve(door);
        return [];
      },
    });
    await queue.start();
    const due = Date.now();
    await store.allDeliveries.plan([{ ...key, dueAt: due }]);
    queue.notify([key]);
    expect(await delivered.promise).toBe('web');
    // Rows without a job are claimed a minute after their time.
    expect(claims[0]! - due).toBeLessThan(59_000);
    await queue.stop();
    await store.close();
  });
});
