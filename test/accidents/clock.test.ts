import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { FakePlatform } from '../daily/fakes.ts';
import { CHANNEL, HOUR, MINUTE, makeStore, subscribe, testDaily } from '../daily/ground.ts';

/** Noon in New York. */
const NOON = Date.UTC(2026, 10, 20, 17);

// Fakes the timers and the clock that node-cron reads. `vi.setSystemTime` moves Date, but neither the timers nor
// performance.now(), by which pauses are measured.
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: NOON - HOUR,
  });
});
afterEach(() => {
  vi.useRealTimers();
});

async function start() {
  const store = await makeStore();
  const steps = [
    { step: 'start', at: '08:00' },
    { step: 'count', at: '12:00' },
    { step: 'lengths', at: '16:00' },
  ] as const;
  await subscribe(store, { zone: 'America/New_York', opening: '08:00', steps }, { at: NOON - DAY });
  const platform = new FakePlatform();
  const daily = testDaily({
    store,
    posters: [platform],
    clock: { now: () => Date.now() },
  });
  await daily.start();
  await daily.runDue();
  async function passTime(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 2_000) {
      await vi.advanceTimersByTimeAsync(2_000);
      // The store answers with real callbacks in between.
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { store, platform, daily, passTime };
}

// clock-readiness.test.ts has the bot plan on within a minute of each jump.
describe('a clock that jumps in the middle of a day', () => {
  test('two hours back for two minutes, then a minute before a step: the step comes in its minute', async () => {
    const { daily, platform, passTime } = await start();
    await passTime(30_000);
    vi.setSystemTime(Date.now() - 2 * HOUR);
    await passTime(2 * MINUTE);
    vi.setSystemTime(NOON - MINUTE);
    await passTime(2 * MINUTE);
    await daily.runDue();
    expect(platform.in(CHANNEL)).toHaveLength(3);
    await daily.stop();
  });

  test('three hours forward for a minute: a post that failed then is tried again by the corrected clock', async () => {
    const { daily, platform, passTime } = await start();
    vi.setSystemTime(NOON);
    platform.fault = ({ what }) => (what === 'message' ? 'later' : undefined);
    await passTime(MINUTE);
    vi.setSystemTime(Date.now() + 3 * HOUR);
    await passTime(MINUTE);
    vi.setSystemTime(NOON + 3 * MINUTE);
    platform.fault = () => undefined;
    await passTime(2 * MINUTE);
    await daily.runDue();
    expect(platform.in(CHANNEL)).toHaveLength(3);
    await daily.stop();
  });

  test('three hours forward, and corrected while the bot is off: the next start tries a post that failed then', async () => {
    const { store, daily, platform, passTime } = await start();
    platform.fault = ({ what }) => (what === 'message' ? 'later' : undefined);
    vi.setSystemTime(NOON + 3 * HOUR);
    await passTime(MINUTE);
    await daily.stop();
    vi.setSystemTime(NOON + MINUTE);
    platform.fault = () => undefined;
    const next = testDaily({ store, posters: [platform], clock: { now: () => Date.now() } });
    await next.start();
    await next.runDue();
    expect(platform.in(CHANNEL)).toHaveLength(3);
    await next.stop();
  });
});
