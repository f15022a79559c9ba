import { readFileSync, statSync } from 'node:fs';
import { makeBoard, parseBoard } from '../src/solver/board.ts';
import { generate } from '../src/solver/generate.ts';
import { type Lexicon, loadLexicon } from '../src/solver/lexicon.ts';
import { walkBoard } from '../src/solver/playable.ts';
import { makeSearch } from '../src/solver/search.ts';
import { type Board, ORDERS } from '../src/solver/types.ts';
import { LEXICON_FILE, readLexicon } from '../src/wordlists/load.ts';
import { random } from '../test/solver/random-boards.ts';
import { compareWithOther, wholeAnswer } from './solver-comparison.ts';
import { heading, medianTime, milliseconds, quantile, row } from './table.ts';

const NAMED = [
  'ozu nri lfa mbt',
  'eci axy otu hrn',
  'riu pgh lcs yao',
  'tub pxi snq oja',
  'jli cud btk asr',
  'utp aef mli bor',
];
const BOARDS = 500;

export function run(): void {
  const lexicon = readLexicon();
  const boards = Array.from(
    { length: BOARDS },
    (_, index) => generate(lexicon, { seed: `bench ${index}` }).board,
  );
  // First, since it warms up what the others measure.
  compareWithOther(boards, lexicon);
  heading('named board', 'playable', 'fewest', '1 word', '2 words', '3 words', 'ms');
  for (const board of NAMED.map(parseBoard)) {
    const answer = wholeAnswer(board, lexicon);
    row(
      board.sides.join(' '),
      answer.search.words.length,
      answer.fewest ?? '–',
      ...answer.counts.map(String),
      milliseconds(medianTime(20, () => wholeAnswer(board, lexicon))),
    );
  }
  console.log('');
  measureLargeBoards(lexicon);

  const load = medianTime(20, () => loadLexicon(readFileSync(LEXICON_FILE)));
  const megabytes = statSync(LEXICON_FILE).size / 2 ** 20;
  console.log(
    `\nLexicon: ${lexicon.size} words, ${megabytes.toFixed(1)} MB, read and loaded in ${milliseconds(load)} ms (median).`,
  );
}

const SHAPES = [
  [5, 4],
  [6, 4],
  [8, 3],
  [5, 5],
] as const;
const LARGE_BOARDS = 100;
const FEWEST_LIMIT = 1000;
const COUNT_LIMIT = 2000;
const TENS_LIMIT = 1000;
/** Letters drawn at random: any of the alphabet, or all five vowels and the rest consonants. */
function randomBoard(sides: number, size: number, seed: number, withVowels: boolean): Board {
  const next = random(seed);
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const letters = withVowels ? 'aeiou'.split('') : [];
  const rest = alphabet.filter((letter) => !letters.includes(letter));
  while (letters.length < sides * size) letters.push(rest.splice(Math.floor(next() * rest.length), 1)[0]!);
  for (let at = letters.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [letters[at], letters[other]] = [letters[other]!, letters[at]!];
  }
  return makeBoard(
    Array.from({ length: sides }, (_, side) => letters.slice(side * size, (side + 1) * size).join('')),
  );
}

/** The processor's time, which other work on the machine changes less than the clock's. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** One board: milliseconds until each answer is certain, Infinity for what was cut; for the best of each order, until they are listed or cut. */
function measureBoard(board: Board, lexicon: Lexicon): { fewest: number; three: number; tens: number } {
  const began = processorTime();
  let limit = FEWEST_LIMIT;
  const search = makeSearch(board, walkBoard(board, lexicon), {
    stop: () => processorTime() - began > limit,
  });
  const isProven = search.fewest !== undefined || search.cut === undefined;
  const fewest = isProven ? processorTime() - began : Infinity;
  limit = COUNT_LIMIT;
  const { exact } = search.counted(3);
  const three = exact ? processorTime() - began : Infinity;
  const before = processorTime();
  limit = before - began + TENS_LIMIT;
  for (const order of ORDERS) search.solutions(order).take(10).toArray();
  return { fewest, three, tens: processorTime() - before };
}

function tableOf(name: string, boards: readonly Board[], lexicon: Lexicon): void {
  const measured = boards.map((board) => measureBoard(board, lexicon));
  const column = (key: 'fewest' | 'three' | 'tens') => measured.map((times) => times[key]);
  const shown = (time: number) => (time === Infinity ? 'cut' : milliseconds(time));
  const [fewest, three, tens] = [column('fewest'), column('three'), column('tens')];
  row(
    name,
    `${fewest.filter((time) => time <= FEWEST_LIMIT).length} of ${boards.length}`,
    shown(quantile(fewest, 0.5)),
    shown(quantile(fewest, 0.95)),
    `${three.filter((time) => time <= COUNT_LIMIT).length} of ${boards.length}`,
    shown(quantile(three, 0.95)),
    shown(quantile(tens, 0.5)),
    shown(quantile(tens, 0.95)),
  );
}

/** Processor time until the fewest words of large boards are proven, three words counted and the best listed. */
function measureLargeBoards(lexicon: Lexicon): void {
  heading(
    'boards, processor time',
    'fewest proven within 1 s',
    'median ms',
    'p95 ms',
    '3 words counted within 2 s',
    'p95 ms',
    'ten best of both orders: median ms',
    'p95 ms',
  );
  const seeds = Array.from({ length: LARGE_BOARDS }, (_, index) => index + 1);
  for (const [sides, size] of SHAPES) {
    const seedOf = (seed: number) => 1000 * sides + 100 * size + seed;
    const boardsOf = (withVowels: boolean) =>
      seeds.map((seed) => randomBoard(sides, size, seedOf(seed), withVowels));
    tableOf(`${sides}×${size}, any letters`, boardsOf(false), lexicon);
    tableOf(`${sides}×${size}, all five vowels`, boardsOf(true), lexicon);
  }
}
