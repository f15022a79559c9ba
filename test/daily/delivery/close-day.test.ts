import { expect, test } from 'vitest';
import { DAY } from '../../../src/core/clock.ts';
import { CHANNEL, HOUR, makeGround, subscribe } from '../ground.ts';

const OPENING = Date.UTC(2026, 10, 20, 13);

test.each([
  ['a thread that was over nine days ago is left as it is', 10 * DAY, /^skipped: the thread is long over/],
  ['a thread that was over less than nine days ago is closed', 10 * DAY - HOUR, /^sent$/],
])('%s', async (_, after, state) => {
  const ground = await makeGround(OPENING - HOUR);
  await subscribe(ground.store, {}, { at: OPENING - HOUR });
  await ground.at(OPENING);
  const closing = { ...CHANNEL, date: '2026-11-20', step: 'closing', dueAt: OPENING + DAY } as const;
  await ground.store.allDeliveries.plan([closing]);
  ground.clock.moment = OPENING + after;
  await ground.daily.runDue();
  expect((await ground.rows('2026-11-20')).closing).toMatch(state);
});
