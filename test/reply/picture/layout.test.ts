import { describe, expect, test } from 'vitest';
import { distance, layoutOf, pathOf, pathOfEntries } from '../../../src/reply/picture/layout.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import fc from '../../fakes/fast-check.ts';
import { spellings } from '../../solver/brute.ts';
import { randomCase } from '../../solver/random-boards.ts';
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

describe('words as paths', () => {
  test('a word is the spots of its letters', () => {
    expect(pathOf(BOARD, ['fun', 'NIT']).words).toEqual([[7, 2, 3]]);
    expect(pathOf(BOARD, ['fun', 'NOT']).words).toEqual([
      [7, 2, 3],
      [3, 0, 11],
    ]);
    expect(pathOf(BOARD, []).words).toEqual([]);
  });

  test('ends before the first word that cannot be played', () => {
    expect(pathOf(BOARD, ['forum', 'nit']).words).toHaveLength(1);
    expect(pathOf(BOARD, ['xyz']).words).toEqual([]);
  });

  test('is one of the ways to spell the words, and of these the one that touches the most spots', () => {
    for (let seed = 0; seed < 150; seed++) {
      const { board, entries } = randomCase(seed);
      for (const { word } of entries.slice(0, 6)) {
        const ways = spellings(board.sides, word);
        const found = pathOf(board, [word]).words;
        if (ways.length === 0) expect(found).toEqual([]);
        else {
          expect(ways).toContainEqual(found[0]);
          expect(new Set(found[0]).size).toBe(Math.max(...ways.map((way) => new Set(way).size)));
        }
      }
    }
  });

  test('words that follow start on the very spot where the one before ended, where letters repeat', () => {
    const board = makeBoard(['aab', 'bca', 'cdd']);
    const { words } = pathOf(board, ['abacad', 'dabcdc']);
    expect(words).toHaveLength(2);
    expect(words[1]![0]).toBe(words[0]!.at(-1));
    expect(new Set(words.flat()).size).toBe(board.letters.length);
  });
});

test('words that were entered go over the spots that were tapped, if no other way touches more', () => {
  const board = makeBoard(['abc', 'dea', 'fgh']);
  expect(pathOfEntries(board, ['Afd']).words).toEqual([[0, 6, 3]]);
  expect(pathOfEntries(board, ['fFc']).words).toEqual([[6, 5, 2]]);
  expect(new Set(pathOfEntries(board, ['AfA']).words.flat()).size).toBe(3);
});
