import { expect, test } from 'vitest';
import { addDays } from '../../src/puzzle/calendar.ts';
import { houseDifficulty, houseDifficultyBySolutions, housePuzzle } from '../../src/puzzle/house.ts';
import { formatBoard, makeBoard } from '../../src/solver/board.ts';
import { generate } from '../../src/solver/generate.ts';
import { readClues } from '../../src/wordlists/clues.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { isSuitable, spellsOffensive } from '../../src/wordlists/offensive-words.ts';
import { sample } from '../fakes/sample.ts';

const board = makeBoard(['pam', 'ent', 'ril', 'ocs']);
const make: Parameters<typeof housePuzzle>[1] = ({ seed, ...how }) => ({
  board,
  solution: { words: [seed, JSON.stringify(how)] },
  par: 5,
});

test('the house board of a date is its own, labelled, with the solution it was built around', () => {
  expect(housePuzzle('2026-11-26', make)).toEqual({
    date: '2026-11-26',
    source: 'house',
    board,
    par: 5,
    official: ['house:2026-11-26', `{"share":[${2 / 7},${5 / 7}]}`],
  });
});

test('gives these very boards for these dates', () => {
  const lexicon = readLexicon();
  const days = Array.from({ length: 4 }, (_, day) => {
    const puzzle = housePuzzle(addDays('2026-11-22', day), (options) => generate(lexicon, options));
    return `${puzzle.date} ${formatBoard(puzzle.board)}: ${puzzle.official!.join(' ')}`;
  });
  expect(days).toEqual([
    '2026-11-22 wtq nyl hac uie: whence equality',
    '2026-11-23 hao frn igs lud: flashing grounds',
    '2026-11-24 rft aeg sun dmh: smug grandfather',
    '2026-11-25 kzl esd cnb aoh: blockhead dozens',
  ]);
});

// Without the schedule, one day in six repeats a word: 30 days show that with hardly a doubt.
test('no word comes again within 90 days; none offends, each has a clue, and few are plurals or participles', () => {
  const lexicon = readLexicon();
  const clues = readClues();
  const days = Array.from({ length: sample(3_650, 30) }, (_, day) =>
    housePuzzle(addDays('2026-11-24', day), (options) => generate(lexicon, options)),
  );
  const last = new Map<string, number>();
  for (const [day, { date, board, official = [] }] of days.entries()) {
    expect(spellsOffensive(board.letters), date).toBe(false);
    for (const word of official) {
      expect(day - (last.get(word) ?? Number.NEGATIVE_INFINITY), `${date} ${word}`).toBeGreaterThan(90);
      expect(isSuitable(word), word).toBe(true);
      expect(clues.has(word), word).toBe(true);
    }
    for (const word of official) last.set(word, day);
  }
  const words = days.flatMap(({ official = [] }) => official);
  const share = (ending: RegExp) => words.filter((word) => ending.test(word)).length / words.length;
  const slack = sample(0.003, 0.08);
  expect(share(/s$/)).toBeLessThan(0.07 + slack);
  expect(share(/(?:ed|ing)$/)).toBeLessThan(0.09 + slack);
});

test('a date after the schedule has a board of its own, too', () => {
  expect(housePuzzle('2040-02-29', make).official![0]).toBe('house:2040-02-29');
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
