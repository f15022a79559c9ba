import { describe, expect, test } from 'vitest';
import { toFind } from '../../src/reply/replies/chosen-solutions.ts';
import { type BoardShape, makeBoard, SHAPES } from '../../src/solver/board.ts';
import { candidates } from '../../src/solver/candidates.ts';
import { checkWords } from '../../src/solver/check.ts';
import { generate } from '../../src/solver/generate.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { sample } from '../fakes/sample.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;
function searchOf(sides: readonly string[]) {
  const board = makeBoard(sides);
  return makeSearch(board, findPlayable(board, lexicon));
}
const boardsOf = (shape: BoardShape, most: number) =>
  candidates(lexicon, { seed: 'hunt', shape, most }).map(({ sides }) => sides);

describe('the solutions to find', () => {
  test('are 10 to 20 right ones on each board, the shortest first', () => {
    const hard = Array.from({ length: sample(200, 20) }, (_, seed) => ({
      seed: `${seed}`,
      share: [0, 0.05] as const,
    }));
    const boards = [
      ...boardsOf({ sides: 4, sideLength: 3 }, sample(2_000, 20)),
      ...hard.map((options) => generate(lexicon, options).board.sides),
    ];
    const rare = { 1: 0, 2: 0 } as Record<number, number>;
    for (const sides of boards) {
      const search = searchOf(sides);
      const found = toFind(search);
      const label = sides.join(' ');
      expect(found.length, label).toBeGreaterThanOrEqual(10);
      expect(found.length, label).toBeLessThanOrEqual(20);
      expect(new Set(found.map((words) => words.join())).size, label).toBe(found.length);
      for (const words of found)
        expect(checkWords(search.board, words, search, isWord).solved, label).toBe(true);
      const lengths = found.map((words) => words.length);
      expect(lengths, label).toEqual(lengths.toSorted((a, b) => a - b));
      const { fewest = 0 } = search;
      const shortest = Number(search.count(fewest));
      expect(
        lengths.filter((words) => words === fewest),
        label,
      ).toHaveLength(Math.min(shortest, found.length));
      if (fewest === 2 && shortest in rare) rare[shortest]!++;
    }
    expect(Math.min(...Object.values(rare))).toBeGreaterThan(0);
    expect(rare[1]! + rare[2]!).toBeGreaterThan(sample(100, 10));
  });

  test('are as many on boards of other shapes, but on a tenth of those with four letters, which have too few', () => {
    const shapes = SHAPES.filter(({ sides, sideLength }) => sides * sideLength <= sample(16, 12));
    // A large board takes a second.
    const boards = [
      ...shapes.flatMap((shape) => [...boardsOf(shape, sample(40, 1))]),
      'toawxb vdurnz qhselg fpicmy'.split(' '),
    ];
    for (const sides of boards) {
      if (sides.join('').length > 4)
        expect(toFind(searchOf(sides)).length, sides.join(' ')).toBeGreaterThanOrEqual(10);
    }
    let short = 0;
    for (const sides of boardsOf({ sides: 4, sideLength: 1 }, 40)) {
      const search = searchOf(sides);
      const found = toFind(search).length;
      if (found >= 10) continue;
      const { fewest = 0 } = search;
      expect(found, sides.join(' ')).toBe(Number(search.count(fewest)) + Number(search.count(fewest + 1)));
      short++;
    }
    expect(short).toBe(4);
  });

  test('are the same in whatever order the sides are typed, and whatever was asked before', () => {
    for (const sides of boardsOf({ sides: 4, sideLength: 3 }, sample(200, 5))) {
      const found = toFind(searchOf(sides));
      const turned = sides.map((side) => side.split('').reverse().join('')).reverse();
      expect(toFind(searchOf(turned))).toEqual(found);
      const asked = searchOf(sides);
      asked.count(3);
      asked.after(found[0]!.slice(0, 1)).count(1);
      expect(asked.solutions('safest').take(30).toArray()).not.toEqual([]);
      expect(toFind(asked)).toEqual(found);
    }
  });
});
