import { expect, test } from 'vitest';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import { HOUR, MINUTE, makeGround, makeStore, subscribe } from '../ground.ts';

const OPENING = Date.UTC(2026, 10, 20, 13);

test('a step that kept failing until its puzzle was over is not posted any more', async () => {
  const ground = await makeGround(OPENING - HOUR);
  await subscribe(ground.store, {}, { at: OPENING - HOUR });
  for (const hours of [0, 4]) await ground.at(OPENING + hours * HOUR);
  expect(ground.platform.messages).toHaveLength(3);
  ground.platform.fault = () => 'later';
  await ground.at(OPENING + 12 * HOUR);
  ground.platform.fault = () => undefined;
  // The next puzzle comes out at three in the morning.
  await ground.at(OPENING + 19 * HOUR + MINUTE);
  expect((await ground.rows('2026-11-20')).solution).toMatch(/^given-up: its puzzle was over/);
  expect(ground.platform.messages).toHaveLength(3);
});

test('a step that is part of an earlier message is not posted again after a crash', async () => {
  const store = await makeStore();
  let crashes = 0;
  const crashing: typeof store = {
    ...store,
    tenant(tenant) {
      const data = store.tenant(tenant);
      const skip: typeof data.deliveries.skip = (...row) =>
        crashes++ === 0 ? Promise.reject(new Error('the process ends here')) : data.deliveries.skip(...row);
      return { ...data, deliveries: replaceMethods(data.deliveries, { skip }) };
    },
  };
  const ground = await makeGround(OPENING - HOUR, { store: crashing });
  await subscribe(store, {}, { at: OPENING - HOUR });
  // Both steps are due by now. The message is written down, but not yet that the second step is in it.
  await ground.at(OPENING + 5 * HOUR);
  expect(crashes).toBe(1);
  await ground.until(OPENING + 6 * HOUR, 10 * MINUTE);
  expect(ground.platform.messages.map(({ reply }) => reply.title)).toEqual([
    'Letter Boxed for Friday, November 20, 2026',
    'Start letters and words needed',
  ]);
  expect((await ground.rows('2026-11-20')).count).toMatch(/^skipped: /);
});
