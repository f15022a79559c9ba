/**
 * Processor time of a review, for one solution of two, three and four words of each board.
 * `npx node bench/review.ts [boards]`
 */

import { generate } from '../src/solver/generate.ts';
import { findPlayable } from '../src/solver/playable.ts';
import { reviewOf } from '../src/solver/review.ts';
import { makeSearch } from '../src/solver/search.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { heading, milliseconds, quantile, row } from './table.ts';

const BOARDS = 500;
/** Solutions of a number of words; one of them is reviewed. */
const LISTED = 300;

function run(boards: number): void {
  const lexicon = readLexicon();
  const all: number[] = [];
  heading('words', 'reviews', 'median, ms of processor time', 'p99');
  const report = (name: string | number, times: readonly number[]) => {
    const sorted = times.toSorted((a, b) => a - b);
    row(name, sorted.length, ...[0.5, 0.99].map((share) => milliseconds(quantile(sorted, share))));
  };
  for (const exactly of [2, 3, 4]) {
    const times: number[] = [];
    for (let seed = 1; seed <= boards; seed++) {
      const { board } = generate(lexicon, { seed: `review ${seed}` });
      const words = findPlayable(board, lexicon);
      const listed = makeSearch(board, words).solutions('shortest', { exactly }).take(LISTED).toArray();
      if (listed.length === 0) continue;
      const { words: solution } = listed[seed % listed.length]!;
      // As in a worker that has not seen the board before.
      const search = makeSearch(board, words);
      const before = process.threadCpuUsage();
      reviewOf(search, solution);
      const { user, system } = process.threadCpuUsage(before);
      times.push((user + system) / 1000);
    }
    report(exactly, times);
    all.push(...times);
  }
  report('all', all);
}

if (import.meta.main) run(Number(process.argv[2] ?? BOARDS));
