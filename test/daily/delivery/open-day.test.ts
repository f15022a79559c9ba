/** The board that a day is opened with, and the wait for it. */
import { expect, test } from 'vitest';
import { recordOf } from '../../../src/daily/delivery/record.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import { fakePuzzleService } from '../fake-puzzles.ts';
import { CHANNEL, HOUR, MINUTE, makeGround, subscribe } from '../ground.ts';

const OPENING = Date.UTC(2026, 10, 20, 13);

test.each([
  [0, 2 * MINUTE],
  [1, 2.5 * MINUTE],
])('with chance at %s, looks for a board again after %i ms', async (chance, pause) => {
  const ground = await makeGround(OPENING - HOUR, {
    puzzles: fakePuzzleService({ source: 'house' }),
    random: () => chance,
  });
  await subscribe(ground.store, {}, { at: OPENING - HOUR });
  await ground.at(OPENING);
  const row = await ground.store
    .tenant(CHANNEL.tenant)
    .deliveries.get(CHANNEL.channel, '2026-11-20', 'opening');
  expect(row).toMatchObject({ state: 'due', reason: { code: 'newspaper-late' }, nextAt: OPENING + pause });
});

test('an opening that may have been posted keeps its board, whatever the sources say by then', async () => {
  const puzzles = fakePuzzleService();
  let change = {};
  const ground = await makeGround(OPENING - HOUR, {
    puzzles: {
      ...puzzles,
      puzzleOf: async (...asked) => ({ ...(await puzzles.puzzleOf(...asked)), ...change }),
    },
  });
  await subscribe(ground.store, {}, { at: OPENING - HOUR });
  const faults = ['lost-after' as const];
  ground.platform.fault = () => faults.shift();
  await ground.at(OPENING);
  const opening = async () => {
    const { deliveries } = ground.store.tenant(CHANNEL.tenant);
    const row = await deliveries.get(CHANNEL.channel, '2026-11-20', 'opening');
    return { state: row?.state, board: recordOf(row!, { warn: () => expect.unreachable() }).puzzle };
  };
  const { state, board } = await opening();
  expect(state).toBe('due');
  change = { board: makeBoard(['abc', 'def', 'ghi', 'jkl']) };
  await ground.until(OPENING + 5 * MINUTE);
  expect(await opening()).toEqual({ state: 'sent', board });
});
