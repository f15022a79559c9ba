import { expect, it } from 'vitest';
import { MovableClock, movableTime } from '../../../src/operations/lifecycle/movable-clock.ts';
import { MINUTE, makeStore, OPENING, quiet, subscribe } from '../../daily/ground.ts';

it('a moved clock stops at a post and, while that waits, at each minute', async () => {
  const store = await makeStore();
  await subscribe(store, { zone: 'America/New_York', opening: '08:00' }, { at: OPENING - 9 * MINUTE });
  const clock = new MovableClock(() => OPENING - 9 * MINUTE);
  const stops: number[] = [];
  const daily = { tick: async () => {}, runDue: async () => void stops.push(clock.now() - OPENING) };
  const time = movableTime(clock, () => daily as never, { store, log: quiet });
  await time.moveTo(OPENING);
  expect(stops).toEqual([0]);
  await time.moveTo(OPENING + 2.5 * MINUTE);
  expect(stops).toEqual([0, MINUTE, 2 * MINUTE, 2.5 * MINUTE, 2.5 * MINUTE]);
  await time.moveTo(OPENING);
  expect(clock.now() - OPENING).toBe(2.5 * MINUTE);
});
