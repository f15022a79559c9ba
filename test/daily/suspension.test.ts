import { expect, test } from 'vitest';
import { reactivateOnRequest } from '../../src/daily/suspension.ts';
import type { Reason } from '../../src/store/reasons.ts';
import { someone } from '../fakes/app.ts';
import { fakePuzzleService } from './fake-puzzles.ts';
import { CHANNEL, HOUR, MINUTE, makeGround, quiet, subscribe } from './ground.ts';

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

test('a suspended channel is looked at within an hour, also by a clock that was set back', async () => {
  const ground = await makeGround(OPENING);
  await subscribe(ground.store, {}, { at: OPENING - 6 * HOUR });
  const { subscriptions } = ground.store.tenant(CHANNEL.tenant);
  const reason: Reason = { code: 'missing-requirements', requirements: ['Send Messages'] };
  await subscriptions.setState(CHANNEL.channel, { state: 'suspended', reason });
  const missing = [{ what: 'Send Messages', how: '' }];
  ground.platform.missing = () => missing;
  await ground.at(OPENING);
  missing.length = 0;
  await ground.at(OPENING + MINUTE);
  expect((await subscriptions.get(CHANNEL.channel))?.state).toBe('suspended');
  await ground.at(OPENING - 5 * HOUR);
  expect((await subscriptions.get(CHANNEL.channel))?.state).toBe('active');
});

test('a platform that says nothing about suspended channels delays no other channel', async () => {
  const ground = await makeGround(OPENING - HOUR);
  const others = ['one', 'two'].map((channel) => ({ ...CHANNEL, channel }));
  for (const channel of [CHANNEL, ...others])
    await subscribe(ground.store, {}, { at: OPENING - HOUR, channel });
  const { subscriptions } = ground.store.tenant(CHANNEL.tenant);
  const reason: Reason = { code: 'missing-requirements', requirements: ['Send Messages'] };
  for (const { channel } of others) await subscriptions.setState(channel, { state: 'suspended', reason });
  const answer = Promise.withResolvers<[]>();
  ground.platform.missing = ({ channel }) => (channel === CHANNEL.channel ? [] : answer.promise);
  await ground.daily.start();
  ground.clock.moment = OPENING;
  await ground.daily.tick();
  await expect.poll(() => ground.platform.in(CHANNEL)).toHaveLength(2);
  answer.resolve([]);
  await ground.daily.runDue();
  await ground.at(OPENING + MINUTE);
  for (const channel of others) expect(ground.platform.in(channel)).toHaveLength(2);
  await ground.daily.stop();
});
