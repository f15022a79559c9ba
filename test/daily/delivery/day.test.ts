/** The board that a day is opened with, and the wait for it. */
import { describe, expect, test } from 'vitest';
import { DAY, SECOND } from '../../../src/core/clock.ts';
import { recordOf } from '../../../src/daily/delivery/record.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { Fault } from '../fake-poster.ts';
import { fakePuzzleService } from '../fake-puzzles.ts';
import { CHANNEL, type Ground, HOUR, MINUTE, makeGround, subscribe } from '../ground.ts';

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

/** When a post that failed is tried again, and what its row says meanwhile. */

/** A channel whose first requests at its opening time meet these faults. */
async function opened(faults: (Fault | undefined)[], options: Parameters<typeof makeGround>[1] = {}) {
  const ground = await makeGround(OPENING - HOUR, options);
  await subscribe(ground.store, {}, { at: OPENING - 2 * HOUR });
  ground.platform.fault = () => faults.shift();
  await ground.at(OPENING);
  return ground;
}
const openingOf = async ({ store }: Ground) =>
  (await store.tenant(CHANNEL.tenant).deliveries.get(CHANNEL.channel, '2026-11-20', 'opening'))!;

describe('the pause after a failure', () => {
  test('is lengthened at random, so that channels that failed together do not come back together', async () => {
    const soonest = await opened(['lost'], { random: () => 0 });
    expect((await openingOf(soonest)).nextAt - OPENING).toBe(5 * SECOND);
    const latest = await opened(['lost'], { random: () => 1 });
    expect((await openingOf(latest)).nextAt - OPENING).toBe(6.5 * SECOND);
  });

  test('does not grow with the attempts that waited for a board', async () => {
    let source: 'house' | 'newspaper' = 'house';
    const puzzles = fakePuzzleService();
    const ground = await opened([], {
      random: () => 0,
      puzzles: {
        ...puzzles,
        puzzleOf: async (...asked) => ({ ...(await puzzles.puzzleOf(...asked)), source }),
      },
    });
    await ground.until(OPENING + 24 * MINUTE);
    expect((await openingOf(ground)).attempts).toBeGreaterThan(10);
    source = 'newspaper';
    ground.platform.fault = () => 'lost';
    await ground.at(OPENING + 26 * MINUTE);
    expect((await openingOf(ground)).nextAt - ground.clock.moment).toBe(80 * SECOND);
  });
});

test.each<[Fault, code: string, outcomeUnknown: boolean]>([
  ['later', 'postponed', false],
  ['lost', 'no-answer', true],
])('a post that is %s has the reason code %s', async (fault, code, outcomeUnknown) => {
  const ground = await opened([fault]);
  expect(await openingOf(ground)).toMatchObject({ state: 'due', reason: { code }, outcomeUnknown });
});

test('a post whose outcome was unknown once is looked for again after an attempt that could not look', async () => {
  const ground = await opened(['lost-after', 'later']);
  await ground.until(OPENING + 5 * MINUTE);
  const openings = ground.platform.messages.filter(({ thread }) => thread === undefined);
  expect(openings).toHaveLength(1);
});
