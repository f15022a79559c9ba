import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { replaceMethods } from '../fakes/replace-methods.ts';
import { FakePlatform } from './fakes.ts';
import { HandClock, HOUR, makeStore, OPENING, subscribe, testDaily } from './ground.ts';

async function manyPlaces(doors: readonly string[], count: number) {
  const store = await makeStore();
  for (const door of doors) {
    for (let index = 0; index < count; index++) {
      const channel = { tenant: `${door}:${index}`, channel: 'c' };
      await subscribe(store, {}, { channel, at: OPENING - HOUR });
    }
  }
  return store;
}

function dailyWith(store: Store, posters: FakePlatform[], concurrency: number) {
  const clock = new HandClock(OPENING);
  return { clock, daily: testDaily({ store, posters, clock, random: () => 0, concurrency }) };
}

test('delivers as many posts at once as the pace allows, though none of them ends', async () => {
  const platform = new FakePlatform();
  const store = await manyPlaces(['web'], 40);
  // More than one claim takes.
  const { daily } = dailyWith(store, [platform], 20);
  let now = 0;
  let most = 0;
  const full = Promise.withResolvers<void>();
  platform.pause = async () => {
    most = Math.max(most, ++now);
    // The first requests wait for each other, so that the speed of the store decides nothing; then for a while
    // longer, in which a request beyond the pace would come.
    if (now === 20) void turns(20).then(full.resolve);
    await full.promise;
    await turns(1);
    now--;
  };
  await daily.tick();
  await daily.runDue();
  expect(most).toBe(20);
  expect(platform.messages).toHaveLength(80);
});

test('begins openings before steps that are due as long', async () => {
  const store = await makeStore();
  // The steps of the first are planned before the openings of the others.
  for (let index = 0; index < 20; index++) {
    const opening = index < 10 ? '07:00' : '08:00';
    const channel = { tenant: `web:${index + 10}`, channel: 'c' };
    await subscribe(store, { opening }, { channel, at: OPENING - 2 * HOUR });
  }
  const claimed: string[] = [];
  const claim: typeof store.allDeliveries.claim = async (...asked) => {
    const found = await store.allDeliveries.claim(...asked);
    claimed.push(...found.map(({ openedAt }) => (openedAt === null ? 'opening' : 'start')));
    return found;
  };
  const seen = { ...store, allDeliveries: replaceMethods(store.allDeliveries, { claim }) };
  const { clock, daily } = dailyWith(seen, [new FakePlatform()], 3);
  for (const moment of [OPENING - HOUR, OPENING]) {
    clock.time = moment;
    await daily.tick();
    await daily.runDue();
  }
  expect(claimed).toEqual([...Array(20).fill('opening'), ...Array(20).fill('start')]);
});

test('a door that hangs does not delay another one', async () => {
  const [slow, quick] = [new FakePlatform('slack'), new FakePlatform('web')];
  const store = await manyPlaces(['slack', 'web'], 10);
  const { daily } = dailyWith(store, [slow, quick], 4);
  const gate = Promise.withResolvers<void>();
  slow.pause = () => gate.promise;
  await daily.tick();
  const all = daily.runDue();
  while (quick.messages.length < 20) await turns(1);
  expect(slow.messages).toHaveLength(0);
  gate.resolve();
  await all;
  expect(slow.messages).toHaveLength(20);
  expect(quick.messages).toHaveLength(20);
});

test('stop finishes deliveries under way and claims no others', async () => {
  const platform = new FakePlatform();
  const store = await manyPlaces(['web'], 30);
  const { daily } = dailyWith(store, [platform], 3);
  const stopped = Promise.withResolvers<void>();
  platform.pause = async () => {
    if (platform.messages.length >= 6) stopped.resolve(daily.stop());
  };
  await daily.tick();
  await stopped.promise;
  expect(platform.messages.length).toBeLessThan(12);
  const states = await store.allDeliveries.ofDate('2026-11-20');
  expect(states.filter(({ state }) => state === 'sending')).toEqual([]);
});

/** Turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
