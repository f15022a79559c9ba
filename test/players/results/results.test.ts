import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/random.ts';
import { anonymizePath } from '../../../src/players/results/results.ts';
import { pathOf } from '../../../src/reply/picture/layout.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import { madeUp } from '../../reply/setting.ts';

const sideOf = (sides: readonly number[], spot: number) =>
  sides.flatMap((length, side) => Array.from({ length }, () => side))[spot];

describe('an anonymized path', () => {
  test('is the same path on a board with its sides and letters shuffled', () => {
    for (let seed = 0; seed < 100; seed++) {
      const { board, words } = madeUp(seed);
      const path = pathOf(board, [words[0]!.word]).words;
      const { sides, words: traced } = anonymizePath(board, path, new Random(`${seed}`));
      expect(sides.toSorted()).toEqual(board.sides.map((side) => side.length).toSorted());
      expect(traced.map((word) => word.length)).toEqual(path.map((word) => word.length));
      const moved = new Map<number, number>();
      for (const [at, spot] of path.flat().entries()) {
        const there = traced.flat()[at]!;
        expect(moved.get(spot) ?? there).toBe(there);
        moved.set(spot, there);
      }
      expect(new Set(moved.values()).size).toBe(moved.size);
      for (const [a, toA] of moved) {
        for (const [b, toB] of moved) {
          expect(sideOf(sides, toA) === sideOf(sides, toB)).toBe(board.sideOf[a] === board.sideOf[b]);
        }
      }
    }
  });

  test('moves each spot everywhere equally often', () => {
    const board = makeBoard(['abc', 'def', 'ghi', 'jkl']);
    const seen = Array.from({ length: 12 }, () => 0);
    const draws = 6000;
    for (let seed = 0; seed < draws; seed++) {
      const { words } = anonymizePath(board, [[4]], new Random(`seed ${seed}`));
      seen[words[0]![0]!]!++;
    }
    for (const times of seen) expect(Math.abs(times - draws / 12)).toBeLessThan(draws / 48);
  });
});
