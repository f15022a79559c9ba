/** What the message of a morning says besides its board. */
import { expect, test } from 'vitest';
import type { PuzzleDate } from '../../src/core/clock.ts';
import type { DayTools } from '../../src/daily/delivery/day.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { REMARK_REPEAT_DAYS, type Remark, remarkOn, remarksOn } from '../../src/puzzle/remark.ts';
import type { DayBoard, Puzzle } from '../../src/puzzle/types.ts';
import { plainText, present } from '../../src/reply/model/text.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { type FakePlatform, fakePuzzleService } from './fakes.ts';
import { makeGround, NEW_YORK, subscribe } from './ground.ts';

const BOARDS = ['qrs aei tnl hdo', 'zth aei ols ndr', 'hol idb aey pst', 'jrs aez tnl hdu'].map((sides) =>
  makeBoard(sides.split(' ')),
);
const puzzleOf = async (date: PuzzleDate): Promise<Puzzle> => ({
  date,
  source: 'newspaper',
  board: BOARDS[Number(date.slice(-2)) % BOARDS.length]!,
});

/** What the last opening remarks about its board. */
function heardIn({ messages }: FakePlatform, puzzle: DayBoard): Remark['kind'] | undefined {
  const text = plainText(messages.findLast(({ threadName }) => threadName !== undefined)!.reply);
  const said = [...remarksOn(puzzle)].filter((remark) => text.includes(remark.text));
  expect(said.length).toBeLessThanOrEqual(1);
  return said[0]?.kind;
}

test('an opening says the most unusual of what its channel has not heard for twenty days', async () => {
  const ground = await makeGround(NEW_YORK(1, 7), { puzzles: { ...fakePuzzleService(), puzzleOf } });
  await subscribe(ground.store, { steps: [] });
  const heard: (Remark['kind'] | undefined)[] = [];
  for (let day = 1; day <= 24; day++) {
    await ground.at(NEW_YORK(day, 9));
    const puzzle = await puzzleOf(addDays('2026-10-31', day));
    const best = remarkOn(puzzle, present(heard.slice(-REMARK_REPEAT_DAYS)).toReversed());
    heard.push(heardIn(ground.platform, puzzle));
    expect(heard.at(-1)).toBe(best?.kind);
  }
  expect(heard.filter((kind) => kind === undefined).length).toBeLessThan(4);
  for (const [day, kind] of heard.entries())
    expect(heard.slice(Math.max(0, day - REMARK_REPEAT_DAYS), day)).not.toContain(kind);
});

test('an opening that is tried again with another board remarks on that one', async () => {
  let board = BOARDS[0]!;
  const puzzles = {
    ...fakePuzzleService(),
    puzzleOf: async (date: PuzzleDate) => ({ ...(await puzzleOf(date)), board }),
  };
  const { store, platform, at } = await makeGround(NEW_YORK(20, 7), { puzzles });
  await subscribe(store, { steps: [] });
  platform.fault = () => 'later';
  await at(NEW_YORK(20, 8));
  board = BOARDS[2]!;
  platform.fault = () => undefined;
  await at(NEW_YORK(20, 9));
  const puzzle = { date: '2026-11-20', board } as const;
  expect(heardIn(platform, puzzle)).toBe(remarkOn(puzzle)!.kind);
});

test('a closing is told what the ten closings before it have said of people, the latest first', async () => {
  const given: (readonly (string | undefined)[])[] = [];
  const reviews: DayTools['reviews'] = {
    opening: async () => ({}),
    async closing({ heard }) {
      given.push(heard);
      return { blocks: [], remarkKind: given.length === 2 ? undefined : `kind ${given.length}` };
    },
  };
  const ground = await makeGround(NEW_YORK(1, 7), { reviews });
  await subscribe(ground.store, { steps: [] });
  for (let day = 1; day <= 14; day++) await ground.at(NEW_YORK(day, 9));
  const all = Array.from(given, (_, at) => (at === 1 ? undefined : `kind ${at + 1}`));
  expect(given.length).toBeGreaterThan(11);
  for (const [at, heard] of given.entries())
    expect(heard).toEqual(all.slice(Math.max(0, at - 10), at).toReversed());
});

test('`lines:off` leaves the board alone', async () => {
  const { store, platform, at } = await makeGround(NEW_YORK(20, 7), {
    puzzles: { ...fakePuzzleService(), puzzleOf },
  });
  await subscribe(store, { steps: [], lines: [] });
  await at(NEW_YORK(20, 9));
  expect(heardIn(platform, await puzzleOf('2026-11-20'))).toBeUndefined();
});
