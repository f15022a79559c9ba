/**
 * Counts the two-word solutions of 365 house boards and of 100 boards of each difficulty, and prints them beside the
 * newspaper's quartiles, as in docs/measurements.md: `node scripts/board-histogram.ts`. The same boards every time.
 */
import { addDays } from '../src/puzzle/calendar.ts';
import { housePuzzle } from '../src/puzzle/house.ts';
import { countTwoWords, DIFFICULTIES, generate } from '../src/solver/generate.ts';
import type { Board } from '../src/solver/types.ts';
import { readLexicon } from '../src/wordlists/load.ts';

const HOUSE_DAYS = 365;
const BOARDS = 100;
const QUARTILES = [0.25, 0.5, 0.75, 0.9] as const;
/** Numbers of solutions that share a bar end here. */
const BOUNDS = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, Number.POSITIVE_INFINITY] as const;
const BAR_SHARE = 0.02;

interface Sample {
  readonly board: Board;
  readonly words: readonly string[];
  readonly par: number | undefined;
}

const lexicon = readLexicon();
const samples = new Map<string, Sample[]>([
  ['house', Array.from({ length: HOUSE_DAYS }, (_, day) => houseBoard(day))],
]);
for (const difficulty of DIFFICULTIES) {
  const boards = Array.from({ length: BOARDS }, (_, index) => {
    const { board, solution, par } = generate(lexicon, { seed: `histogram ${index}`, difficulty });
    return { board, words: solution.words, par };
  });
  samples.set(difficulty, boards);
}
const counts = new Map(
  Array.from(samples, ([name, boards]) => [name, boards.map(({ board }) => countTwoWords(board, lexicon))]),
);

row('two-word solutions', 'boards', 'fewest', '25 %', 'median', '75 %', '90 %', 'most');
row('---', '---', '---', '---', '---', '---', '---', '---');
row('newspaper, 2024', 332, '', 2, 13, 51, 174, '');
for (const [name, found] of counts) {
  const solutions = sorted(found.map((count) => count.solutions));
  row(
    name,
    solutions.length,
    solutions[0]!,
    ...QUARTILES.map((share) => at(solutions, share)),
    solutions.at(-1)!,
  );
}

console.log('\n```');
for (const [name, found] of counts) {
  console.log(`${name}, ${found.length} boards`);
  for (const [index, most] of BOUNDS.slice(1).entries()) {
    const above = BOUNDS[index]!;
    const share =
      found.filter(({ solutions }) => solutions > above && solutions <= most).length / found.length;
    const range = most === Number.POSITIVE_INFINITY ? `${above + 1} up` : above + 1 === most ? `${most}` : `${above + 1}–${most}`; // biome-ignore format: one line reads better
    const bar = '█'.repeat(Math.round(share / BAR_SHARE));
    console.log(`${range.padStart(8)} ${`${Math.round(100 * share)} %`.padStart(5)} ${bar}`);
  }
}
console.log('```\n');

row('pairs', 'letters together: quartiles', 'shorter word', 'longer word', 'joined by s, e, d, t or g', 'vowels: fewest', 'most'); // biome-ignore format: one line reads better
row('---', '---', '---', '---', '---', '---', '---');
row('newspaper, 2024', '14, 15, 16', '5 to 7', '8 to 10', 'mostly', 3, 5);
for (const [name, boards] of samples) {
  const lengths = boards.map(({ words }) => sorted(words.map((word) => word.length)));
  const quartiles = (values: number[]) =>
    [0.25, 0.5, 0.75].map((share) => at(sorted(values), share)).join(', ');
  const joined = boards.filter(({ words }) => 'sedtg'.includes(words[1]![0]!)).length / boards.length;
  const vowels = sorted(boards.map(({ board }) => [...board.letters].filter((letter) => 'aeiou'.includes(letter)).length)); // biome-ignore format: one line reads better
  row(
    name,
    quartiles(lengths.map(([shorter = 0, longer = 0]) => shorter + longer)),
    quartiles(lengths.map(([shorter = 0]) => shorter)),
    quartiles(lengths.map((both) => both.at(-1)!)),
    `${Math.round(100 * joined)} %`,
    vowels[0]!,
    vowels.at(-1)!,
  );
}

console.log('');
row('par of house boards', 'boards', 'share', 'playable words: median', "newspaper's share", 'median'); // biome-ignore format: one line reads better
row('---', '---', '---', '---', '---', '---');
const newspaper = new Map([
  [6, [91, 847]],
  [5, [148, 1119]],
  [4, [93, 1555]],
] as const);
for (const [par, [days, median]] of newspaper) {
  const playable = counts.get('house')!.filter((_, day) => samples.get('house')![day]!.par === par);
  const words = sorted(playable.map((count) => count.playable));
  row(
    par,
    words.length,
    `${Math.round((100 * words.length) / HOUSE_DAYS)} %`,
    at(words, 0.5),
    `${Math.round((100 * days) / 332)} %`,
    median,
  );
}

function houseBoard(day: number): Sample {
  const date = addDays('2026-11-24', day);
  const { board, official = [], par } = housePuzzle(date, (options) => generate(lexicon, options));
  return { board, words: official, par };
}

function sorted(values: number[]): number[] {
  return values.sort((a, b) => a - b);
}

function at(values: readonly number[], share: number): number {
  return values[Math.floor(share * (values.length - 1))]!;
}

function row(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
