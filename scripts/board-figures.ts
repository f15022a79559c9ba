/**
 * Prints figures of boards that this program makes, the same every time: the two-word solutions in docs/measurements.md
 * (`node scripts/board-figures.ts solutions`), and the table in src/solver/difficulty.ts (`shapes`).
 */
import type { PuzzleDate } from '../src/core/clock.ts';
import { addDays } from '../src/puzzle/calendar.ts';
import { housePuzzle } from '../src/puzzle/house.ts';
import { letterCount, NEWSPAPER_LETTERS, shapeKey } from '../src/solver/board.ts';
import { candidates } from '../src/solver/candidates.ts';
import { countFamiliar } from '../src/solver/difficulty.ts';
import { countTwoWords, DIFFICULTIES, generate } from '../src/solver/generate.ts';
import type { Board } from '../src/solver/types.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { SHAPES } from '../test/solver/random-boards.ts';

const BOARDS_OF_DIFFICULTY = 100;
const BOARDS_OF_SHAPE = 900;
const lexicon = readLexicon();

const FIGURES: Readonly<Record<string, () => void>> = { solutions, shapes };
const [asked = 'solutions'] = process.argv.slice(2);
FIGURES[asked]?.();

function solutions(): void {
  const boards: [name: string, boards: readonly Board[]][] = [['house', houseBoards('2026-11-24', 365)]];
  for (const difficulty of DIFFICULTIES) {
    const seeds = Array.from({ length: BOARDS_OF_DIFFICULTY }, (_, index) => `histogram ${index}`);
    boards.push([difficulty, seeds.map((seed) => generate(lexicon, { seed, difficulty }).board)]);
  }
  console.log('| two-word solutions | 25 % | median | 75 % | 90 % |\n|---|---|---|---|---|');
  for (const [name, some] of boards) {
    const counts = some.map((board) => countTwoWords(board, lexicon).solutions).sort((a, b) => a - b);
    const quartiles = [0.25, 0.5, 0.75, 0.9].map((share) => counts[Math.floor(share * (counts.length - 1))]);
    console.log(`| ${name} | ${quartiles.join(' | ')} |`);
  }
}

/** How many familiar words can be walked on boards of each shape, as the generator makes them. */
function shapes(): void {
  for (const shape of SHAPES) {
    if (letterCount(shape) === NEWSPAPER_LETTERS) continue;
    const words = candidates(lexicon, { seed: 'difficulty', shape })
      .take(BOARDS_OF_SHAPE)
      .map(({ board }) => countFamiliar(board, lexicon))
      .toArray()
      .sort((a, b) => a - b);
    const share = (part: number) => words[Math.floor(part * words.length)];
    console.log(`  '${shapeKey(shape)}': { hard: ${share(1 / 4)}, easy: ${share(3 / 4)} },`);
  }
}

function houseBoards(first: PuzzleDate, days: number): Board[] {
  return Array.from(
    { length: days },
    (_, day) => housePuzzle(addDays(first, day), (options) => generate(lexicon, options)).board,
  );
}
