import { expect, test } from 'vitest';
import { reactivateOnRequest } from '../../src/daily/suspension.ts';
import { someone } from '../fakes/app.ts';
import { fakePuzzleService } from './fake-puzzles.ts';
import { CHANNEL, HOUR, makeGround, quiet, subscribe } from './ground.ts';

const OPENING = Date.UTC(2026, 10, 20, 13);

test('a notice that fails leaves the delivery given up and the channel suspended all the same', async () => {
  const ground = await makeGround(OPENING - HOUR);
  await subscribe(ground.store, {}, { at: OPENING - HOUR });
  ground.platform.fault = () => 'refused';
  ground.platform.notify = () => Promise.reject(new Error('the platform is away'));
  await ground.at(OPENING);
  expect((await ground.rows('2026-11-20')).opening).toBe('given-up: the platform says refused');
  const subscription = await ground.store.tenant(CHANNEL.tenant).subscriptions.get(CHANNEL.channel);
  expect(subscription?.state).toBe('suspended');
});

test('a command in a suspended channel reactivates it, one in a direct conversation does not', async () => {
  const { store, clock } = await makeGround(OPENING);
  await subscribe(store, {}, { at: OPENING });
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  await subscriptions.setState(CHANNEL.channel, { state: 'suspended', reason: { code: 'switched-off' } });
  const reactivate = reactivateOnRequest({ store, clock, puzzles: fakePuzzleService(), log: quiet });
  await reactivate(someone({}, { ...CHANNEL, direct: true }));
  expect((await subscriptions.get(CHANNEL.channel))?.state).toBe('suspended');
  await reactivate(someone({}, { ...CHANNEL, direct: false }));
  expect((await subscriptions.get(CHANNEL.channel))?.state).toBe('active');
});
