import type { Board } from '../solver/types.ts';

/** Whether two boards play the same: the order of the sides, and of letters along a side, doesn't matter. */
export function isSameBoard(a: Board, b: Board): boolean {
  return key(a) === key(b);
}

function key({ sides }: Board): string {
  return sides
    .map((side) => Array.from(side).sort().join(''))
    .sort()
    .join(' ');
}
