import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { altText } from '../../../src/reply/picture/alt-text.ts';
import { drawBoard } from '../../../src/reply/picture/drawing.ts';
import { encodePng } from '../../../src/reply/picture/palette-png.ts';
import { pathOf } from '../../../src/reply/picture/path.ts';
import { makePictures } from '../../../src/reply/picture/pictures.ts';
import { renderPng } from '../../../src/reply/picture/png.ts';
import { routesOf } from '../../../src/reply/picture/route.ts';
import { distance, type Point, type Shape, shapeOf } from '../../../src/reply/picture/shape.ts';
import { makeSvg, WORD_LOOKS } from '../../../src/reply/picture/svg.ts';
import type { Picture } from '../../../src/reply/types.ts';
import { LIMITS, makeBoard, parseBoard } from '../../../src/solver/board.ts';
import { spellings } from '../../solver/brute.ts';
import { randomCase } from '../../solver/random-boards.ts';

const BOARD = parseBoard('ozu nri lfa mbt');

/** Any board that is allowed, with any letters. */
const boards = fc
  .array(fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 6 }), {
    minLength: LIMITS.sides[0],
    maxLength: LIMITS.sides[1],
  })
  .filter((sides) => sides.join('').length >= LIMITS.spots[0] && sides.join('').length <= LIMITS.spots[1])
  .map(makeBoard);

