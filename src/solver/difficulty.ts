import { LIMITS } from './board.ts';
import type { FamiliarWords } from './familiar.ts';
import { measure } from './measure.ts';

export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

/** Boards with more letters than this are hard, all of them: five words or more, and few ways to find them. */
export const COUNTED_LETTERS = 21;

interface Levels {
  /** With so many solutions or fewer a board is hard. */
  readonly hard: number;
  /** With so many or more it is easy. */
  readonly easy: number;
}

/**
 * Difficulty is how many solutions of familiar words alone have the fewest words. What counts as many
 * depends on the shape: the levels are the thirds of the boards that the generator makes of each shape
 * (900 boards a shape, 150 beyond 16 letters; `node bench/difficulty.ts` measures them again).
 */
const LEVELS: Readonly<Record<string, Levels>> = {
  '3x2': { hard: 3, easy: 12 },
  '3x3': { hard: 4, easy: 19 },
  '3x4': { hard: 2, easy: 8 },
  '3x5': { hard: 2, easy: 18 },
  '3x6': { hard: 6, easy: 31 },
  '4x1': { hard: 1, easy: 3 },
  '4x2': { hard: 9, easy: 45 },
  '4x3': { hard: 4, easy: 19 },
  '4x4': { hard: 5, easy: 305 },
  '4x5': { hard: 2, easy: 12 },
  '5x1': { hard: 2, easy: 9 },
  '5x2': { hard: 17, easy: 83 },
  '5x3': { hard: 3, easy: 22 },
  '5x4': { hard: 2, easy: 11 },
  '6x1': { hard: 3, easy: 23 },
  '6x2': { hard: 15, easy: 80 },
  '6x3': { hard: 26, easy: 64 },
  '7x1': { hard: 5, easy: 54 },
  '7x2': { hard: 11, easy: 47 },
  '7x3': { hard: 1, easy: 4 },
  '8x1': { hard: 22, easy: 149 },
  '8x2': { hard: 5, easy: 59 },
};

/** Numbers of sides and letters a side that a board can have. */
export const SHAPES: readonly (readonly [number, number])[] = shapes();

/** How hard a board is that `length` familiar words are known to solve. */
export function difficultyOf(words: FamiliarWords, sides: readonly string[], length: number): Difficulty {
  const levels = LEVELS[`${sides.length}x${sides[0]?.length}`];
  if (levels === undefined) return 'hard';
  const { solutions } = measure(words, sides, length, levels.easy);
  if (solutions >= levels.easy) return 'easy';
  return solutions <= levels.hard ? 'hard' : 'medium';
}

function shapes(): [number, number][] {
  const found: [number, number][] = [];
  for (let sides = LIMITS.sides[0]; sides <= LIMITS.sides[1]; sides++) {
    for (let letters = LIMITS.lettersPerSide[0]; letters <= LIMITS.lettersPerSide[1]; letters++) {
      const spots = sides * letters;
      if (spots >= LIMITS.spots[0] && spots <= LIMITS.spots[1]) found.push([sides, letters]);
    }
  }
  return found;
}
