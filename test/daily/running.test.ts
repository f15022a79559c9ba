import { expect, onTestFinished, test, vi } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { everyMinute } from '../../src/daily/daily.ts';
import type { DeliveryEvent } from '../../src/daily/delivery/deliver.ts';
import type { NextPost } from '../../src/daily/plan/plan.ts';
import { outlook } from '../../src/operations/observability/outlook.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import type { Store } from '../../src/store/store.ts';
import { replaceMethods } from '../fakes/replace-methods.ts';
import { FakePlatform } from './fakes.ts';
import {
  beforeOpening,
  CHANNEL,
  DATE,
  HandClock,
  HOUR,
  MINUTE,
  makeStore,
  OPENING,
  openingOf,
  subscribe,
  testDaily,
} from './ground.ts';

test('started, it plans and posts by itself; stopped, it does neither', async () => {
  const store = await makeStore();
  await subscribe(store, {}, { at: OPENING - HOUR });
  const platform = new FakePlatform();
  const events: DeliveryEvent[] = [];
  let seen: () => void = () => {};
  const both = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const clock = new HandClock(OPENING + 0.5);
  const daily = testDaily({
    store,
    posters: [platform],
    clock,
    onDelivery: (event) => {
      events.push(event);
      if (events.length === 2) seen();
    },
  });
  await daily.start();
  await both;
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
    expect((await outlook(ground.store, ground.clock.moment, 0)).next).toMatchObject(next);
  };
  for (const hours of [0, 4, 12, 24]) await ground.at(OPENING + hours * HOUR);
  await isNext({ at: OPENING + 28 * HOUR, date: '2026-11-21', step: 'count' });
  for (const hours of [24, 28, 36, 48]) await ground.at(OPENING + hours * HOUR);
  await isNext({ at: OPENING + 52 * HOUR, date: '2026-11-22', step: 'count' });
});

test('a thread that is switched off is neither active nor paused', async () => {
  const { store, clock } = await beforeOpening();
  const counted = async () => {
    const { active, inactive } = await outlook(store, clock.moment, 0);
    return [active, inactive];
  };
  expect(await counted()).toEqual([1, 0]);
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  await subscriptions.setState(CHANNEL.channel, { state: 'paused' });
  expect(await counted()).toEqual([0, 1]);
  await subscriptions.setState(CHANNEL.channel, { state: 'off' });
  expect(await counted()).toEqual([0, 0]);
});

test('what comes next is the next day, while an opening is under way whose puzzle is over', async () => {
  const ground = await beforeOpening({ zone: 'Asia/Kolkata', steps: [{ step: 'solution', at: '20:00' }] });
  ground.platform.fault = () => 'later';
  // At eight in Kolkata, with a solution long after the end of the puzzle.
  const opening = Date.UTC(2026, 10, 21, 2, 30);
  await ground.at(opening);
  expect(await openingOf(ground)).toMatchObject({ state: 'due' });
  expect(await ground.nextPost()).toMatchObject({ at: opening, date: DATE, step: 'opening' });
  ground.clock.moment = opening + 7 * HOUR;
  expect(await ground.nextPost()).toMatchObject({
    at: opening + DAY,
    date: addDays(DATE, 1),
    step: 'opening',
  });
});

test('days that a clock far ahead took for missed are posted once it is set back', async () => {
  const ground = await beforeOpening({ steps: [] });
  for (const hours of [0, 96, 1, 24, 48]) await ground.at(OPENING + hours * HOUR);
  for (const day of ['2026-11-20', '2026-11-21', '2026-11-22'] as const)
    expect((await ground.rows(day)).opening).toBe('sent');
});

