import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Outage, watchRecovery } from '../../src/chat/outage.ts';
import { MINUTE, SECOND } from '../../src/core/clock.ts';
import { startDiscord } from './discord/start.ts';
import { openSlack } from './slack/open-slack.ts';

let outage: Outage;
let said: [string, string][];
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  said = [];
  const log = { debug() {}, info: note('info'), warn: note('warn'), error: note('error') };
  outage = new Outage({ door: 'slack', log, what: 'Slack', effect: 'nothing is posted' });
});
afterEach(() => void vi.useRealTimers());

function note(level: string) {
  return (_: object, message: string) => void said.push([level, message]);
}

it('says nothing of less than two minutes', () => {
  outage.begin('It is off.');
  vi.advanceTimersByTime(2 * MINUTE - SECOND);
  outage.end();
  vi.advanceTimersByTime(10 * MINUTE);
  expect(said).toEqual([]);
});

it('is one error with the last cause, and one line when it is over, each with how long it took', () => {
  outage.begin('It is off.');
  vi.advanceTimersByTime(MINUTE);
  outage.begin('It answers 502.');
  vi.advanceTimersByTime(59 * MINUTE);
  outage.begin('It is off.');
  outage.end();
  outage.end();
  expect(said).toEqual([
    ['error', 'Slack has been out of reach for 2 minutes: nothing is posted. It answers 502.'],
    ['info', 'Slack is back after 60 minutes.'],
  ]);
});

it('counts from the beginning of the request that failed', () => {
  const began = performance.now();
  vi.advanceTimersByTime(75 * SECOND);
  outage.begin('It is off.', began);
  expect(outage.since).toBe(began);
  vi.advanceTimersByTime(45 * SECOND);
  expect(outage.current()).toBe('Slack has been out of reach for 2 minutes. It is off.');
  // Nothing was tried since.
  vi.advanceTimersByTime(15 * MINUTE);
  expect(outage.current()).toBeUndefined();
  outage.end();
  expect(outage.since).toBeUndefined();
});

it('is counted anew after it was over, and is not reported once it was cancelled', () => {
  outage.begin('It is off.');
  outage.end();
  vi.advanceTimersByTime(MINUTE);
  outage.begin('It is off.');
  vi.advanceTimersByTime(MINUTE);
  outage.restart();
  vi.advanceTimersByTime(MINUTE);
  outage.cancel();
  vi.advanceTimersByTime(10 * MINUTE);
  expect(said).toEqual([]);
});

it('is not over while only one of several connections works', () => {
  outage.begin('It is off.');
  vi.advanceTimersByTime(3 * MINUTE);
  outage.restart();
  vi.advanceTimersByTime(3 * MINUTE);
  expect(said.map(([level]) => level)).toEqual(['error']);
  outage.end();
  expect(said.at(-1)).toEqual(['info', 'Slack is back after 6 minutes.']);
});

function watch() {
  const outage = {
    since: undefined as number | undefined,
    end() {
      outage.since = undefined;
    },
  };
  const platform = { isUp: false, isHolding: false, asked: 0, isWaiting: true };
  const reach = async () => {
    platform.asked++;
    if (platform.isHolding) await new Promise(() => undefined);
    if (!platform.isUp) throw new Error('no answer');
  };
  const retried: number[] = [];
  const end = watchRecovery({ reach }, outage, async () => {
    retried.push(performance.now());
    return platform.isWaiting;
  });
  return { outage, platform, retried, end };
}

it('tries waiting posts within ten seconds after the end of an outage, and asks nothing without one', async () => {
  const { outage, platform, retried, end } = watch();
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(platform.asked).toBe(0);
  outage.since = performance.now();
  await vi.advanceTimersByTimeAsync(30 * MINUTE);
  expect(retried).toEqual([]);
  platform.isUp = true;
  const healed = performance.now();
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(retried).toHaveLength(1);
  expect(retried[0]! - healed).toBeLessThanOrEqual(10 * SECOND);
  outage.since = undefined;
  await vi.advanceTimersByTimeAsync(30 * MINUTE);
  expect(retried).toHaveLength(1);
  // A platform that is slow to answer is asked one thing at a time.
  const { asked } = platform;
  platform.isHolding = true;
  outage.since = performance.now();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(platform.asked - asked).toBe(1);
  end();
});

it('tries ever more rarely where the platform answers and posts fail all the same', async () => {
  const { outage, platform, retried, end } = watch();
  platform.isUp = true;
  outage.since = performance.now();
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  const pauses = retried.slice(1).map((at, index) => Math.round((at - retried[index]!) / SECOND));
  expect(pauses.slice(0, 7)).toEqual([10, 20, 40, 80, 160, 320, 600]);
  // The next outage begins anew.
  outage.since = performance.now();
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(retried).toHaveLength(pauses.length + 2);
  end();
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(retried).toHaveLength(pauses.length + 2);
});

it('ends where the platform answers and no post waits, such as after an edit that failed', async () => {
  const { outage, platform, end } = watch();
  platform.isWaiting = false;
  outage.since = performance.now();
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(outage.since).toBeDefined();
  platform.isUp = true;
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(outage.since).toBeUndefined();
  end();
});

it('reaches Discord and Slack, and not a proxy in their place', async () => {
  vi.useRealTimers();
  const discord = await startDiscord();
  await discord.door.poster.reach!();
  discord.discord.fault({ on: 'GET *', what: { garbled: '{}' } });
  await expect(discord.door.poster.reach!()).rejects.toThrow();
  await discord.close();
  const slack = await openSlack();
  await slack.door.poster.reach!();
  slack.fake.faults.inject({ kind: 'status', status: 200, body: '<p>Hi</p>', method: 'api.test' });
  await expect(slack.door.poster.reach!()).rejects.toThrow();
  await slack.close();
});
