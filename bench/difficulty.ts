/**
 * How many familiar words can be walked on generated boards of each shape: what the table in
 * src/solver/difficulty.ts was taken from. Run: npx node bench/difficulty.ts
 */

import { letterCount, NEWSPAPER_LETTERS, shapeKey } from '../src/solver/board.ts';
import { candidates } from '../src/solver/candidates.ts';
import { countFamiliar } from '../src/solver/difficulty.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { SHAPES } from '../test/solver/random-boards.ts';

const BOARDS = 900;

const lexicon = readLexicon();
for (const shape of SHAPES) {
  if (letterCount(shape) === NEWSPAPER_LETTERS) continue;
  const words = candidates(lexicon, { seed: 'difficulty', shape })
    .take(BOARDS)
    .map(({ board }) => countFamiliar(board, lexicon))
    .toArray()
    .sort((a, b) => a - b);
  const share = (part: number) => words[Math.floor(part * words.length)];
  console.log(`  '${shapeKey(shape)}': { hard: ${share(1 / 4)}, easy: ${share(3 / 4)} },`);
}
