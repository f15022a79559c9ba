import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distance, layoutOf } from '../../../src/reply/picture/layout.ts';
import { pathOf } from '../../../src/reply/picture/path.ts';
import { routesOf } from '../../../src/reply/picture/route.ts';
import { makeSvg, WORD_LOOKS } from '../../../src/reply/picture/svg.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import { BOARD, paths, roomOutside } from './boards.ts';

describe('a path over the board', () => {
  test('lines and numbers stay inside the box, and so off the letters', () => {
    fc.assert(
      fc.property(paths, ({ board, path }) => {
        const layout = layoutOf(board);
        for (const { legs, badge } of routesOf(layout, path)) {
          expect(roomOutside(layout, badge)).toBeLessThan(0.01);
          for (const { bend } of legs) expect(roomOutside(layout, bend)).toBeLessThan(0.01);
        }
      }),
    );
  });

  test('steps between the same two spots are drawn apart', () => {
    const routes = routesOf(layoutOf(BOARD), {
      words: [
        [0, 3, 0],
        [0, 3, 6],
      ],
    });
    const bends = routes
      .flatMap(({ legs }) => legs)
      .slice(0, 3)
      .map(({ bend }) => bend);
    bends.forEach((bend, index) => {
      bends.slice(index + 1).forEach((other) => {
        expect(distance(bend, other)).toBeGreaterThan(8);
      });
    });
  });

  test('each word has its own number, colour and dashes, up to eight', () => {
    expect(new Set(WORD_LOOKS.map(({ colour }) => colour)).size).toBe(8);
    expect(new Set(WORD_LOOKS.map(({ dashes }) => dashes)).size).toBe(8);
    for (const { colour, onDark } of WORD_LOOKS) {
      expect(contrast(colour, '#ffffff')).toBeGreaterThan(4.5);
      expect(contrast(onDark, '#25262b')).toBeGreaterThan(4.5);
    }
    const svg = makeSvg({ board: BOARD, path: pathOf(BOARD, ['forum', 'mart', 'tan']) });
    for (const word of [1, 2, 3]) expect(svg).toContain(`>${word}</text>`);
  });

  test('a word of one letter so far has no number', () => {
    expect(makeSvg({ board: BOARD, path: { words: [[3]] }, letters: false })).not.toContain('</text>');
  });

  test('of very many steps the first words are drawn', () => {
    const sides = makeBoard(['aeist', 'aeist', 'aeist', 'aeist', 'aeist']);
    const word = 'seateateateateateateateateateateateateas';
    const numbers = (words: readonly string[]) =>
      [...makeSvg({ board: sides, path: pathOf(sides, words), letters: false }).matchAll(/>(\d+)<\/text>/g)]
        .length;
    expect(numbers(Array.from({ length: 48 }, () => word))).toBe(4);
    expect(numbers(['seats', 'seats', 'seats', 'seats', 'seats', 'seats'])).toBe(6);
  });

  test('without letters there is none in the picture', () => {
    const svg = makeSvg({ board: BOARD, path: pathOf(BOARD, ['forum']), letters: false });
    const shown = [...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text);
    expect(shown).toEqual(['1']);
    const withLetters = makeSvg({ board: BOARD });
    expect([...withLetters.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text).join('')).toBe(
      'OZUNRILFAMBT',
    );
  });
});

function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}
