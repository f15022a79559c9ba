import { expect, test } from 'vitest';
import { groupsOf } from '../../../src/daily/queue/queue.ts';
import { makeStore } from '../ground.ts';

test('only steps of one channel and day are delivered together, without openings and closings', async () => {
  const store = await makeStore();
  const rows = [
    ['a', '2026-11-20', 'opening'],
    ['a', '2026-11-20', 'start'],
    ['a', '2026-11-20', 'count'],
    ['a', '2026-11-19', 'solution'],
    ['a', '2026-11-19', 'closing'],
    ['b', '2026-11-20', 'start'],
  ] as const;
  await store.allDeliveries.plan(
    rows.map(([channel, date, step]) => ({ tenant: 'web:local', channel, date, step, dueAt: 0 })),
  );
  const claimed = await store.allDeliveries.claim('web', 10, { owner: 'test', now: 1, until: 2 });
  const groups = groupsOf(claimed).map((group) =>
    group.map(({ lease: { channel, date, step } }) => `${channel} ${date} ${step}`).sort(),
  );
  expect(groups.sort()).toEqual([
    ['a 2026-11-19 closing'],
    ['a 2026-11-19 solution'],
    ['a 2026-11-20 count', 'a 2026-11-20 start'],
    ['a 2026-11-20 opening'],
    ['b 2026-11-20 start'],
  ]);
});