test('posts that come due after the clock was set back are sent without a look for them', async () => {
  const ground = await beforeOpening({ steps: [] });
  await ground.at(OPENING + 96 * HOUR);
  await ground.at(OPENING + 24 * HOUR - MINUTE);
  const requests: string[] = [];
  ground.platform.fault = ({ what }) => {
    requests.push(what);
    return undefined;
  };
  await ground.at(OPENING + 24 * HOUR);
  expect(requests).toContain('thread');
  expect(requests).not.toContain('look');
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Two channels at their opening, in a store that answers otherwise. */
async function openTwo(change: (real: Store) => Partial<Store>) {
  const real = await makeStore();
  const store = { ...real, ...change(real) };
  const other = { ...CHANNEL, channel: 'other' };
  await subscribe(store, {}, { channel: other, at: OPENING - 2 * HOUR });
  const ground = await beforeOpening({}, { store });
  await ground.at(OPENING);
  return [await ground.rows(DATE), await ground.rows(DATE, other)];
}
const BEGUN = { opening: 'sent', start: 'sent' };

test('the first step follows its opening at once, though the store takes its time', async () => {
  const rows = await openTwo(({ planning }) => ({
    planning: replaceMethods(planning, {
      async markDue(channels) {
        await turn();
        await planning.markDue(channels);
      },
    }),
  }));
  expect(rows).toEqual([BEGUN, BEGUN]);
});

test('the first step follows an opening at once that comes while others are planned', async () => {
  const isPlanned = Promise.withResolvers<void>();
  const isOpened = Promise.withResolvers<void>();
  let plans = 0;
  const rows = await openTwo(({ planning, tenant }) => ({
    planning: replaceMethods(planning, {
      async withDue(...asked) {
        const answer = await planning.withDue(...asked);
        if (++plans !== 2) return answer;
        isPlanned.resolve();
        await isOpened.promise;
        return answer;
      },
    }),
    tenant(id) {
      const { deliveries } = tenant(id);
      return replaceMethods(tenant(id), {
        deliveries: replaceMethods(deliveries, {
          async markSent(lease, ...outcome) {
            if (lease.channel !== 'other') return deliveries.markSent(lease, ...outcome);
            await isPlanned.promise;
            const isSent = await deliveries.markSent(lease, ...outcome);
            setImmediate(isOpened.resolve);
            return isSent;
          },
        }),
      });
    },
  }));
  expect(rows).toEqual([BEGUN, BEGUN]);
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
  for (let turns = 0; turns < 50; turns++) await turn();
  expect(isStopped).toBe(false);
  answer.resolve();
  await Promise.all([stopping, delivering]);
  expect((await ground.rows('2026-11-20')).opening).toBe('sent');
});

const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;

test('each minute is planned as it begins, on the last day of a year, too', async () => {
  const now = Date.UTC(2026, 11, 31, 23, 58, 32);
  vi.useFakeTimers({ now, toFake: [...TIMERS] });
  const calls: string[] = [];
  const end = await everyMinute(Date, async () => calls.push(new Date().toISOString().slice(0, 19)));
  onTestFinished(() => {
    end();
    vi.useRealTimers();
  });
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(calls).toEqual(['2026-12-31T23:58:32', '2026-12-31T23:59:00', '2027-01-01T00:00:00']);
});

test('while planning takes longer than a minute, none begins beside it', async () => {
  vi.useFakeTimers({ toFake: [...TIMERS] });
  const slow = Promise.withResolvers<void>();
  let calls = 0;
  const end = await everyMinute(Date, async () => {
    if (++calls === 2) await slow.promise;
  });
  onTestFinished(() => {
    end();
    vi.useRealTimers();
  });
  await vi.advanceTimersByTimeAsync(3 * MINUTE);
  expect(calls).toBe(2);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(calls).toBe(3);
});

test('a clock that is set back or skips years makes no pause and no walk through the years', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 12, 0, 30), toFake: [...TIMERS] });
  let calls = 0;
  const end = await everyMinute(Date, async () => calls++);
  onTestFinished(() => {
    end();
    vi.useRealTimers();
  });
  for (const jump of [-3 * HOUR, 50 * 365 * DAY, -DAY]) {
    vi.setSystemTime(Date.now() + jump);
    const before = calls;
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect({ jump, calls: calls - before }).toEqual({ jump, calls: 4 });
  }
});

test('a process that stands still until the answer to its claim sends nothing that another has posted', async () => {
  const store = await makeStore();
  await subscribe(store, { steps: [{ step: 'count', at: '12:00' }] }, { at: OPENING - 2 * HOUR });
  const platform = new FakePlatform();
  const clock = new HandClock(OPENING);
  const parts = { posters: [platform], clock };
  const other = testDaily({ ...parts, store, owner: 'other' });
  const claim: typeof store.allDeliveries.claim = async (...given) => {
    const claimed = await store.allDeliveries.claim(...given);
    if (claimed.some(({ lease }) => lease.step === 'count')) {
      clock.moment += 2 * MINUTE;
      await other.runDue();
    }
    return claimed;
  };
  const slow = testDaily({
    ...parts,
    store: { ...store, allDeliveries: { ...store.allDeliveries, claim } },
    owner: 'slow',
  });
  let sent = 0;
  platform.beforeSending = async () => {
    sent++;
  };
  for (const moment of [OPENING, OPENING + 4 * HOUR]) {
    clock.moment = moment;
    await slow.tick();
    await slow.runDue();
  }
  // The opening, and the step.
  expect(sent).toBe(2);
  expect(platform.messages).toHaveLength(2);
});