/** A board and a path of one to five words over it. */
const paths = fc
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
          expect(roomOutside(shape, letter)).toBeGreaterThan(shape.letterSize * 0.5);
        });
      }),
      { numRuns: 40 },
    );
  });

  test('letters stand in reading direction, the first side at the top', () => {
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

describe('a path over the board', () => {
  test('lines and numbers stay inside the box, and so off the letters', () => {
    fc.assert(
      fc.property(paths, ({ board, path }) => {
        const shape = shapeOf(board);
        for (const { legs, badge } of routesOf(shape, path)) {
          expect(roomOutside(shape, badge)).toBeLessThan(0.01);
          for (const { bend } of legs) expect(roomOutside(shape, bend)).toBeLessThan(0.01);
        }
      }),
    );
  });

  test('steps between the same two spots are drawn apart', () => {
    const routes = routesOf(shapeOf(BOARD), {
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
    for (const { colour } of WORD_LOOKS) expect(contrast(colour, '#ffffff')).toBeGreaterThan(4.5);
    const svg = makeSvg({ board: BOARD, path: pathOf(BOARD, ['forum', 'mart', 'tan']) });
    for (const word of [1, 2, 3]) expect(svg).toContain(`>${word}</text>`);
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

describe('the picture file', () => {
  test('is a PNG of 800×800 and at most 60 KB, on the busiest boards too', async () => {
    const pictures: Picture[] = [{ board: BOARD }, ...fc.sample(paths, { numRuns: 12, seed: 7 })];
    for (const picture of pictures) {
      const png = await renderPng(makeSvg(picture));
      expect(readPng(png)).toMatchObject({ width: 800, height: 800 });
      expect(png.length).toBeLessThanOrEqual(60 * 1024);
    }
  });

  test('shows the letters: the bundled font is found, whatever the machine has', async () => {
    const seen = new Set<string>();
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      const png = await renderPng(makeSvg({ board: makeBoard([`${letter}`, 'ab', 'cd', 'ef']) }));
      seen.add(png.toString('base64'));
    }
    expect(seen.size).toBe(26);
  });

  test('pixels come back as they were, where the colours fit the palette', async () => {
    const data = Uint8Array.from([255, 0, 0, 255, 0, 64, 0, 128, 0, 0, 0, 0, 9, 8, 7, 255]);
    const image = readPng(await encodePng({ width: 2, height: 2, data }));
    expect(image.pixels).toEqual([
      [255, 0, 0, 255],
      [0, 128, 0, 128],
      [0, 0, 0, 0],
      [9, 8, 7, 255],
    ]);
  });

  test('colours beyond the palette become the nearest', async () => {
    const shades = Array.from({ length: 300 }, (_, index) => [index % 256, index >> 8, 0, 255]);
    const image = readPng(await encodePng({ width: 300, height: 1, data: Uint8Array.from(shades.flat()) }));
    image.pixels.forEach((pixel, index) => {
      expect(
        Math.abs(pixel[0]! - shades[index]![0]!) + Math.abs(pixel[1]! - shades[index]![1]!),
      ).toBeLessThan(3);
    });
  });
});

describe('kept pictures', () => {
  function counting(fail = () => false) {
    const drawn: string[] = [];
    const render = async (svg: string) => {
      drawn.push(svg);
      if (fail()) throw new Error('no memory');
      return Buffer.from(svg);
    };
    return { drawn, render };
  }

  test('one picture is drawn once, for those who ask at the same time too', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(render);
    const [one, two] = await Promise.all([
      pictures.png({ board: BOARD }),
      pictures.png({ board: parseBoard('OZU-NRI-LFA-MBT'), letters: true }),
    ]);
    expect(one).toBe(two);
    await pictures.png({ board: BOARD });
    expect(drawn).toHaveLength(1);
    await pictures.png({ board: BOARD, letters: false });
    await pictures.png({ board: BOARD, path: pathOf(BOARD, ['forum']) });
    expect(drawn).toHaveLength(3);
  });

  test('only so many are kept, those used last', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(render, 2);
    const [a, b, c] = ['a bc de', 'f gh ij', 'k lm no'].map((sides) => ({ board: parseBoard(sides) }));
    for (const picture of [a, b, a, c, a]) await pictures.png(picture!);
    expect(drawn).toHaveLength(3);
    await pictures.png(b!);
    expect(drawn).toHaveLength(4);
  });

  test('one that failed is drawn again', async () => {
    let failing = true;
    const { drawn, render } = counting(() => failing);
    const pictures = makePictures(render);
    await expect(pictures.png({ board: BOARD })).rejects.toThrow('no memory');
    failing = false;
    await expect(pictures.png({ board: BOARD })).resolves.toBeInstanceOf(Buffer);
    expect(drawn).toHaveLength(2);
  });
});

describe('the board in characters', () => {
  test('a box of four sides', () => {
    expect(drawBoard({ board: BOARD, path: pathOf(BOARD, ['forum']) })).toBe(
      [
        '    O   Z   U',
        '  ┌─●───○───●─┐',
        'M ●           ○ N',
        '  │           │',
        'B ○           ● R',
        '  │           │',
        'T ○           ○ I',
        '  └─○───●───○─┘',
        '    L   F   A',
        '',
        '1  FORUM',
      ].join('\n'),
    );
  });

  test('every letter and every spot of any board is there, and letters only when asked for', () => {
    fc.assert(
      fc.property(boards, (board) => {
        const drawing = drawBoard({ board });
        const letters = (drawing.match(/[A-Z]/g) ?? []).sort().join('');
        expect(letters).toBe([...board.letters.toUpperCase()].sort().join(''));
        expect(drawing.match(/○/g)).toHaveLength(board.letters.length);
        expect(drawing).not.toMatch(/ $/m);
        expect(drawBoard({ board, letters: false })).not.toMatch(/[A-Z]/);
      }),
    );
  });
});

describe('alt text', () => {
  test('spells the sides', () => {
    expect(altText(BOARD)).toBe('Letter Boxed board. Top: O Z U; right: N R I; bottom: L F A; left: M B T.');
    expect(altText(parseBoard('ab c d'))).toBe('Letter Boxed board. Side 1: A B; side 2: C; side 3: D.');
  });

  test('never says which words are drawn', () => {
    const path = pathOf(BOARD, ['forum', 'mart']);
    expect(altText(BOARD, { path })).not.toMatch(/forum|mart/i);
    expect(altText(BOARD, { path, letters: false })).toBe(
      'A path across the board with 4 sides, without its letters.',
    );
  });
});

/** How far a point lies outside the box; below 0 inside. */
function roomOutside({ corners }: Shape, point: Point): number {
  return Math.max(
    ...corners.map((from, index) => {
      const to = corners[(index + 1) % corners.length]!;
      const cross = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
      return -cross / distance(from, to);
    }),
  );
}

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

/** Reads a PNG with a palette and unfiltered rows, checking every checksum. */
function readPng(file: Buffer) {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  const [width, height] = [chunks.get('IHDR')!.readUInt32BE(0), chunks.get('IHDR')!.readUInt32BE(4)];
  const [palette, opacity] = [chunks.get('PLTE')!, chunks.get('tRNS')!];
  const rows = inflateSync(chunks.get('IDAT')!);
  const pixels: number[][] = [];
  for (let at = 0; at < rows.length; at++) {
    if (at % (width + 1) === 0) expect(rows[at]).toBe(0);
    else pixels.push([...palette.subarray(rows[at]! * 3, rows[at]! * 3 + 3), opacity[rows[at]!]!]);
  }
  return { width, height, pixels };
}
