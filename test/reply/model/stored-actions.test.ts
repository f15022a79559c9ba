import { afterAll, expect, test } from 'vitest';
import { DAY } from '../../../src/core/clock.ts';
import { makeAction, packAction, unpackAction } from '../../../src/reply/model/action.ts';
import { makeTestApp } from '../../fakes/app.ts';

const { app, clock, close } = await makeTestApp();
afterAll(close);

test('a short action is its own text', async () => {
  const action = { command: 'hint', options: { date: '2026-11-20', step: 'count' } };
  expect(await packAction(action, app)).toBe(makeAction(action));
  expect(await unpackAction(makeAction(action), app)).toEqual(action);
});

test('a long one becomes a short key, the same each time, that leads back for 60 days', async () => {
  const action = {
    command: 'check',
    options: { words: 'forum,mozart,'.repeat(20), sides: 'ozu-nri-lfa-mbt', all: true },
  };
  const key = await packAction(action, app);
  expect(key).toMatch(/^@[\w-]{1,99}$/);
  expect(await packAction(action, app)).toBe(key);
  const began = clock.time;
  clock.time += 59 * DAY;
  expect(await unpackAction(key, app)).toEqual(action);
  clock.time = began + 61 * DAY;
  await expect(unpackAction(key, app)).rejects.toMatchObject({ code: 'action.expired' });
});

test.each(['', '@', '@nonsense', '2|hint', 'hint', '@'.repeat(100_000)])(
  '%j is a mistake, with a friendly explanation',
  async (text) => {
    await expect(unpackAction(text, app)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('type help'),
    });
  },
);
