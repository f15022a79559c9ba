/** The lease of a delivery, which keeps other processes from posting the same. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreError } from '../../../src/core/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Deliveries } from '../../../src/store/tables/deliveries.ts';
import { fakePuzzleService } from '../fakes.ts';
import { beforeOpening, type Ground, HOUR, MINUTE, makeStore, OPENING, openingOf } from '../ground.ts';

const LEASE = 2 * MINUTE;
afterEach(() => {
  vi.useRealTimers();
});

test('a process sends nothing once another one, whose clock is ahead, has the delivery', async () => {
  const ground = await beforeOpening({}, { lease: LEASE });
  ground.platform.pause = async () => {
    ground.clock.time = OPENING + 0.6 * LEASE;
    const now = OPENING + 2 * LEASE;
    await ground.store.allDeliveries.claim('web', 1, { owner: 'other', now, until: now + LEASE });
  };
  await ground.at(OPENING);
  expect(ground.platform.messages).toEqual([]);
  expect(await openingOf(ground)).toMatchObject({ owner: 'other' });
});

test('a process begins no post once another one, whose clock is ahead, has the delivery', async () => {
  const puzzles = fakePuzzleService(async () => {
    const now = OPENING + 2 * LEASE;
    await ground.store.allDeliveries.claim('web', 1, { owner: 'other', now, until: now + LEASE });
    return undefined;
  });
  const ground: Ground = await beforeOpening({}, { lease: LEASE, puzzles });
  await ground.at(OPENING);
  expect(ground.platform.messages).toEqual([]);
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

test('a process goes on with its own post where it was the clock that jumped, and nobody sees a second one', async () => {
  const ground = await beforeOpening({ steps: [] });
  const { platform, store } = ground;
  const seen: string[] = [];
  platform.watch = ({ what }) => void seen.push(what);
  platform.beforeSending = async () => {
    ground.clock.time += 10 * MINUTE;
    void ground.daily.runDue();
    await expect.poll(async () => (await openingOf(ground)).claims).toBe(2);
    // Another one would be sent now.
    for (let turn = 0; turn < 20; turn++) await openingOf({ store });
  };
  await ground.at(OPENING);
  expect(seen).toEqual(['message']);
  expect(platform.threads.size).toBe(1);
  expect(await openingOf(ground)).toMatchObject({ openedAt: expect.any(Number), failures: 0 });
});

test('a post that is stuck is made by another attempt of the same process in the end', async () => {
  const { clock, daily, platform } = await beforeOpening({ steps: [] }, { lease: LEASE });
  const stuck = Promise.withResolvers<void>();
  platform.pause = async () => {
    platform.pause = async () => {};
    await stuck.promise;
  };
  clock.time = OPENING;
  for (let leases = 0; leases < 6; leases++) {
    await daily.tick();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    clock.time += LEASE;
  }
  expect(platform.messages).toHaveLength(1);
  stuck.resolve();
  await daily.stop();
  expect(platform.messages).toHaveLength(1);
});

/** A store whose deliveries have other functions in place of some. */
async function storeWith(change: (deliveries: Deliveries) => Partial<Deliveries>): Promise<Store> {
  const store = await makeStore();
  const tenant: Store['tenant'] = (name) => {
    const share = store.tenant(name);
    return { ...share, deliveries: { ...share.deliveries, ...change(share.deliveries) } };
  };
  return { ...store, tenant };
}

test('a process that stood still until the answer to a renewal sends nothing', async () => {
  let renewals = 0;
  const store = await storeWith(({ renew }) => ({
    async renew(...given) {
      const isOurs = await renew(...given);
      if (++renewals === 1) ground.clock.time += LEASE;
      return isOurs;
    },
  }));
  const ground = await beforeOpening({}, { lease: LEASE, store });
  await ground.at(OPENING);
  expect(ground.platform.messages).toEqual([]);
  await ground.at(ground.clock.time + MINUTE);
  expect(ground.platform.messages.filter(({ thread }) => thread === undefined)).toHaveLength(1);
});

