import { UserError } from '../../core/errors.ts';
import { boardFromPixels, type SeenBoard, SURE } from '../../vision/board-from-pixels.ts';
import type { Pixels } from '../../vision/components.ts';

/** The board in a picture. A picture without one is the mistake of whoever sent it. */
export function boardInPixels(pixels: Pixels): SeenBoard {
  const seen = boardFromPixels(pixels);
  if (seen !== undefined) return seen;
  throw new UserError(
    'picture.none',
    'I see no board in that picture. I look for capital letters around a box, the same number on each side, as on a screenshot. You can type its sides instead.',
  );
}

/** The sides as one word, and the spots whose letters may be wrong. */
export function sidesOfSeen({ sides }: SeenBoard) {
  return {
    sides: sides.map((side) => side.map(({ letter }) => letter).join('')).join('-'),
    unsure: sides.flat().flatMap(({ certainty }, spot) => (certainty < SURE ? [spot] : [])),
  };
}
