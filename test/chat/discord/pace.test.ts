import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pauseConversations, reserveConversation, waitForTurn } from '../../../src/chat/discord/pace.ts';
import { MINUTE, SECOND } from '../../../src/core/clock.ts';
import { sample } from '../../fakes/sample.ts';

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
  const reserve = async () => {
    const now = performance.now() - began;
    end = Math.max(end, now) + 5;
    return end - now;
  };
  const gone: { at: number; process: number; index: number }[] = [];
  const all = [0, 1].flatMap((process) =>
    Array.from({ length: 40 }, (_, index) =>
      waitForTurn(reserve, 200).then(() => gone.push({ at: performance.now() - began, process, index })),
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
  let reserved = 0;
  const turn = () => waitForTurn(async () => ++reserved * 10, 100);
  const all = Promise.all([turn(), turn(), turn()]);
  for (let step = 0; step < 20; step++) await Promise.resolve();
  heldUp = SECOND;
  await vi.advanceTimersByTimeAsync(SECOND);
  await all;
  expect(reserved).toBe(6);
});

it('without the store, requests go on', async () => {
  const asked = waitForTurn(() => Promise.reject(new Error('the server restarts')), 1);
  await vi.advanceTimersByTimeAsync(0);
  await asked;
});

const MESSAGES = sample(3_000, 1_000);
it('thousands of private messages are opened five in a second by all processes, and pause when Discord says so', async () => {
  const lines = new Map<string, number>();
  let now = 0;
  const endOf = (line: string) => Math.max(lines.get(line) ?? 0, now);
  const reserve = async (line: string, perSecond: number) => {
    lines.set(line, endOf(line) + SECOND / perSecond);
    return lines.get(line)! - now;
  };
  const reserveUpTo = async (most: number, line: string, perSecond: number) => {
    if (endOf(line) - now > ((most - 1) * SECOND) / perSecond) return false;
    await reserve(line, perSecond);
    return true;
  };
  const pause = async (line: string, milliseconds: number) =>
    void lines.set(line, Math.max(endOf(line), now + milliseconds));
  const pace = { reserve, reserveUpTo, pause };
  const opened: number[] = [];
  const waiting = Array.from({ length: MESSAGES }, () => ({ at: 0, tries: 0 }));
  for (; waiting.length > opened.length; now += 100)
    for (const one of waiting) {
      if (one.at > now) continue;
      one.tries++;
      one.at = await reserveConversation(pace).then(
        () => Number.POSITIVE_INFINITY,
        ({ retryAfter }: { retryAfter: number }) => now + retryAfter,
      );
      if (one.at === Number.POSITIVE_INFINITY) opened.push(now);
    }
  const seconds = Map.groupBy(opened, (at) => Math.floor(at / SECOND));
  expect(
    Math.max(...[...seconds].map(([second, some]) => (second === 0 ? some.length - 25 : some.length))),
  ).toBeLessThanOrEqual(6);
  expect(Math.max(...opened)).toBeLessThanOrEqual((MESSAGES / 5) * SECOND);
  expect(Math.max(...waiting.map(({ tries }) => tries))).toBeLessThanOrEqual(3);
  now += MINUTE;
  await reserveConversation(pace);
  // Several attempts that were refused at the same time are one pause.
  for (let refused = 0; refused < 7; refused++) await pauseConversations(pace);
  await expect(reserveConversation(pace)).rejects.toMatchObject({
    retryAfter: expect.closeTo(10 * MINUTE, -3),
  });
  now += 10 * MINUTE;
  await reserveConversation(pace);
});
