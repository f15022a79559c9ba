import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE } from '../../../src/core/clock.ts';
import { updateBoardsEachMinute } from '../../../src/players/made-boards/message.ts';
import { makeTestApp, type TestApp } from '../../fakes/app.ts';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import { house, WORDS } from '../../fakes/small-board.ts';

let world: TestApp;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
});

test('boards are looked at each minute, but never while a platform still keeps the last look waiting', async () => {
  let looks = 0;
  let answer = Promise.withResolvers<[]>();
  const allTenants = replaceMethods(world.store.allTenants, {
    halfPosted: () => {
      looks++;
      return answer.promise;
    },
  });
  const stop = updateBoardsEachMinute({ ...world.app, store: { ...world.store, allTenants } }, ['discord']);
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(looks).toBe(1);
  world.expectErrors('boards that people made could not be posted or closed; the next minute tries again');
  answer.reject(new Error('the platform hung up'));
  answer = Promise.withResolvers();
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(looks).toBe(2);
  stop();
});
