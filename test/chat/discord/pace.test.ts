import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { InvalidRequestGuard, makeTurns, PrivatePace } from '../../../src/chat/discord/rest.ts';
import { MINUTE, SECOND } from '../../../src/core/clock.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('requests of several processes have their turns in one line, each process in its order', async () => {
  let end = 0;
  const began = performance.now();
  const reserve = async (places: number) => {
    const now = performance.now() - began;
    end = Math.max(end, now) + places * 5;
    return end - now;
  };
  const processes = [makeTurns(reserve, 200), makeTurns(reserve, 200)];
  const gone: { at: number; process: number; index: number }[] = [];
  const all = processes.flatMap((turn, process) =>
    Array.from({ length: 40 }, (_, index) =>
      turn().then(() => gone.push({ at: performance.now() - began, process, index })),
    ),
  );
  await vi.advanceTimersByTimeAsync(SECOND);
  await Promise.all(all);
  for (const process of [0, 1])
    expect(gone.filter((one) => one.process === process).map(({ index }) => index)).toEqual(
      Array.from({ length: 40 }, (_, index) => index),
    );
  expect(gone.map(({ at }) => at).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 80 }, (_, at) => at * 5),
  );
});

it('after a hold-up of the process, requests that missed their turn take one more place each', async () => {
  const now = performance.now.bind(performance);
  let heldUp = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + heldUp);
  const reserved: number[] = [];
  const turn = makeTurns(async (places) => {
    reserved.push(places);
    return places * 10;
  }, 100);
  const all = Promise.all([turn(), turn(), turn()]);
  for (let step = 0; step < 20; step++) await Promise.resolve();
  heldUp = SECOND;
  await vi.advanceTimersByTimeAsync(SECOND);
  await all;
  expect(reserved.reduce((sum, places) => sum + places, 0)).toBe(6);
});

it('without the store, requests go on', async () => {
  const turn = makeTurns(() => Promise.reject(new Error('the server restarts')), 1);
  const asked = turn();
  await vi.advanceTimersByTimeAsync(0);
  await asked;
});

it('refusals of other processes pause this one at its next refusal', async () => {
  let length = 10 * MINUTE - 1;
  const guard = new InvalidRequestGuard(
    () => 0,
    quiet,
    async () => length,
  );
  const refuse = async () => {
    guard.about('discord:1', () => guard.count({ status: 401 }));
    await Promise.resolve();
  };
  await refuse();
  guard.check('discord:2', 'needed');
  length += 2;
  await refuse();
  expect(() => guard.check('discord:2', 'needed')).toThrow('too many requests were refused lately');
});

it('thousands of private messages are opened five in a second by all processes, and pause when Discord says so', async () => {
  const lines = new Map<string, number>();
  let now = 0;
  const endOf = (line: string) => Math.max(lines.get(line) ?? 0, now);
  const reserve = async (line: string, places: number, perSecond: number) => {
    lines.set(line, endOf(line) + (places * SECOND) / perSecond);
    return lines.get(line)! - now;
  };
  const reserveUpTo = async (most: number, line: string, perSecond: number) => {
    if (endOf(line) - now > ((most - 1) * SECOND) / perSecond) return false;
    await reserve(line, 1, perSecond);
    return true;
  };
  const processes = [new PrivatePace({ reserve, reserveUpTo }), new PrivatePace({ reserve, reserveUpTo })];
  const opened: number[] = [];
  const waiting = Array.from({ length: 3_000 }, () => ({ at: 0, tries: 0 }));
  for (; waiting.length > opened.length; now += 100)
    for (const one of waiting) {
      if (one.at > now) continue;
      // A retry may be another process's.
      const process = processes[one.tries++ % 2]!;
      one.at = await process.take().then(
        () => Number.POSITIVE_INFINITY,
        ({ retryAfter }: { retryAfter: number }) => now + retryAfter,
      );
      if (one.at === Number.POSITIVE_INFINITY) opened.push(now);
    }
  const seconds = Map.groupBy(opened, (at) => Math.floor(at / SECOND));
  expect(
    Math.max(...[...seconds].map(([second, some]) => (second === 0 ? some.length - 25 : some.length))),
  ).toBeLessThanOrEqual(6);
  expect(Math.max(...opened)).toBeLessThanOrEqual((3_000 / 5) * SECOND);
  expect(Math.max(...waiting.map(({ tries }) => tries))).toBeLessThanOrEqual(3);
  now += MINUTE;
  await processes[0]!.take();
  await processes[0]!.pause();
  await expect(processes[1]!.take()).rejects.toMatchObject({ retryAfter: expect.closeTo(10 * MINUTE, -3) });
  now += 10 * MINUTE;
  await processes[1]!.take();
});
