import { readFileSync } from 'node:fs';
import { parseBoard } from '../src/solver/board.ts';
import { generate } from '../src/solver/generate.ts';
import { type Lexicon, loadLexicon } from '../src/solver/lexicon.ts';
import type { Board } from '../src/solver/types.ts';
import { LEXICON_FILE, readLexicon } from '../src/wordlists/load.ts';
import { aStar, filterAndJoin } from './baselines.ts';
import { measureHostileBoards, measureLargeBoards } from './solver-boards.ts';
import { compareWithOther, oneAndTwoWords, wholeAnswer } from './solver-comparison.ts';
import { heading, milliseconds, quantile, row, timeEach } from './table.ts';

const NAMED = [
  'ozu nri lfa mbt',
  'eci axy otu hrn',
  'riu pgh lcs yao',
  'tub pxi snq oja',
  'jli cud btk asr',
  'utp aef mli bor',
];
const BOARDS = 500;
const BASELINE_BOARDS = 10;
function baseline(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  row(name, times.length, milliseconds(quantile(sorted, 0.5)), milliseconds(sorted.at(-1)!));
}

function timesFaster(theirs: readonly number[], ours: readonly number[]): number {
  const ratios = theirs.map((time, board) => time / ours[board]!).sort((a, b) => a - b);
  return Math.round(quantile(ratios, 0.5));
}

export function run(): void {
  const lexicon = readLexicon();
  const boards = Array.from(
    { length: BOARDS },
    (_, index) => generate(lexicon, { seed: `bench ${index}` }).board,
  );
  const named = NAMED.map(parseBoard);

  heading('4×3 boards, one core, warm', 'boards', 'median ms', 'p99 ms');
  const whole = timeEach(boards, (board) => wholeAnswer(board, lexicon));
  row('whole answer', boards.length, milliseconds(whole.median), milliseconds(whole.p99));
  const list = timeEach(Array.from({ length: 20 }, () => named).flat(), (board) =>
    oneAndTwoWords(board, lexicon),
  );
  row(
    'all one- and two-word solutions, six named boards',
    120,
    milliseconds(list.median),
    milliseconds(list.p99),
  );
  console.log('');
  heading('named board', 'playable', 'fewest', '1 word', '2 words', '3 words', 'ms');
  for (const board of named) {
    const answer = wholeAnswer(board, lexicon);
    const { median } = timeEach([board], () => wholeAnswer(board, lexicon), 20);
    row(
      board.sides.join(' '),
      answer.search.words.length,
      answer.fewest ?? '–',
      ...answer.counts.map(String),
      milliseconds(median),
    );
  }

  console.log('');
  compareWithOther(boards, lexicon);
  measureLargeBoards(lexicon);
  console.log('');
  measureHostileBoards(lexicon);

  const bytes = readFileSync(LEXICON_FILE);
  const load = timeEach(Array.from({ length: 20 }), () => loadLexicon(readFileSync(LEXICON_FILE)), 1);
  console.log(
    `\nLexicon: ${lexicon.size} words, ${(bytes.byteLength / 2 ** 20).toFixed(1)} MB, read and loaded in ${milliseconds(load.median)} ms (median).`,
  );
  compare(boards.slice(0, BASELINE_BOARDS), lexicon);
}

/** At the very end: the baselines' hundreds of thousands of strings would weigh on our garbage collection. */
function compare(few: readonly Board[], lexicon: Lexicon): void {
  console.log('');
  heading('baselines on the same words', 'boards', 'median ms', 'most ms');
  const all = [...lexicon.entries()].map(({ word }) => word);
  const join = few.map((board) => timeEach([board], () => filterAndJoin(board, all), 1).median);
  baseline('filter and join (two words only)', join);
  const star = few.map((board) => timeEach([board], () => aStar(board, all), 1).median);
  baseline('A* (one solution only)', star);
  const ours = few.map((board) => timeEach([board, board, board], () => wholeAnswer(board, lexicon)).median);
  console.log(
    `\nOn the same ${few.length} boards the whole answer is ${timesFaster(join, ours)} times faster than filter and ` +
      `join, ${timesFaster(star, ours)} times faster than A* (median of the boards' ratios).`,
  );
}
