import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import type { Board } from '../../solver/types.ts';
import { boardFromPixels, type SeenBoard, SURE } from '../../vision/board-from-pixels.ts';
import type { Pixels } from '../../vision/components.ts';
import { type NamedBoard, sidesOption } from '../model/named-board.ts';
import { buttonsBlock, textBlock, toAsker } from '../model/text.ts';
import type { Reply } from '../model/types.ts';
import { altText } from '../picture/drawing.ts';

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

/**
 * A board that was read from a picture, with marks on the letters that may be others. It is solved once somebody says that it is
 * right.
 *
 * @param unsure the spots of these letters, counted from 0 along one side after the other
 */
export function uncertainBoardReply(
  { board, options }: Pick<NamedBoard, 'board' | 'options'>,
  unsure: readonly number[],
): Reply {
  return toAsker('Is this the board in your picture?', [
    { kind: 'picture', picture: { board, unsure, wide: true }, alt: altText(board, {}) },
    textBlock([
      `I’m not sure of ${counted(unsure.length, 'letter')}, with a question mark: ${markedSides(board, unsure)}.`,
    ]),
    buttonsBlock([
      { label: 'Right', action: { command: 'solve', options }, look: 'primary' },
      { label: 'Change letters', action: { command: 'solve', options: { seen: sidesOption(board).sides } } },
    ]),
  ]);
}

/** @example markedSides(parseBoard('ozu nri'), [1, 5]) // 'OZ?U NRI?' */
export function markedSides({ sides }: Pick<Board, 'sides'>, unsure: readonly number[]): string {
  let spot = 0;
  return sides
    .map((side) =>
      [...side].map((letter) => letter.toUpperCase() + (unsure.includes(spot++) ? '?' : '')).join(''),
    )
    .join(' ');
}