test('a post after which the store failed is looked for, and not sent again', async () => {
  let isDown = false;
  const gone = new StoreError('store.unreachable', 'gone');
  const store = await storeWith(({ renew }) => ({
    renew: (...given) => (isDown ? Promise.reject(gone) : renew(...given)),
  }));
  const ground = await beforeOpening({ steps: [] }, { lease: LEASE, store });
  ground.platform.afterSending = async () => {
    ground.clock.time += 0.6 * LEASE;
    isDown = true;
  };
  await ground.at(OPENING);
  expect(await openingOf(ground)).toMatchObject({ begun: true, reason: { code: 'no-answer' } });
  isDown = false;
  await ground.at(ground.clock.time + MINUTE);
  expect(ground.platform.messages).toHaveLength(1);
  expect((await ground.rows('2026-11-20')).opening).toBe('posted');
});

test('the end of a post that the store does not take at once is stored a moment later', async () => {
  let isDown = true;
  const store = await storeWith(({ settle }) => ({
    async settle(...given) {
      if (!isDown) return settle(...given);
      isDown = false;
      throw new StoreError('store.unreachable', 'its server restarts');
    },
  }));
  const ground = await beforeOpening({ steps: [] }, { store });
  await ground.at(OPENING);
  expect(await openingOf(ground)).toMatchObject({ state: 'waiting', begun: false, openedAt: OPENING });
});

test('a day whose end was just stored is claimed anew, although its attempt has not heard that yet', async () => {
  let ends = 0;
  const store = await storeWith(({ settle }) => ({
    async settle(...given) {
      const isOurs = await settle(...given);
      if (++ends > 1) return isOurs;
      // As when the delivery of another channel ends now.
      void ground.daily.runDue();
      await expect.poll(async () => (await openingOf(ground)).claims).toBe(2);
      return isOurs;
    },
  }));
  const ground = await beforeOpening({}, { store });
  await ground.at(OPENING);
  expect(ground.platform.messages).toHaveLength(2);
});

describe('the lease of a slow post', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });

  const leasedUntil = async (ground: Ground) => (await openingOf(ground)).nextAt;
  const pass = ({ clock }: Ground) => {
    clock.time += LEASE / 3;
    vi.advanceTimersByTime(LEASE / 3);
  };

  test.each([
    ['while it goes on, and no longer', 4, true],
    ['for five minutes, so that another process can take over a post that is stuck', 9, false],
  ])('is renewed %s', async (_, most, goesOn) => {
    const ground = await beforeOpening({}, { lease: LEASE });
    let renewals = 0;
    ground.platform.pause = async () => {
      for (; renewals < most; renewals++) {
        pass(ground);
        await expect.poll(() => leasedUntil(ground)).toBe(ground.clock.time + LEASE);
      }
      if (!goesOn) pass(ground);
      expect(vi.getTimerCount()).toBe(Number(goesOn));
    };
    await ground.at(OPENING);
    expect(renewals).toBe(most);
    expect((await ground.rows('2026-11-20')).opening).toBe('posted');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not renewed once another process has it', async () => {
    const ground = await beforeOpening({}, { lease: LEASE });
    ground.platform.pause = async () => {
      const now = OPENING + 2 * LEASE;
      await ground.store.allDeliveries.claim('web', 1, { owner: 'other', now, until: now + LEASE });
      for (let renewals = 0; renewals < 2; renewals++) {
        pass(ground);
        for (let turn = 0; turn < 5; turn++) await openingOf(ground);
      }
    };
    await ground.at(OPENING);
    expect(ground.platform.messages).toEqual([]);
  });

  test('is not renewed after a standstill, so that nothing is posted by an old decision', async () => {
    const puzzles = fakePuzzleService(async () => {
      // The timer goes off before the answer is there, and a renewal would have ended by then.
      ground.clock.time = OPENING + 25 * HOUR;
      vi.advanceTimersByTime(LEASE / 3);
      await openingOf(ground);
    });
    const ground: Ground = await beforeOpening({}, { lease: LEASE, puzzles });
    await ground.at(OPENING);
    expect(ground.platform.messages).toEqual([]);
    expect(await openingOf(ground)).toMatchObject({ state: 'due' });
  });
});
