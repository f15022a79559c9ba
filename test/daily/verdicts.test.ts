import { describe, expect, test } from 'vitest';
import { postKey } from '../../src/daily/day-thread.ts';
import { missedSteps } from '../../src/daily/delivery/messages.ts';
import { recordVerdict, takeVerdict } from '../../src/daily/verdicts.ts';
import { CHANNEL, DATE, HandClock, makeStore, OPENING } from './ground.ts';

/** A post whose outcome is unknown. */
async function givenUp(step: string) {
  const store = await makeStore();
  const { deliveries } = store.tenant(CHANNEL.tenant);
  const key = { ...CHANNEL, date: DATE, step };
  await store.allDeliveries.plan([{ ...key, dueAt: OPENING }]);
  const claim = { owner: 'test', now: OPENING, until: OPENING + 1 };
  const claimed = await deliveries.claim(key.channel, key.date, key.step, claim);
  await deliveries.giveUp(claimed!.lease, { code: 'invalid', message: 'no answer' }, OPENING);
  return { store, deliveries, key, app: { store, clock: new HandClock(OPENING) } };
}

test('a step that somebody has seen in the thread is not missed', async () => {
  const { deliveries, key, app } = await givenUp('count');
  const rows = () => deliveries.ofDay(CHANNEL.channel, DATE);
  expect(missedSteps(await rows())).toEqual(['count']);
  const answer = await recordVerdict(app, 'there', key);
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

describe('of two presses at once, the first one counts alone', () => {
  test('when both are for the same', async () => {
    const { key, app } = await givenUp('opening');
    const answers = await Promise.all([recordVerdict(app, 'repeat', key), recordVerdict(app, 'repeat', key)]);
    expect(answers.map((text) => text.slice(0, 15)).sort()).toEqual(['It comes within', 'Nothing is left']);
    expect(await takeVerdict(app, CHANNEL.tenant, postKey(key))).toBe('repeat');
  });

  test.each(['opening', 'count'])('when they disagree on the %s', async (step) => {
    const { deliveries, key, app } = await givenUp(step);
    const answers = await Promise.all([recordVerdict(app, 'repeat', key), recordVerdict(app, 'there', key)]);
    expect(answers).toEqual([
      expect.stringMatching(/^It comes within/),
      expect.stringMatching(/^Nothing is left/),
    ]);
    expect(await takeVerdict(app, CHANNEL.tenant, postKey(key))).toBe('repeat');
    expect(await deliveries.get(key.channel, key.date, step)).toMatchObject({ state: 'due' });
  });
});
