/**
 * Makes src/puzzle/house-schedule.ts: the attempt that is the house's board of each day. Attempts are passed over until no
 * word of the solution repeats one of 90 days, each has a clue, no side spells a crude word, and forms of words are no
 * commoner than the newspaper's. Prints what docs/measurements.md compares with the newspaper. test/puzzle/house.test.ts
 * checks the rest.
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

/** Forms of words, and their largest share: the newspaper's in 205 days of 2026, up to July. */
const FORMS: readonly (readonly [form: RegExp, share: number])[] = [
  [/s$/, 0.07],
  [/(?:ed|ing)$/, 0.09],
];

const lexicon = readLexicon();
const clues = readClues();
const puzzles: Puzzle[] = [];
/** The words of all solutions so far. */
const words: string[] = [];
let attempts = '';

for (let day = 0; day < DAYS; day++) {
  const [puzzle, attempt] = firstSuitable(addDays(SCHEDULE_START, day));
  puzzles.push(puzzle);
  words.push(...puzzle.official!);
  attempts += attempt.toString(36);
}
const lines = attempts.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g'))!.map((line) => `  '${line}'`);
writeFileSync(
  new URL('../src/puzzle/house-schedule.ts', import.meta.url),
  `/** Made by \`node scripts/house-schedule.ts\`: for each day from the first on, the number of its board's attempt, in base 36. */
export const SCHEDULE_START = '${SCHEDULE_START}';
export const ATTEMPTS =
${lines.join(' +\n')};
`,
);
const boards = puzzles.map(({ board }) => board.letters);
for (const letter of 'sjqkw') printShare(boards, new RegExp(letter));
printShare(boards, /^(?:[^aeiou]*[aeiou]){5}[^aeiou]*$/);
for (const [form] of FORMS) printShare(words, form);

function firstSuitable(date: PuzzleDate): [puzzle: Puzzle, attempt: number] {
  const recent = new Set(words.slice(-2 * MIN_DAYS_APART));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const puzzle = housePuzzle(date, (options) => generate(lexicon, options), attempt);
    const isChosen =
      puzzle.official!.every((word) => !recent.has(word) && clues.has(word) && isSuitable(word)) &&
      !spellsCrude(puzzle.board.letters) &&
      !areFormsTooMany(puzzle.official!);
    if (isChosen) return [puzzle, attempt];
  }
  throw new Error(`no suitable board of ${date}`);
}

function areFormsTooMany(solution: readonly string[]): boolean {
  return FORMS.some(([form, share]) => {
    const isForm = (word: string) => form.test(word);
    const all = [...words, ...solution];
    return solution.some(isForm) && all.filter(isForm).length > share * all.length;
  });
}

function printShare(texts: readonly string[], pattern: RegExp): void {
  const share = texts.filter((text) => pattern.test(text)).length / texts.length;
  console.log(`${pattern.source}: ${(100 * share).toFixed(1)} %`);
}
