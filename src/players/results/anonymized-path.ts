import type { Random } from '../../solver/random.ts';
import type { Board } from '../../solver/types.ts';
import type { AnonymizedPath } from '../../store/tables/result-row.ts';

/**
 * A path with the sides of the board, and the letters of each side, in another order. Without that,
 * anyone who has the board could read the words from the drawing.
 *
 * @param path the spots of each word
 */
export function anonymizePath(
  board: Board,
  path: readonly (readonly number[])[],
  random: Random,
): AnonymizedPath {
  const order = random.shuffle(board.sides.map((_, side) => side));
  const sides = order.map((side) => board.sides[side]!.length);
  /** The new index of each spot. */
  const moved = new Map<number, number>();
  for (const side of order) {
    const spots = [...board.sideOf.keys()].filter((spot) => board.sideOf[spot] === side);
    for (const spot of random.shuffle(spots)) moved.set(spot, moved.size);
  }
  return { sides, words: path.map((word) => word.map((spot) => moved.get(spot)!)) };
}
