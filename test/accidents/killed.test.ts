import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type { DeliveryKey } from '../../src/store/tables/delivery-row.ts';
import { MINUTE } from '../daily/ground.ts';
import { fillChannels, judge, makeKillGround } from '../daily/kill.ts';
import { DATE } from '../daily/kill-runs.ts';
import { makeFolder } from '../store/folders.ts';

/** 08:00 in New York. */
const OPENING = Date.UTC(2026, 10, 20, 13);
const CHANNELS = 30;
/** Longer than this test waits, so that nothing is posted because a lease has ended. */
const LEASE = 10 * MINUTE;

test('a process that is killed while it posts and started again at once has posted everything before its leases end', async () => {
  const ground = await makeKillGround();
  onTestFinished(() => ground.close());
  const store = await ground.store();
  const channels = await fillChannels(store, CHANNELS, OPENING - 60 * MINUTE);
  // Every answer takes a while, so that many posts are in flight.
  ground.platform.mischief = () => 'slow';
  const running = { from: OPENING - 500, speed: 1 };
  const first = ground.child({ running, lease: LEASE, concurrency: 48 });
  await first.line;
  const inFlight = Promise.withResolvers<void>();
  let requests = 0;
  ground.platform.onRequest = () => {
    if (++requests > 12) inFlight.resolve();
  };
  await inFlight.promise;
  first.process.kill('SIGKILL');
  await first.ended;
  ground.platform.mischief = () => 'none';
  const sending = async () =>
    (await store.allDeliveries.steps(DATE)).filter(({ state }) => state === 'sending').length;
  expect(await sending()).toBeGreaterThan(5);

  const second = ground.child({ running: { from: OPENING + 5_000, speed: 1 }, lease: LEASE });
  await second.line;
  const verdict = async () =>
    judge(store, await ground.platform.tally(), channels, DATE, ['opening', 'start']);
  await expect
    .poll(verdict, { interval: 100 })
    .toMatchObject({ openings: CHANNELS, messages: 2 * CHANNELS, unfinished: 0, unexplained: 0, missing: 0 });
  expect(await verdict()).toMatchObject({ doubled: 0, threadsWrong: 0 });
  second.process.kill('SIGTERM');
  await second.ended;
  await store.close();
});

test('the leases of a process that is alive are left alone, however busy it is', async () => {
  const dataDir = makeFolder();
  const [one, two] = await Promise.all([openStore({ dataDir }), openStore({ dataDir })]);
  const key: DeliveryKey = { tenant: 'web:1', channel: 'c', date: DATE, step: 'opening' };
  await one.processes.watch('host:1:one', OPENING);
  await one.allDeliveries.plan([{ ...key, dueAt: OPENING }]);
  await one.allDeliveries.claim('web', 1, { owner: 'host:1:one', now: OPENING, until: OPENING + LEASE });
  for (let look = 0; look < 20; look++) expect(await two.processes.watch('host:1:two', OPENING)).toEqual([]);
  // As at its end, however it came: the system ends its locks. Another process may have its number by then.
  await one.close();
  expect(await two.processes.watch('host:1:two', OPENING + 1)).toEqual([key]);
  const claim = { owner: 'host:1:two', now: OPENING + 1, until: OPENING + LEASE };
  const [claimed] = await two.allDeliveries.claim('web', 1, claim);
  expect(claimed?.delivery).toMatchObject({ step: 'opening', outcomeUnknown: true });
  await two.close();
});
