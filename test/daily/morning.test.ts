/** What the message of a morning says besides its board. */
import { expect, test } from 'vitest';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { recordOf } from '../../src/daily/day-thread.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { REMARK_REPEAT_DAYS, remarkOn, remarksOn } from '../../src/puzzle/remark.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { plainText, present } from '../../src/reply/model/text.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { fakePuzzleService } from './fakes.ts';
import { CHANNEL, DATE, type Ground, HOUR, makeGround, NEW_YORK, quiet, subscribe } from './ground.ts';

const BOARDS = ['qrs aei tnl hdo', 'zth aei ols ndr', 'hol idb aey pst', 'jrs aez tnl hdu'].map((sides) =>
  makeBoard(sides.split(' ')),
);
const puzzleOf = async (date: PuzzleDate): Promise<Puzzle> => ({
  date,
  source: 'newspaper',
  board: BOARDS[Number(date.slice(-2)) % BOARDS.length]!,
});

async function characterOn(
  { store, platform }: Pick<Ground, 'store' | 'platform'>,
  date: PuzzleDate,
): Promise<string | undefined> {
  const row = await store.tenant(CHANNEL.tenant).deliveries.get(CHANNEL.channel, date, 'opening');
  const { remark, message } = recordOf(row!, quiet);
  const shown = plainText(platform.messages.find(({ id }) => id === message)!.reply);
  const { board } = await puzzleOf(date);
  const said = [...remarksOn(board)].filter(({ text }) => shown.includes(text));
  expect(said.map(({ kind }) => kind)).toEqual(remark === undefined ? [] : [remark]);
  return remark;
}

test('an opening says the most unusual of what its channel has not heard for ten days', async () => {
  const ground = await makeGround(NEW_YORK(1, 7), { puzzles: { ...fakePuzzleService(), puzzleOf } });
  await subscribe(ground.store, { steps: [] });
  const heard: (string | undefined)[] = [];
  for (let day = 1; day <= 24; day++) {
    await ground.at(NEW_YORK(day, 9));
    const date = addDays('2026-10-31', day);
    const lately = heard.slice(-REMARK_REPEAT_DAYS);
    const best = remarkOn((await puzzleOf(date)).board, present(lately));
    heard.push(await characterOn(ground, date));
    expect(heard.at(-1)).toBe(best?.kind);
  }
  expect(heard.filter((kind) => kind === undefined).length).toBeLessThan(4);
  expect(heard.lastIndexOf(heard[0])).toBeGreaterThan(REMARK_REPEAT_DAYS);
});

test('an opening that is tried again says the same, unless its board is another one', async () => {
  let sides = BOARDS[0]!;
  const puzzles = {
    ...fakePuzzleService(),
    puzzleOf: async (date: PuzzleDate) => ({ ...(await puzzleOf(date)), board: sides }),
  };
  const ground = await makeGround(NEW_YORK(20, 7), { puzzles });
  await subscribe(ground.store, { steps: [] });
  ground.platform.fault = ({ what }) => (what === 'message' ? 'later' : undefined);
  await ground.at(NEW_YORK(20, 8));
  const { deliveries } = ground.store.tenant(CHANNEL.tenant);
  const saved = async () => recordOf((await deliveries.get(CHANNEL.channel, DATE, 'opening'))!, quiet).remark;
  expect(await saved()).toBe(remarkOn(sides)!.kind);
  sides = BOARDS[2]!;
  ground.platform.fault = () => undefined;
  await ground.at(NEW_YORK(20, 9));
  expect(await saved()).toBe(remarkOn(sides)!.kind);
  const [shown] = ground.platform.messages;
  expect(plainText(shown!.reply)).toContain(remarkOn(sides)!.text);
});

test('`lines:off` leaves the board alone', async () => {
  const ground = await makeGround(NEW_YORK(20, 7), { puzzles: { ...fakePuzzleService(), puzzleOf } });
  await subscribe(ground.store, { steps: [], lines: [] });
  await ground.at(NEW_YORK(20, 8) + HOUR);
  expect(await characterOn(ground, DATE)).toBeUndefined();
});
