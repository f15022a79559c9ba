import { expect, test } from 'vitest';
import { postKey } from '../../src/daily/day-thread.ts';
import { missedSteps } from '../../src/daily/delivery/messages.ts';
import { recordVerdict, takeVerdict } from '../../src/daily/verdicts.ts';
import { CHANNEL, DATE, HandClock, makeStore, OPENING } from './ground.ts';

test('a step that somebody has seen in the thread is not missed', async () => {
  const store = await makeStore();
  const { deliveries } = store.tenant(CHANNEL.tenant);
  const key = { ...CHANNEL, date: DATE, step: 'count' };
  await store.allDeliveries.plan([{ ...key, dueAt: OPENING }]);
  const claim = { owner: 'test', now: OPENING, until: OPENING + 1 };
  const claimed = await deliveries.claim(key.channel, key.date, key.step, claim);
  await deliveries.giveUp(claimed!.lease, { code: 'invalid', message: 'no answer' }, OPENING);
  const rows = () => deliveries.ofDay(CHANNEL.channel, DATE);
  expect(missedSteps(await rows())).toEqual(['count']);
  const answer = await recordVerdict({ store, clock: new HandClock(OPENING) }, 'there', key);
  expect(answer).toBe('Good: it stays as it is.');
  expect(missedSteps(await rows())).toEqual([]);
  expect(await rows()).toMatchObject([{ state: 'sent' }]);
});

test('a verdict that is not needed any more leaves none for a later attempt', async () => {
  const store = await makeStore();
  const { deliveries } = store.tenant(CHANNEL.tenant);
  const key = { ...CHANNEL, date: DATE, step: 'count' };
  await store.allDeliveries.plan([{ ...key, dueAt: OPENING }]);
  const claim = { owner: 'test', now: OPENING, until: OPENING + 1 };
  await deliveries.claim(key.channel, key.date, key.step, claim);
  const app = { store, clock: new HandClock(OPENING) };
  expect(await recordVerdict(app, 'repeat', key)).toMatch(/^Nothing is left to post/);
  expect(await takeVerdict(app, CHANNEL.tenant, postKey(key))).toBeUndefined();
});
