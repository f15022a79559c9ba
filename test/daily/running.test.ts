import { expect, onTestFinished, test, vi } from 'vitest';
import { SECOND } from '../../src/core/clock.ts';
import { everyMinute } from '../../src/daily/daily.ts';
import type { DeliveryEvent } from '../../src/daily/delivery/deliver.ts';
import type { NextPost } from '../../src/daily/plan/plan.ts';
import { outlook } from '../../src/operations/observability/log.ts';
import { FakePlatform } from './fakes.ts';
import {
  beforeOpening,
  HandClock,
  HOUR,
  MINUTE,
  makeStore,
  OPENING,
  subscribe,
  testDaily,
} from './ground.ts';

test('started, it plans and posts by itself; stopped, it does neither', async () => {
  const store = await makeStore();
  await subscribe(store, {}, { at: OPENING - HOUR });
  const platform = new FakePlatform();
  const events: DeliveryEvent[] = [];
  const ticks: number[] = [];
  let seen: () => void = () => {};
  const both = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const clock = new HandClock(OPENING + 0.5);
  const daily = testDaily({
    store,
    posters: [platform],
    clock,
    onTick: ({ planned }) => ticks.push(planned.length),
    onDelivery: (event) => {
      events.push(event);
      if (events.length === 2) seen();
    },
  });
  await daily.start();
  await both;
  // The cron may have ticked as well by now: once a minute, by the clock on the wall.
  expect(ticks.filter((planned) => planned > 0)).toEqual([1]);
  expect(events.map(({ delivery, ending }) => `${delivery.step} ${ending.end}`)).toEqual([
    'opening sent',
    'start sent',
  ]);
  await daily.stop();
  clock.moment = OPENING + 4 * HOUR;
  await daily.tick();
  await daily.runDue();
  expect(platform.messages).toHaveLength(2);
});

test('what comes next is what is left, where a clock that went back finds days to come posted already', async () => {
  const ground = await beforeOpening();
  const isNext = async (next: NextPost) => {
    // As the local chat's does at a restart.
    ground.clock.moment = OPENING + 13 * HOUR;
    expect(await ground.nextPost()).toMatchObject(next);
    expect((await outlook(ground.store, ground.clock.moment)).next).toMatchObject(next);
  };
  for (const hours of [0, 4, 12, 24]) await ground.at(OPENING + hours * HOUR);
  await isNext({ at: OPENING + 28 * HOUR, date: '2026-11-21', step: 'count' });
  for (const hours of [24, 28, 36, 48]) await ground.at(OPENING + hours * HOUR);
  await isNext({ at: OPENING + 52 * HOUR, date: '2026-11-22', step: 'count' });
});

test('days that a clock far ahead took for missed are posted once it is set back', async () => {
  const ground = await beforeOpening({ steps: [] });
  for (const hours of [0, 96, 1, 24, 48]) await ground.at(OPENING + hours * HOUR);
  for (const day of ['2026-11-20', '2026-11-21', '2026-11-22'] as const)
    expect((await ground.rows(day)).opening).toBe('sent');
});

test('a stop waits for the delivery that is under way', async () => {
  const ground = await beforeOpening();
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  ground.platform.pause = () => {
    begun.resolve();
    return answer.promise;
  };
  const delivering = ground.at(OPENING);
  await begun.promise;
  let isStopped = false;
  const stopping = ground.daily.stop().then(() => {
    isStopped = true;
  });
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  answer.resolve();
  await Promise.all([stopping, delivering]);
  expect((await ground.rows('2026-11-20')).opening).toBe('sent');
});

test('while planning takes longer than a minute, none begins beside it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const clock = new HandClock(0);
  const slow = Promise.withResolvers<void>();
  let calls = 0;
  const end = await everyMinute(clock, async () => {
    if (++calls === 2) await slow.promise;
  });
  onTestFinished(() => {
    end();
    vi.useRealTimers();
  });
  const callsAt = async (time: number) => {
    clock.moment = time;
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    return calls;
  };
  expect(await callsAt(MINUTE)).toBe(2);
  expect(await callsAt(3 * MINUTE)).toBe(2);
  slow.resolve();
  expect(await callsAt(3 * MINUTE)).toBe(3);
});
