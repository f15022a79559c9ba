import { describe, expect, test } from 'vitest';
import { distance, layoutOf } from '../../../src/reply/picture/layout.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import fc from '../../fakes/fast-check.ts';
import { BOARD, boards, roomOutside } from './boards.ts';

describe('the layout of a board', () => {
  test('nothing is clipped and no letters touch each other or the box, on any board', () => {
    fc.assert(
      fc.property(boards, (board) => {
        const layout = layoutOf(board);
        const half = layout.letterSize / 2;
        for (const { x, y } of layout.letters) {
          expect(Math.min(x, y) - half).toBeGreaterThan(20);
          expect(Math.max(x, y) + half).toBeLessThan(layout.size - 20);
        }
        layout.letters.forEach((letter, index) => {
          const nearest = Math.min(
            ...layout.letters.slice(index + 1).map((other) => distance(letter, other)),
          );
          expect(nearest).toBeGreaterThan(layout.letterSize * 0.95);
          const nearestSpot = Math.min(...layout.spots.map((spot) => distance(letter, spot)));
          expect(nearestSpot).toBeGreaterThan(layout.letterSize / 2 + layout.spotRadius + 4);
          expect(roomOutside(layout, letter)).toBeGreaterThan(layout.letterSize * 0.5);
        });
      }),
      { numRuns: 40 },
    );
  });

  test('letters are in reading direction, with the first side at the top', () => {
    const { letters } = layoutOf(BOARD);
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
    expect(layoutOf(full).letterSize).toBeGreaterThan(28);
  });
});
