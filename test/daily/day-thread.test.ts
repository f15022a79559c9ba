import { expect, test } from 'vitest';
import { recordedPuzzle } from '../../src/daily/day-thread.ts';
import { PUZZLE } from '../reply/setting.ts';

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
