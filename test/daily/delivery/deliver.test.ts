/** The lease of a delivery, which keeps other processes from posting the same. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { fakePuzzleService } from '../fakes.ts';
import {
  beforeOpening,
  type Ground,
  HOUR,
  MINUTE,
  makeStore,
  OPENING,
  openingOf,
  quiet,
  testDaily,
} from '../ground.ts';

const LEASE = 2 * MINUTE;
/** Or the queue may begin another attempt as soon as a lease is over, although the first one is still under way. */
const ONE_AT_A_TIME = { lease: LEASE, concurrency: 1 };
afterEach(() => {
  vi.useRealTimers();
});

test('a process that stood still posts nothing by an old decision', async () => {
  let stands = true;
  const puzzles = fakePuzzleService(() => {
    if (stands) ground.clock.moment += LEASE;
  });
  const ground: Ground = await beforeOpening({}, { ...ONE_AT_A_TIME, puzzles });
  await ground.at(OPENING);
  expect(ground.platform.messages).toEqual([]);
  expect(await openingOf(ground)).toMatchObject({ state: 'due', begun: false });
  stands = false;
  await ground.at(ground.clock.moment + MINUTE);
  expect(ground.platform.messages.filter(({ thread }) => thread === undefined)).toHaveLength(1);
});

test('a process notices that it stood still although the clock was set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const puzzles = fakePuzzleService(() => {
    vi.advanceTimersByTime(LEASE);
  });
  const ground = await beforeOpening({}, { lease: LEASE, puzzles });
  await ground.at(OPENING);
  expect(ground.platform.messages).toEqual([]);
});

describe('a process that stands still between its last check and its request', () => {
  /** Another process posts meanwhile, if the lease is over by then. */
  async function standing(when: 'before' | 'after', milliseconds: number) {
    const ground = await beforeOpening();
    const { platform } = ground;
    const other = testDaily({ ...ground, posters: [platform], owner: 'other' });
    let isStanding = false;
    const stand = async () => {
      if (isStanding) return;
      isStanding = true;
      ground.clock.moment += milliseconds;
      await other.runDue();
    };
    if (when === 'before') platform.beforeSending = stand;
    else platform.afterSending = stand;
    await ground.at(OPENING);
    await ground.at(ground.clock.moment + MINUTE);
    return platform.messages.filter(({ thread }) => thread === undefined).map(({ id }) => id);
  }

  test('deletes its own post, since another one is there', async () => {
    expect(await standing('before', 10 * MINUTE)).toEqual(['m1']);
  });

  test('keeps its own post where the other process has found it', async () => {
    expect(await standing('after', 10 * MINUTE)).toEqual(['m1']);
  });

  test('leaves it to its own next attempt, which waits for this one', async () => {
    const warnings: string[] = [];
    const log = { ...quiet, warn: (_: object, message: string) => void warnings.push(message) };
    const ground = await beforeOpening({}, { log });
    const { platform } = ground;
    let again: Promise<void> | undefined;
    platform.beforeSending = async () => {
      if (again !== undefined) return;
      ground.clock.moment += 10 * MINUTE;
      again = ground.daily.runDue();
      await expect.poll(async () => (await openingOf(ground)).claims).toBe(2);
    };
    await ground.at(OPENING);
    await again;
    expect(platform.messages.filter(({ thread }) => thread === undefined).map(({ id }) => id)).toEqual([
      'm1',
    ]);
    // It would wait for a minute.
    expect(warnings).toEqual([]);
  });

  test('keeps it where nobody has taken over', async () => {
    expect(await standing('before', 20_000)).toEqual(['m1']);
  });
});

test.each([
  ['first renewal', 1],
  ['renewal right before its request', 2],
])('a process that stood still until the answer to its %s sends nothing', async (_, nth) => {
  const store = await makeStore();
  let renewals = 0;
  const tenant: Store['tenant'] = (name) => {
    const share = store.tenant(name);
    const renew: typeof share.deliveries.renew = async (...given) => {
      const isOurs = await share.deliveries.renew(...given);
      if (++renewals === nth) ground.clock.moment += LEASE;
      return isOurs;
    };
    return { ...share, deliveries: { ...share.deliveries, renew } };
  };
  const ground = await beforeOpening({}, { ...ONE_AT_A_TIME, store: { ...store, tenant } });
  // The lease is old, and not over.
  ground.platform.pause = async () => {
    if (renewals === 1 && nth === 2) ground.clock.moment = OPENING + 0.6 * LEASE;
  };
  await ground.at(OPENING);
  expect(renewals).toBeGreaterThanOrEqual(nth);
  expect(ground.platform.messages).toEqual([]);
  await ground.at(ground.clock.moment + MINUTE);
  expect(ground.platform.messages.filter(({ thread }) => thread === undefined)).toHaveLength(1);
});

describe('the lease of a slow post', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });

  const leasedUntil = async (ground: Ground) => (await openingOf(ground)).nextAt;
  const pass = ({ clock }: Ground, milliseconds: number) => {
    clock.moment += milliseconds;
    vi.advanceTimersByTime(milliseconds);
  };

  test('is renewed while it goes on, and no longer', async () => {
    const ground = await beforeOpening({}, { lease: LEASE });
    const ends: number[] = [];
    ground.platform.pause = async () => {
      if (ends.length > 0) return;
      for (let renewal = 1; renewal <= 4; renewal++) {
        pass(ground, LEASE / 3);
        await expect.poll(() => leasedUntil(ground)).toBe(ground.clock.moment + LEASE);
        ends.push(await leasedUntil(ground));
      }
    };
    await ground.at(OPENING);
    expect(ends).toHaveLength(4);
    expect((await ground.rows('2026-11-20')).opening).toBe('posted');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not renewed after a standstill, so that nothing is posted by an old decision', async () => {
    const puzzles = fakePuzzleService(async () => {
      // The timer goes off before the answer is there, and a renewal would have ended by then.
      ground.clock.moment = OPENING + 25 * HOUR;
      vi.advanceTimersByTime(LEASE / 3);
      await openingOf(ground);
    });
    const ground: Ground = await beforeOpening({}, { ...ONE_AT_A_TIME, puzzles });
    await ground.at(OPENING);
    expect(ground.platform.messages).toEqual([]);
    expect(await openingOf(ground)).toMatchObject({ state: 'due' });
  });

  test('runs out after five minutes, so that another process can take over a post that is stuck', async () => {
    const ground = await beforeOpening({}, { lease: LEASE });
    const answer = Promise.withResolvers<void>();
    const stuck = Promise.withResolvers<void>();
    ground.platform.pause = () => {
      stuck.resolve();
      return answer.promise;
    };
    const posting = ground.at(OPENING);
    await stuck.promise;
    for (let third = 0; third < 12; third++) pass(ground, LEASE / 3);
    expect(vi.getTimerCount()).toBe(0);
    answer.resolve();
    await posting;
  });
});
