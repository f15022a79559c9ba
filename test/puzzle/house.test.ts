import { expect, test } from 'vitest';
import { addDays } from '../../src/puzzle/calendar.ts';
import { houseDifficulty, houseDifficultyBySolutions, housePuzzle } from '../../src/puzzle/house.ts';
import { formatBoard, makeBoard } from '../../src/solver/board.ts';
import { generate } from '../../src/solver/generate.ts';
import { readLexicon } from '../../src/wordlists/load.ts';

const board = makeBoard(['pam', 'ent', 'ril', 'ocs']);
const make: Parameters<typeof housePuzzle>[1] = ({ seed, ...how }) => ({
  board,
  solution: { words: [seed, JSON.stringify(how)] },
  par: 5,
});

test('the house board of a date is its own, labelled, with the solution it was built around', () => {
  expect(housePuzzle('2026-11-25', make)).toEqual({
    date: '2026-11-25',
    source: 'house',
    board,
    par: 5,
    official: ['house:2026-11-25', `{"share":[${2 / 7},${5 / 7}]}`],
  });
});

test('gives these very boards for these dates', () => {
  const lexicon = readLexicon();
  const days = Array.from({ length: 4 }, (_, day) => {
    const puzzle = housePuzzle(addDays('2026-11-22', day), (options) => generate(lexicon, options));
    return `${puzzle.date} ${formatBoard(puzzle.board)}: ${puzzle.official!.join(' ')}`;
  });
  expect(days).toEqual([
    '2026-11-22 ktj alv ydu oec: jacked devoutly',
    '2026-11-23 cel nua dgk hir: chucked darling',
    '2026-11-24 jnt ega sil cud: adjusts selecting',
    '2026-11-25 tpv meu ari lfx: furtive example',
  ]);
});

test.each([
  [0, 'hard'],
  [3, 'hard'],
  [4, 'medium'],
  [41, 'medium'],
  [42, 'easy'],
  [500, 'easy'],
])('calls a board with %i two-word solutions %s, as days of the week are', (solutions, difficulty) => {
  expect(houseDifficultyBySolutions(solutions)).toBe(difficulty);
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

test('a week draws once from all parts of the days of the newspaper', () => {
  const parts = Array.from({ length: 7 }, (_, day) => {
    const [, how] = housePuzzle(addDays('2026-11-30', day), make).official!;
    const [from, to]: [number, number] = JSON.parse(how!).share;
    return [from * 7, to * 7].map(Math.round).join('-');
  });
  expect(parts).toEqual(['5-7', '5-7', '2-5', '2-5', '2-5', '0-2', '0-2']);
});
