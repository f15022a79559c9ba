/**
 * How many familiar fewest-word solutions generated boards have, by shape: what the table in
 * src/solver/difficulty.ts was taken from. Run: npx node bench/difficulty.ts
 */
import { candidates } from '../src/solver/candidates.ts';
import { COUNTED_LETTERS, SHAPES } from '../src/solver/difficulty.ts';
import { familiarWords } from '../src/solver/familiar.ts';
import { measure } from '../src/solver/measure.ts';
import { readLexicon } from '../src/wordlists/load.ts';

const lexicon = readLexicon();
const words = familiarWords(lexicon);
for (const [sides, letters] of SHAPES) {
  if (sides * letters > COUNTED_LETTERS) continue;
  const boards = sides * letters > 16 ? 150 : 900;
  const solutions = candidates(lexicon, 'difficulty', sides, letters)
    .take(boards)
    .map((candidate) => measure(words, candidate.sides, candidate.words.length, 10_000).solutions)
    .toArray()
    .sort((a, b) => a - b);
  const share = (part: number) => solutions[Math.floor(part * solutions.length)];
  console.log(`${sides}x${letters}: third ${share(1 / 3)}, half ${share(1 / 2)}, two thirds ${share(2 / 3)}`);
}
