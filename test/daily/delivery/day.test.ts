/** The board that a day is opened with, the wait for it, and when a post that failed is tried again. */
import { expect, test } from 'vitest';
import { DAY, SECOND } from '../../../src/core/clock.ts';
import { recordOf } from '../../../src/daily/day-thread.ts';
import type { Puzzle } from '../../../src/puzzle/types.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { Fault } from '../fake-poster.ts';
import { fakePuzzleService } from '../fake-puzzles.ts';
import { beforeOpening, CHANNEL, DATE, HOUR, MINUTE, OPENING, openingOf } from '../ground.ts';

/** A day whose first requests at its opening meet these faults. */
async function opened(faults: (Fault | undefined)[], options: Parameters<typeof beforeOpening>[1] = {}) {
  const ground = await beforeOpening({}, options);
  ground.platform.fault = () => faults.shift();
  await ground.at(OPENING);
  return ground;
}

test.each([
  [0, 2 * MINUTE],
  [1, 2.5 * MINUTE],
])('with chance at %s, looks for a board again after %i ms', async (chance, pause) => {
  const puzzles = fakePuzzleService(() => ({ source: 'house' }));
  const ground = await opened([], { puzzles, random: () => chance });
  const waits = { state: 'due', reason: { code: 'newspaper-late' }, nextAt: OPENING + pause };
  expect(await openingOf(ground)).toMatchObject(waits);
});

test('an opening that may have been posted keeps its board, whatever the sources say by then', async () => {
  let change: Partial<Puzzle> = {};
  const ground = await opened(['lost-after'], { puzzles: fakePuzzleService(() => change) });
  const opening = async () => {
    const row = await openingOf(ground);
    return { state: row.state, board: recordOf(row, { warn: () => expect.unreachable() }).puzzle };
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
  const ground = await opened([]);
  await ground.store.allDeliveries.plan([{ ...CHANNEL, date: DATE, step: 'closing', dueAt: OPENING + DAY }]);
  ground.clock.moment = OPENING + after;
  await ground.daily.runDue();
  expect((await ground.rows(DATE)).closing).toMatch(state);
});

test.each<[Fault, chance: number, seconds: number]>([
  ['lost', 0, 5],
  ['lost', 1, 6.5],
  // It asks for ten seconds.
  ['later', 0, 10],
  ['later', 1, 13],
])(
  'after a post that is %s, with chance at %s, the pause is %s seconds: not all come back together',
  async (fault, chance, seconds) => {
    const ground = await opened([fault], { random: () => chance });
    expect((await openingOf(ground)).nextAt - OPENING).toBe(seconds * SECOND);
  },
);

test('the pause after a failure does not grow with the attempts that waited for a board', async () => {
  let source: Puzzle['source'] = 'house';
  const ground = await opened([], { random: () => 0, puzzles: fakePuzzleService(() => ({ source })) });
  await ground.until(OPENING + 24 * MINUTE);
  expect((await openingOf(ground)).attempts).toBeGreaterThan(10);
  source = 'newspaper';
  ground.platform.fault = () => 'lost';
  await ground.at(OPENING + 26 * MINUTE);
  expect((await openingOf(ground)).nextAt - ground.clock.moment).toBe(80 * SECOND);
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
  expect(ground.platform.messages.filter(({ thread }) => thread === undefined)).toHaveLength(1);
});
