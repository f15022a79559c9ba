import type { Board } from '../solver/types.ts';

/** Whether two boards play the same: the order of the sides, and of letters along a side, doesn't matter. */
export function isSameBoard(a: Board, b: Board): boolean {
  return boardKey(a.sides) === boardKey(b.sides);
}

/** The same for all boards that play the same. */
export function boardKey(sides: readonly string[]): string {
  return sides
    .map((side) => Array.from(side).sort().join(''))
    .sort()
    .join(' ');
}
