import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distance, shapeOf } from '../../../src/reply/picture/shape.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import { BOARD, boards, roomOutside } from './boards.ts';

describe('the shape of a board', () => {
  test('nothing is clipped and no letters touch each other or the box, on any board', () => {
    fc.assert(
      fc.property(boards, (board) => {
        const shape = shapeOf(board);
        const half = shape.letterSize / 2;
        for (const { x, y } of shape.letters) {
          expect(Math.min(x, y) - half).toBeGreaterThan(20);
          expect(Math.max(x, y) + half).toBeLessThan(shape.size - 20);
        }
        shape.letters.forEach((letter, index) => {
          const nearest = Math.min(...shape.letters.slice(index + 1).map((other) => distance(letter, other)));
          expect(nearest).toBeGreaterThan(shape.letterSize * 0.95);
          const nearestSpot = Math.min(...shape.spots.map((spot) => distance(letter, spot)));
          expect(nearestSpot).toBeGreaterThan(shape.letterSize / 2 + shape.spotRadius + 4);
          expect(roomOutside(shape, letter)).toBeGreaterThan(shape.letterSize * 0.5);
        });
      }),
      { numRuns: 40 },
    );
  });

  test('letters are in reading direction, with the first side at the top', () => {
    const { letters } = shapeOf(BOARD);
    const at = (letter: string) => letters[BOARD.letters.indexOf(letter)]!;
    expect(at('o').x).toBeLessThan(at('u').x);
    expect(at('l').x).toBeLessThan(at('a').x);
    expect(at('n').y).toBeLessThan(at('i').y);
    expect(at('m').y).toBeLessThan(at('t').y);
    expect(at('o').y).toBeLessThan(at('l').y);
    expect(at('m').x).toBeLessThan(at('n').x);
  });

  test('letters of the smallest chat size are still readable on the fullest board', () => {
    const full = makeBoard(['abcdef', 'ghijkl', 'mnopqr', 'stuv', 'w', 'x', 'y', 'z']);
    expect(shapeOf(full).letterSize).toBeGreaterThan(28);
  });
});
