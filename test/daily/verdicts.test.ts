import { describe, expect, test } from 'vitest';
import { endsOf, recordOf } from '../../src/daily/day-thread.ts';
import type { DayStep } from '../../src/daily/plan/schedule.ts';
import { missedSteps } from '../../src/daily/plan/todo.ts';
import { recordVerdict } from '../../src/daily/verdicts.ts';
import { endStep } from '../fakes/day-thread.ts';
import { CHANNEL, DATE, HandClock, makeStore, OPENING, quiet } from './ground.ts';

/** A post whose outcome is unknown. */
async function givenUp(step: DayStep) {
  const store = await makeStore();
  const key = { ...CHANNEL, date: DATE, step };
  const reason = { code: 'invalid', message: 'no answer' } as const;
  await endStep(store, key, OPENING, { state: 'given-up', reason, unknown: true });
  const app = { store, clock: new HandClock(OPENING), log: quiet };
  const day = async () => (await store.tenant(CHANNEL.tenant).deliveries.day(CHANNEL.channel, DATE))!;
  const ends = async () => endsOf(await day());
  const verdict = async () => recordOf(await day(), quiet).verdict;
  return { key, app, day, ends, verdict };
}

test('a step that somebody has seen in the thread is not missed', async () => {
  const { key, app, ends } = await givenUp('count');
  expect(missedSteps({ ends: await ends() })).toEqual(['count']);
  expect(await recordVerdict(app, 'there', key)).toBe('Good: it stays as it is.');
  expect(missedSteps({ ends: await ends() })).toEqual([]);
  expect(await ends()).toMatchObject({ count: { state: 'sent' } });
});

test('a verdict that is not needed any more changes nothing', async () => {
  const { key, app, day } = await givenUp('count');
  await recordVerdict(app, 'there', key);
  const before = await day();
  expect(await recordVerdict(app, 'repeat', key)).toMatch(/^Nothing is left to post/);
  expect(await day()).toEqual(before);
});

describe('of two presses at once, the first one counts alone', () => {
  test('when both are for the same', async () => {
    const { key, app, verdict } = await givenUp('opening');
    const answers = await Promise.all([recordVerdict(app, 'repeat', key), recordVerdict(app, 'repeat', key)]);
    expect(answers.map((text) => text.slice(0, 15)).sort()).toEqual(['It comes within', 'Nothing is left']);
    expect(await verdict()).toBe('repeat');
  });

  test.each(['opening', 'count'] as const)('when they disagree on the %s', async (step) => {
    const { key, app, day, verdict } = await givenUp(step);
    const answers = await Promise.all([recordVerdict(app, 'repeat', key), recordVerdict(app, 'there', key)]);
    expect(answers).toEqual([
      expect.stringMatching(/^It comes within/),
      expect.stringMatching(/^Nothing is left/),
    ]);
    expect(await verdict()).toBe('repeat');
    expect(await day()).toMatchObject({ state: 'due', begun: true });
  });
});
