import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import {
  formatBoard,
  LIMITS,
  MAX_SPOTS_WITH_REPEATS,
  makeBoard,
  parseBoard,
} from '../../src/solver/board.ts';
import fc, { anyCharacter } from '../fakes/fast-check.ts';
import { sample } from '../fakes/sample.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const sides = fc
  .array(fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 }), {
    minLength: 3,
    maxLength: 8,
  })
  .filter((list) => {
    const { length } = list.join('');
    const isDistinct = new Set(list.join('')).size === length;
    return length >= 4 && length <= (isDistinct ? 26 : MAX_SPOTS_WITH_REPEATS);
  });

describe('parseBoard', () => {
  it.each([
    'ozu nri lfa mbt',
    'OZU,NRI,LFA,MBT',
    'ozu-nri-lfa-mbt',
    'ozu/nri/lfa/mbt',
    '  Ozu;nri | lfa\nmbt. ',
    '[[ozu],[nri],[lfa],[mbt]]',
    '["ozu", "nri", "lfa", "mbt"]',
    '[[o,z,u],[n,r,i],[l,f,a],[m,b,t]]',
    '(ozu)(nri)(lfa)(mbt)',
    'ozunrilfambt',
    'o z u n r i l f a m b t',
  ])('reads %j', (text) => {
    expect(parseBoard(text).sides).toEqual(['ozu', 'nri', 'lfa', 'mbt']);
  });

  it('gives every spot its letter, side and bit', () => {
    const board = parseBoard('ab c ded');
    expect(board).toEqual({
      sides: ['ab', 'c', 'ded'],
      letters: 'abcded',
      sideOf: [0, 0, 1, 2, 2, 2],
      full: 63,
    });
  });

  it.each([
    ['', 'board.empty', /The sides are missing/],
    [' , - ', 'board.empty', /The sides are missing/],
    ['ozunri', 'board.sides', /where a side ends in "ozunri"/],
    ['a b c d e f g h i j k l m', 'board.sides', /That makes 13 sides\. A board has 2 to 12/],
    ['a b c', 'board.spots', /That makes 3 letters in all\. A board has 4 to 26/],
    ['abc def gh1 jkl', 'board.letters', /Side 3, "gh1", has "1" in it/],
    ['abc déf ghi', 'board.letters', /Side 2, "déf", has "é" in it/],
    ['abc d\u0000f ghi', 'board.letters', /Side 2, "d\uFFFDf", has an invisible character \(U\+0000\)/],
    ['abc 🙂 ghi', 'board.letters', /has "🙂" in it/],
    ['abc אבג ghi', 'board.letters', /has "א" in it/],
    [
      'abcdefghijklm nop',
      'board.side-length',
      /Side 1, "abcdefghijklm", has 13 letters\. A side has 1 to 12/,
    ],
    ['ozunrilfamb', 'board.sides', /where a side ends in "ozunrilfamb"/],
    ['abcdef abcdef abcdef abcdef abcdef', 'board.spots', /That makes 30 letters in all/],
    ['ozub nriq lfas mbta x', 'board.repeats', /17 letters and more than one B\. A board with more than 16/],
    ['x'.repeat(1_000_000), 'board.long', /too long for a board/],
  ])('says what is wrong with %.20j and shows a right example', (text, code, message) => {
    const error = mistakeOf(() => parseBoard(text));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.message).toContain('Type the sides like this: ozu nri lfa mbt');
    expect(error.message.length).toBeLessThan(300);
  });

  it('tells twelve sides of one letter from four of three by the bars between them', () => {
    const board = parseBoard('a|b|c|d|e|f|g|h|i|j|k|l');
    expect(board.sides).toHaveLength(12);
    expect(formatBoard(board)).toBe('a|b|c|d|e|f|g|h|i|j|k|l');
    expect(parseBoard('a b c d e f g h i j k l').sides).toEqual(['abc', 'def', 'ghi', 'jkl']);
  });

  it('reads back every board it writes, in any of the forms', () => {
    fc.assert(
      fc.property(
        sides,
        fc.constantFrom(' ', ',', '-', ' / ', '\t'),
        fc.boolean(),
        (list, separator, upper) => {
          const board = makeBoard(list);
          expect(parseBoard(formatBoard(board))).toEqual(board);
          const typed = list.join(separator);
          // Twelve single letters are read as 4 × 3.
          if (list.length < 12 || board.letters.length > 12)
            expect(parseBoard(upper ? typed.toUpperCase() : typed)).toEqual(board);
          expect(parseBoard(JSON.stringify(list.map((side) => [side])))).toEqual(board);
        },
      ),
      { numRuns: sample(2_000, 500) },
    );
  });

  it('answers garbage with a board within the limits or a UserError, never anything else', () => {
    const garbage = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 80 }),
      fc.string({ unit: fc.constantFrom(...'abc ,-[](){}"\u0000\u202e🙂é12'.split('')), maxLength: 60 }),
    );
    fc.assert(
      fc.property(garbage, (text) => {
        try {
          const board = parseBoard(text);
          expect(board.sides.length).toBeGreaterThanOrEqual(LIMITS.sides.least);
          expect(board.letters).toMatch(/^[a-z]{4,26}$/);
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
          expect((error as UserError).message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        }
      }),
      { numRuns: sample(20_000, 1_000) },
    );
  });
});

function mistakeOf(work: () => unknown): UserError {
  try {
    work();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
