import type { Picture } from '../../../src/reply/model/types.ts';
import { distance, type Layout, type Point } from '../../../src/reply/picture/layout.ts';
import { LIMITS, MAX_SPOTS_WITH_REPEATS, makeBoard, parseBoard } from '../../../src/solver/board.ts';
import fc from '../../fakes/fast-check.ts';

export const BOARD = parseBoard('ozu nri lfa mbt');

/** Any board that is allowed, with any letters; large boards have each letter once. */
export const boards = fc
  .array(fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 12 }), {
    minLength: LIMITS.sides[0],
    maxLength: LIMITS.sides[1],
  })
  .filter((sides) => sides.join('').length >= LIMITS.spots[0] && sides.join('').length <= LIMITS.spots[1])
  .map((sides) => makeBoard(sides.join('').length > MAX_SPOTS_WITH_REPEATS ? distinct(sides) : sides));

function distinct(sides: readonly string[]): string[] {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('');
  return sides.map(({ length }) => alphabet.splice(0, length).join(''));
}

/** A board and a path of one to five words over it. */
export const paths = fc
  .tuple(boards, fc.array(fc.array(fc.nat(), { minLength: 3, maxLength: 9 }), { minLength: 1, maxLength: 5 }))
  .map(([board, choices]): Required<Pick<Picture, 'board' | 'path'>> => {
    let spot = 0;
    const words = choices.map((steps) => {
      const word = [spot];
      for (const step of steps) {
        const open = [...board.sideOf.keys()].filter((other) => board.sideOf[other] !== board.sideOf[spot]);
        spot = open[step % open.length]!;
        word.push(spot);
      }
      return word;
    });
    return { board, path: { words } };
  });

/** How far a point lies outside the box; below 0 inside. */
export function roomOutside({ corners }: Layout, point: Point): number {
  return Math.max(
    ...corners.map((from, index) => {
      const to = corners[(index + 1) % corners.length]!;
      const cross = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
      return -cross / distance(from, to);
    }),
  );
}
