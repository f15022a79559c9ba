/**
 * Makes src/puzzle/house-schedule.ts: the attempt that is the house's board of each day. Attempts are passed over until no
 * word of the solution repeats one of 90 days, each has a clue, no side spells a crude word, and forms of words are no
 * commoner than the newspaper's.
 * Prints how the boards differ from the newspaper's. test/puzzle/house.test.ts checks the rest.
 */
import { writeFileSync } from 'node:fs';
import type { PuzzleDate } from '../src/core/clock.ts';
import { addDays } from '../src/puzzle/calendar.ts';
import { housePuzzle } from '../src/puzzle/house.ts';
import { SCHEDULE_START } from '../src/puzzle/house-schedule.ts';
import type { Puzzle } from '../src/puzzle/types.ts';
import { generate } from '../src/solver/generate.ts';
import { readClues } from '../src/wordlists/clues.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { isSuitable, spellsCrude } from '../src/wordlists/offensive-words.ts';

/** Eleven years: fewer days than can go by before a board repeats. */
const DAYS = 4_018;
/** Days after which a word may be in a solution again. */
const MIN_DAYS_APART = 90;
/** An attempt's number is one digit in base 36. */
const MAX_ATTEMPTS = 36;
const LINE_LENGTH = 110;

interface Feature {
  readonly name: string;
  /** Its share of the newspaper's boards or words, in percent: 205 days of 2026, up to July. */
  readonly newspaper: number;
  readonly of: 'boards' | 'words';
  readonly has: (text: string) => boolean;
}

const FEATURES: readonly Feature[] = [
  ...Object.entries({ s: 39, j: 15, q: 16, k: 37, w: 28 }).map(
    ([letter, newspaper]): Feature => ({
      name: letter.toUpperCase(),
      newspaper,
      of: 'boards',
      has: (letters) => letters.includes(letter),
    }),
  ),
  {
    name: 'five vowels',
    newspaper: 13,
    of: 'boards',
    has: (letters) => letters.replace(/[^aeiou]/g, '').length === 5,
  },
  { name: 'words in -s', newspaper: 7, of: 'words', has: (word) => word.endsWith('s') },
  { name: 'words in -ed or -ing', newspaper: 9, of: 'words', has: (word) => /(?:ed|ing)$/.test(word) },
];

const lexicon = readLexicon();
const clues = readClues();
const puzzles: Puzzle[] = [];
const attempts: number[] = [];
const counts = new Map<string, number>();

for (let day = 0; day < DAYS; day++) {
  const date = addDays(SCHEDULE_START, day);
  const [puzzle, attempt] = firstSuitable(date);
  puzzles.push(puzzle);
  attempts.push(attempt);
  for (const { name, of, has } of FEATURES)
    counts.set(name, (counts.get(name) ?? 0) + textsOf(puzzle, of).filter(has).length);
}
write();
report();

function firstSuitable(date: PuzzleDate): [Puzzle, number] {
  const recent = new Set(puzzles.slice(-MIN_DAYS_APART).flatMap(({ official = [] }) => official));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const puzzle = housePuzzle(date, (options) => generate(lexicon, options), attempt);
    const isChosen =
      puzzle.official!.every((word) => !recent.has(word) && clues.has(word) && isSuitable(word)) &&
      !spellsCrude(puzzle.board.letters) &&
      !areFormsTooMany(puzzle);
    if (isChosen) return [puzzle, attempt];
  }
  throw new Error(`no suitable board of ${date}`);
}

function areFormsTooMany(puzzle: Puzzle): boolean {
  return FEATURES.some(({ name, newspaper, of, has }) => {
    const here = of === 'words' ? puzzle.official!.filter(has).length : 0;
    const words = 2 * (puzzles.length + 1);
    return here > 0 && ((counts.get(name) ?? 0) + here) / words > newspaper / 100;
  });
}

function textsOf({ board, official = [] }: Puzzle, of: 'boards' | 'words'): readonly string[] {
  return of === 'boards' ? [board.letters] : official;
}

function write(): void {
  const digits = attempts.map((attempt) => attempt.toString(36)).join('');
  const lines = digits.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g'))!.map((line) => `  '${line}'`);
  writeFileSync(
    new URL('../src/puzzle/house-schedule.ts', import.meta.url),
    `/** Made by \`node scripts/house-schedule.ts\`: for each day from the first on, the number of its board's attempt, in base 36. */
export const SCHEDULE_START = '${SCHEDULE_START}';
export const ATTEMPTS =
${lines.join(' +\n')};
`,
  );
}

function report(): void {
  console.log(`| ${DAYS} house boards from ${SCHEDULE_START} | newspaper | house |\n|---|---|---|`);
  for (const { name, newspaper, of } of FEATURES) {
    const all = of === 'boards' ? DAYS : 2 * DAYS;
    console.log(`| ${name} | ${newspaper} % | ${((100 * counts.get(name)!) / all).toFixed(1)} % |`);
  }
}
