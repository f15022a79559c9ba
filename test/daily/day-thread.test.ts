import { expect, test } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { dayThread, recordedPuzzle } from '../../src/daily/day-thread.ts';
import { PUZZLE } from '../reply/setting.ts';
import { beforeOpening, CHANNEL, DATE, HOUR, OPENING, openingOf, quiet } from './ground.ts';

test('the record of a board typed by hand does not say who typed it', () => {
  const { typedBy: _, ...puzzle } = { ...PUZZLE, source: 'hand' as const, typedBy: '5' };
  expect(recordedPuzzle({ ...puzzle, typedBy: '5' }).whole).toStrictEqual(puzzle);
});

test('the record of any other board has its sides alone, since its source keeps the rest', () => {
  const { date, board } = PUZZLE;
  expect(recordedPuzzle({ ...PUZZLE, source: 'house' })).toStrictEqual({
    date,
    source: 'house',
    sides: board.sides,
  });
});

test('a thread that a clock a day ahead closed is open once that clock is right, and gets no second last message', async () => {
  const ground = await beforeOpening();
  const { store, clock, platform } = ground;
  const thread = () => dayThread({ store, log: quiet, clock }, CHANNEL, DATE);
  for (const ahead of [0, DAY, DAY + 1]) await ground.at(OPENING + HOUR + ahead);
  expect(await thread()).toBeUndefined();
  await ground.at(OPENING + HOUR);
  expect(await thread()).toBeDefined();
  expect(await openingOf(ground)).toMatchObject({ state: 'due' });
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  await subscriptions.setState(CHANNEL.channel, { state: 'off' });
  const before = platform.messages.length;
  for (const later of [HOUR, DAY, DAY + 2 * HOUR]) await ground.at(OPENING + HOUR + later);
  expect(platform.messages).toHaveLength(before);
  expect(await thread()).toBeUndefined();
  expect(await openingOf(ground)).toMatchObject({ state: 'sent' });
});
