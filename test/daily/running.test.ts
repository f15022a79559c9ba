import { expect, onTestFinished, test, vi } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { everyMinute } from '../../src/daily/daily.ts';
import { outlook } from '../../src/operations/observability/outlook.ts';
import { replaceMethods } from '../fakes/replace-methods.ts';
import {
  beforeOpening,
  CHANNEL,
  HandClock,
  HOUR,
  MINUTE,
  makeStore,
  OPENING,
  quiet,
  subscribe,
  testDaily,
} from './ground.ts';

test('what operators see as next is what is left, where a clock that went back finds days posted already', async () => {
  const { at, store, clock } = await beforeOpening();
  for (const hours of [0, 4, 12, 24]) await at(OPENING + hours * HOUR);
  clock.time = OPENING + 13 * HOUR;
  const next = { at: OPENING + 28 * HOUR, date: '2026-11-21', steps: ['count'] };
  expect((await outlook(store, clock.time, quiet)).next).toMatchObject(next);
});

test('what operators see as next is the earliest post of all channels', async () => {
  const store = await makeStore();
  for (const opening of ['10:00', '09:00', '11:00'] as const)
    await subscribe(store, { opening }, { channel: { ...CHANNEL, channel: opening }, at: OPENING - HOUR });
  expect((await outlook(store, OPENING, quiet)).next).toMatchObject({
    at: OPENING + HOUR,
    channel: '09:00',
    steps: ['opening'],
  });
});

test('what operators see as next may come after a pause of months', async () => {
  const { store, clock } = await beforeOpening();
  const at = OPENING + 90 * 24 * HOUR;
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  await subscriptions.setState(CHANNEL.channel, { state: 'paused', until: at - HOUR });
  expect((await outlook(store, clock.time, quiet)).next).toMatchObject({ at, steps: ['opening'] });
});

test('a thread that is switched off is neither active nor paused, and one whose pause has ended is active', async () => {
  const { store, clock } = await beforeOpening();
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  const counted = async (state: 'active' | 'paused' | 'off', until?: number) => {
    await subscriptions.setState(CHANNEL.channel, { state, until });
    const { active, inactive } = await outlook(store, clock.time, quiet);
    return [active, inactive];
  };
  expect([await counted('active'), await counted('paused'), await counted('off')]).toEqual([
    [1, 0],
    [0, 1],
    [0, 0],
  ]);
  expect(await counted('paused', clock.time + 1)).toEqual([0, 1]);
  expect(await counted('paused', clock.time)).toEqual([1, 0]);
});

test.each([
  [-2 * MINUTE, ['the clock was set back']],
  [-MINUTE, []],
])('a clock that goes back by %i ms is said to be set back: %j', async (jump, said) => {
  const warned: string[] = [];
  const log = { ...quiet, warn: (_: object, message: string) => void warned.push(message) };
  const { at, clock } = await beforeOpening({}, { log });
  await at(clock.time);
  await at(clock.time + jump);
  expect(warned).toEqual(said);
});

test('prepares each day once, as it begins', async () => {
  let prepared = 0;
  const { at } = await beforeOpening({}, { prepareDay: async () => void prepared++ });
  const counts: number[] = [];
  for (const moment of [OPENING, OPENING + HOUR, OPENING + DAY, OPENING + DAY + HOUR]) {
    await at(moment);
    counts.push(prepared);
  }
  expect(counts).toEqual([0, 0, 1, 1]);
});

test('while planning takes longer than a minute, none begins beside it', async () => {
  const store = await makeStore();
  let [running, most] = [0, 0];
  const isAnyDue = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return false;
  };
  const slow = { ...store, planning: replaceMethods(store.planning, { isAnyDue }) };
  const daily = testDaily({ store: slow, posters: [], clock: new HandClock(OPENING) });
  await Promise.all([daily.tick(), daily.tick(), daily.tick()]);
  expect([running, most]).toEqual([0, 1]);
});

/** Counts calls of `everyMinute` from a moment on, whose timers and clock are the test's. */
async function minutes(now: number): Promise<string[]> {
  const toFake = [
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'Date',
    'performance',
  ] as const;
  vi.useFakeTimers({ now, toFake: [...toFake] });
  const calls: string[] = [];
  const end = await everyMinute(Date, async () => {
    calls.push(new Date().toISOString().slice(0, 19));
  });
  onTestFinished(() => {
    end();
    vi.useRealTimers();
  });
  return calls;
}

test('each minute is planned as it begins, on the last day of a year, too', async () => {
  const calls = await minutes(Date.UTC(2026, 11, 31, 23, 58, 32));
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(calls).toEqual(['2026-12-31T23:58:32', '2026-12-31T23:59:00', '2027-01-01T00:00:00']);
});

test('a clock that is set back or skips years makes no pause and no walk through the years', async () => {
  const calls = await minutes(OPENING - HOUR + 30_000);
  for (const jump of [-3 * HOUR, 50 * 365 * DAY, -DAY]) {
    vi.setSystemTime(Date.now() + jump);
    const before = calls.length;
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect({ jump, calls: calls.length - before }).toEqual({ jump, calls: 4 });
  }
});
