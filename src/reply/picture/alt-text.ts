import { capitalized } from '../../core/text.ts';
import type { Board } from '../../solver/types.ts';
import type { Picture } from '../model/types.ts';

const BOX = ['Top', 'Right', 'Bottom', 'Left'];

/** What the sides of a board are called, in their order. */
export function sideNames({ sides }: Pick<Board, 'sides'>): string[] {
  return sides.map((_, side) => (sides.length === BOX.length ? BOX[side]! : `Side ${side + 1}`));
}

/**
 * What a picture shows, for people who don't see it: the sides, spelled. Never a word that is drawn over
 * the board, since screen readers read this text before anything is revealed.
 *
 * @example altText(parseBoard('ozu nri lfa mbt')) // 'Letter Boxed board. Top: O Z U; right: N R I; bottom: L F A; left: M B T.'
 */
export function altText(board: Board, { path, letters = true }: Omit<Picture, 'board'> = {}): string {
  if (!letters) {
    const what = path === undefined ? 'An empty board' : 'A path across the board';
    return `${what} with ${board.sides.length} sides, without its letters.`;
  }
  const names = sideNames(board);
  const sides = board.sides.map(
    (side, index) => `${names[index]!.toLowerCase()}: ${[...side.toUpperCase()].join(' ')}`,
  );
  const spelled = `Letter Boxed board. ${capitalized(sides.join('; '))}.`;
  return path === undefined ? spelled : `${spelled} Words are drawn across it.`;
}
