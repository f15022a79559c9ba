import { expect, onTestFinished, test } from 'vitest';
import { DAY, type PuzzleDate } from '../../src/core/clock.ts';
import { dateOfThread } from '../../src/dispatch/target.ts';
import { makeTestApp, NOON } from '../fakes/app.ts';
import { sendStep } from '../fakes/day-thread.ts';

test('a thread is that of its day until the next one is opened', async () => {
  const { app, close } = await makeTestApp();
  onTestFinished(close);
  const channel = { tenant: 'web:local', channel: 'general' };
  const dayOf = (thread: string) => dateOfThread({ where: { ...channel, thread, direct: false } }, app);
  const open = (date: PuzzleDate, at: number, thread: string) =>
    sendStep(app.store, { ...channel, date, step: 'opening' }, at, { message: thread, thread });
  await open('2026-11-19', NOON - DAY, 'yesterday');
  expect(await dayOf('yesterday')).toBe('2026-11-19');
  await open('2026-11-20', NOON, 'today');
  expect([await dayOf('yesterday'), await dayOf('today')]).toEqual([undefined, '2026-11-20']);
});
