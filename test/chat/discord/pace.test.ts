import { expect, it } from 'vitest';
import { makeTurns, PrivatePace } from '../../../src/chat/discord/pace.ts';
import { InvalidRequestGuard } from '../../../src/chat/discord/rest.ts';
import { MINUTE, SECOND } from '../../../src/core/clock.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

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
  await Promise.all(
    processes.flatMap((turn, process) =>
      Array.from({ length: 40 }, (_, index) =>
        turn().then(() => gone.push({ at: performance.now() - began, process, index })),
      ),
    ),
  );
  for (const process of [0, 1])
    expect(gone.filter((one) => one.process === process).map(({ index }) => index)).toEqual(
      Array.from({ length: 40 }, (_, index) => index),
    );
  // The last place begins 79 times 5 ms after the first; a timer may be a millisecond early.
  expect(gone.at(-1)!.at).toBeGreaterThan(79 * 5 - 2);
});

it('without the store, requests go on', async () => {
  const turn = makeTurns(() => Promise.reject(new Error('the server restarts')), 1);
  await turn();
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

it('thousands of private messages are opened five in a second, each at its turn, and pause when Discord says so', () => {
  const pace = new PrivatePace();
  const opened = new Map<string, number>();
  const due = new Map(Array.from({ length: 3_000 }, (_, index) => [`key-${index}`, 0]));
  for (let now = 0; due.size > 0; now += 100)
    for (const [key, at] of due) {
      if (at > now) continue;
      try {
        pace.check(key, now);
        opened.set(key, now);
        due.delete(key);
      } catch (error) {
        due.set(key, now + (error as { retryAfter: number }).retryAfter);
      }
    }
  const seconds = Map.groupBy(opened.values(), (at) => Math.floor(at / SECOND));
  expect(
    Math.max(...[...seconds].map(([second, some]) => (second === 0 ? some.length - 25 : some.length))),
  ).toBeLessThanOrEqual(6);
  expect(Math.max(...opened.values())).toBeLessThanOrEqual((3_000 / 5) * SECOND);
  const now = 2 * 3_000 * SECOND;
  pace.check('before', now);
  pace.pause(now);
  expect(() => pace.check('after', now + 1)).toThrow('too many private messages at once');
  pace.check('later', now + 10 * MINUTE);
});
