import { expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE, SECOND } from '../../../src/core/clock.ts';
import { Minutes } from '../../../src/daily/plan/minutes.ts';

test('while a call takes longer than a minute, there is no other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const clock = { time: 0, now: () => clock.time };
  const slow = Promise.withResolvers<void>();
  let calls = 0;
  const minutes = new Minutes(clock, async () => {
    if (++calls === 2) await slow.promise;
  });
  onTestFinished(() => {
    minutes.stop();
    vi.useRealTimers();
  });
  const callsAt = async (time: number) => {
    clock.time = time;
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    return calls;
  };
  await minutes.start();
  expect(calls).toBe(1);
  expect(await callsAt(MINUTE)).toBe(2);
  expect(await callsAt(3 * MINUTE)).toBe(2);
  slow.resolve();
  expect(await callsAt(3 * MINUTE)).toBe(3);
});
