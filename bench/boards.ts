/** Boards that this program makes, the same every time: their two-word solutions, and the table in src/solver/difficulty.ts. */
import { addDays } from '../src/puzzle/calendar.ts';
import { housePuzzle } from '../src/puzzle/house.ts';
import { letterCount, NEWSPAPER_LETTERS, shapeKey } from '../src/solver/board.ts';
import { candidates } from '../src/solver/candidates.ts';
import { countFamiliar } from '../src/solver/difficulty.ts';
import { countTwoWords, DIFFICULTIES, generate } from '../src/solver/generate.ts';
import type { Board } from '../src/solver/types.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { SHAPES } from '../test/solver/random-boards.ts';
import { heading, quantile, row } from './table.ts';

const BOARDS_OF_DIFFICULTY = 100;
const BOARDS_OF_SHAPE = 900;
const lexicon = readLexicon();

export function run(): void {
  heading('two-word solutions', '25 %', 'median', '75 %', '90 %');
  const dates = Array.from({ length: 365 }, (_, day) => addDays('2026-11-24', day));
  printSolutions(
    'house',
    dates.map((date) => housePuzzle(date).board),
  );
  const seeds = Array.from({ length: BOARDS_OF_DIFFICULTY }, (_, index) => `histogram ${index}`);
  for (const difficulty of DIFFICULTIES)
    printSolutions(
      difficulty,
      seeds.map((seed) => generate(lexicon, { seed, difficulty }).board),
    );
  console.log('');
  printShapes();
}

function printSolutions(name: string, boards: readonly Board[]): void {
  const counts = boards.map((board) => countTwoWords(board, lexicon).solutions);
  row(name, ...[0.25, 0.5, 0.75, 0.9].map((share) => quantile(counts, share)));
}

/** How many familiar words can be walked on boards of each shape, as the generator makes them. */
function printShapes(): void {
  for (const shape of SHAPES.filter((one) => letterCount(one) !== NEWSPAPER_LETTERS)) {
    const boards = candidates(lexicon, { seed: 'difficulty', shape }).take(BOARDS_OF_SHAPE);
    const words = boards.map(({ board }) => countFamiliar(board, lexicon)).toArray();
    console.log(
      `  '${shapeKey(shape)}': { hard: ${quantile(words, 1 / 4)}, easy: ${quantile(words, 3 / 4)} },`,
    );
  }
}
