/**
 * The board in a picture, for other programs and for browsers: `letterboxed-solver/picture`. It is apart from the solver, which
 * it doubles in size.
 *
 * @example
 * import { boardFromPixels, SURE } from 'letterboxed-solver/picture';
 *
 * const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
 * const sides = boardFromPixels(pixels)?.sides.map((side) => side.map(({ letter }) => letter).join(''));
 */
export {
  boardFromPixels,
  type SeenBoard,
  type SeenLetter,
  SURE,
} from '../../src/vision/board-from-pixels.ts';
export type { Pixels } from '../../src/vision/components.ts';
