import { afterAll, expect, test } from 'vitest';
import type { Options } from '../../src/dispatch/contract.ts';
import { topicOf } from '../../src/dispatch/topic.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { makeTestApp, NOON, someone, TODAY } from '../fakes/app.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';

const { app, close } = await makeTestApp({ words: WORDS, house });
afterAll(close);
const topic = (options: Options, asker = someone()) => topicOf({ ...asker, command: 'hint', options }, app);

test('sides that were typed have no day', async () => {
  const { key, puzzle, subject } = await topic({ sides: SIDES.toUpperCase() });
  expect({ key, puzzle, name: subject.name }).toEqual({
    key: 'bcd-fgh-jkl-mnp',
    puzzle: undefined,
    name: 'BCD FGH JKL MNP',
  });
});

test("without sides, it is the day's puzzle of the asker's channel", async () => {
  const typed = {
    date: TODAY,
    source: 'hand' as const,
    board: makeBoard(['qr', 'st', 'vw']),
    typedBy: '1',
    typedAt: NOON,
  };
  await app.puzzles.setByHand(typed, { tenant: 'web:local', channel: 'games' });
  expect((await topic({}, someone({}, { channel: 'games' }))).board.sides).toEqual(['qr', 'st', 'vw']);
  expect((await topic({}, someone({}, { channel: 'general' }))).board.sides).toEqual(SIDES.split(' '));
  expect((await topic({}, someone({}, { tenant: 'web:other', channel: 'games' }))).board.sides).toEqual(
    SIDES.split(' '),
  );
});

test('one board at a time', async () => {
  await expect(topic({ sides: SIDES, date: 'today' })).rejects.toMatchObject({ code: 'topic.both' });
  await expect(topic({ date: 'tomorrow' })).rejects.toMatchObject({ code: 'date.to-come' });
  await expect(topic({ sides: 'abc' })).rejects.toMatchObject({ name: 'UserError' });
});
