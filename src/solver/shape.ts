import { LIMITS } from './board.ts';

/** The shape of a board whose sides all have as many letters, as those of generated boards do. */
export interface BoardShape {
  readonly sides: number;
  readonly sideLength: number;
}

/** The newspaper's boards have so many letters, in whatever shape. */
export const NEWSPAPER_LETTERS = 12;

/** All shapes that a board can have. */
export const SHAPES: readonly BoardShape[] = allShapes();

function allShapes(): BoardShape[] {
  const found: BoardShape[] = [];
  for (let sides = LIMITS.sides[0]; sides <= LIMITS.sides[1]; sides++) {
    for (let sideLength = LIMITS.lettersPerSide[0]; sideLength <= LIMITS.lettersPerSide[1]; sideLength++) {
      const letters = sides * sideLength;
      if (letters >= LIMITS.spots[0] && letters <= LIMITS.spots[1]) found.push({ sides, sideLength });
    }
  }
  return found;
}

/** How many letters a board of this shape has in all. */
export function letterCount({ sides, sideLength }: BoardShape): number {
  return sides * sideLength;
}

/** @example shapeKey({ sides: 4, sideLength: 3 }) // '4x3' */
export function shapeKey({ sides, sideLength }: BoardShape): string {
  return `${sides}x${sideLength}`;
}
