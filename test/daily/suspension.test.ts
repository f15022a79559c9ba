import { expect, test } from 'vitest';
import { reactivateOnRequest } from '../../src/daily/suspension.ts';
import { someone } from '../fakes/app.ts';
import { fakeBook } from './book.ts';
import { HOUR, makeGround, quiet, SPOT, subscribe } from './ground.ts';

const OPENING = Date.UTC(2026, 10, 20, 13);

test('a notice that fails leaves the delivery given up and the channel suspended all the same', async () => {
  const ground = await makeGround(OPENING - HOUR);
  await subscribe(ground.store, {}, { at: OPENING - HOUR });
  ground.platform.fault = () => 'refused';
  ground.platform.tell = () => Promise.reject(new Error('the platform is away'));
  await ground.at(OPENING);
  expect((await ground.rows('2026-11-20')).opening).toBe('given-up: the platform says refused');
  const subscription = await ground.store.tenant(SPOT.tenant).subscriptions.get(SPOT.channel);
  expect(subscription?.state).toBe('suspended');
});

test('a command in a suspended channel reactivates it, one in a direct conversation does not', async () => {
  const { store, clock } = await makeGround(OPENING);
  await subscribe(store, {}, { at: OPENING });
  const { subscriptions } = store.tenant(SPOT.tenant);
  await subscriptions.setState(SPOT.channel, { state: 'suspended', reason: { code: 'switched-off' } });
  const reactivate = reactivateOnRequest({ store, clock, puzzles: fakeBook(), log: quiet });
  await reactivate(someone({}, { ...SPOT, direct: true }));
  expect((await subscriptions.get(SPOT.channel))?.state).toBe('suspended');
  await reactivate(someone({}, { ...SPOT, direct: false }));
  expect((await subscriptions.get(SPOT.channel))?.state).toBe('active');
});
