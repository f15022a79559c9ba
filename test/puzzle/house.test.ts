import { expect, test } from 'vitest';
import { addDays } from '../../src/puzzle/calendar.ts';
import { type BoardMaker, houseDifficulty, housePuzzle } from '../../src/puzzle/house.ts';
import { makeBoard } from '../../src/solver/board.ts';

const board = makeBoard(['pam', 'ent', 'ril', 'ocs']);
const make: BoardMaker = ({ seed, difficulty }) => ({ board, solution: { words: [seed, difficulty] } });

test('the house board of a date is its own, labelled, with the solution it was built around', () => {
  expect(housePuzzle('2026-11-20', make)).toEqual({
    date: '2026-11-20',
    source: 'house',
    board,
    official: ['house:2026-11-20', 'medium'],
  });
});

test('no two dates of ten years share a seed', () => {
  const seeds = new Set<string>();
  for (let day = 0; day < 3653; day++) {
    const [seed] = housePuzzle(addDays('2026-01-01', day), make).official!;
    seeds.add(seed!);
  }
  expect(seeds.size).toBe(3653);
});

test('a week starts easy on Monday and ends hard on Sunday, every week', () => {
  for (const monday of ['2026-11-16', '2028-02-28'] as const) {
    const week = Array.from({ length: 7 }, (_, day) => houseDifficulty(addDays(monday, day)));
    expect(week).toEqual(['easy', 'easy', 'medium', 'medium', 'medium', 'hard', 'hard']);
  }
});
