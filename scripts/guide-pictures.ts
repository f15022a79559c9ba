/** Writes the picture of docs/solver.md. */
import { writeFileSync } from 'node:fs';
import { pathOf } from '../src/reply/picture/layout.ts';
import { drawPicture } from '../src/reply/picture/pictures.ts';
import { parseBoard } from '../src/solver/board.ts';

const board = parseBoard('ozu nri lfa mbt');
export const guidePicture = () =>
  drawPicture({ board, path: pathOf(board, ['forum', 'mobilization']), captioned: true });

if (import.meta.main)
  writeFileSync(new URL('../docs/pictures/board.png', import.meta.url), await guidePicture());
