import { DIFFICULTIES, generate, SHAPES } from '../src/solver/generate.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { heading, milliseconds, row, timeEach } from './table.ts';

const BOARDS = 100;
/** Wanted of any shape and difficulty, in milliseconds. */
const WANTED = 300;

/** Prints how long a board takes, and how often another difficulty is given. Run it alone: npx node bench/generate.ts */
export function run(): void {
  const lexicon = readLexicon();
  const started = performance.now();
  generate(lexicon, { seed: 'first' });
  console.log(`First board ${(performance.now() - started).toFixed(1)} ms (indexes the word list).\n`);
  heading('4×3', 'boards', 'median ms', 'p99 ms');
  const seeds = (before: string) => Array.from({ length: BOARDS }, (_, index) => `${before}${index}`);
  for (const difficulty of DIFFICULTIES) {
    const { median, p99 } = timeEach(seeds('bench '), (seed) => generate(lexicon, { seed, difficulty }), 0);
    row(difficulty, BOARDS, milliseconds(median), milliseconds(p99));
  }
  const dates = seeds('').map((day) =>
    new Date(Date.UTC(2026, 10, 24 + Number(day))).toISOString().slice(0, 10),
  );
  const house = timeEach(dates, (date) => generate(lexicon, { seed: `house:${date}` }), 0);
  row('of a date', BOARDS, milliseconds(house.median), milliseconds(house.p99));

  console.log(`\nAny shape and difficulty, ${WANTED} ms wanted:\n`);
  heading('shape', 'boards', 'median ms', 'p99 ms', 'another difficulty given');
  for (const [sides, letters] of SHAPES) {
    const wishes = DIFFICULTIES.flatMap((difficulty) =>
      seeds('bench ').map((seed) => ({ seed, difficulty, sides, letters })),
    );
    let others = 0;
    const { median, p99 } = timeEach(
      wishes,
      (wish) => {
        if (generate(lexicon, wish).wanted !== undefined) others++;
      },
      0,
    );
    row(`${sides}×${letters}`, wishes.length, milliseconds(median), milliseconds(p99), others);
  }
}

if (import.meta.main) run();
