import { counted } from '../../core/text.ts';
import type { Board } from '../../solver/types.ts';
import { type NamedBoard, sidesOption } from '../model/named-board.ts';
import { buttonsBlock, textBlock, toAsker } from '../model/text.ts';
import type { Reply } from '../model/types.ts';
import { altText } from '../picture/drawing.ts';

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
