import { expect, onTestFinished, test } from 'vitest';
import { MINUTE, OPENING } from '../daily/ground.ts';
import { DATE, fillChannels, judge, makeKillGround } from '../daily/kill.ts';
import { onlyLong } from '../fakes/sample.ts';

const CHANNELS = 30;
/** By the clock of the second process it has ended, however slow the first one was. */
const LEASE = MINUTE;

// In npm test, test/daily/kill.test.ts kills a process in a day of three channels; this finds faults of one post in thirty.
test(
  'what a process was posting when it was killed is posted as soon as its leases end',
  onlyLong,
  async () => {
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

    const second = ground.child({ running: { from: OPENING + 5 * MINUTE, speed: 1 }, lease: LEASE });
    await second.line;
    const verdict = async () =>
      judge(store, await ground.platform.tally(), channels, DATE, ['opening', 'start']);
    await expect.poll(verdict, { interval: 100, timeout: 60_000 }).toMatchObject({
      openings: CHANNELS,
      messages: 2 * CHANNELS,
      unfinished: 0,
      unexplained: 0,
      missing: 0,
    });
    expect(await verdict()).toMatchObject({ doubled: 0, threadsWrong: 0 });
    second.process.kill('SIGTERM');
    await second.ended;
    await store.close();
  },
);
