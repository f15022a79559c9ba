import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/core/random.ts';
import { loadResvg } from '../../src/reply/picture/decode.ts';
import { makeSvg } from '../../src/reply/picture/svg.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { FORMS } from '../../src/vision/arrangement.ts';
import { boardFromPixels, SURE } from '../../src/vision/board-from-pixels.ts';
import type { Pixels } from '../../src/vision/components.ts';
import { readShape, shapeOf } from '../../src/vision/letters.ts';
import { sample } from '../fakes/sample.ts';
import { boardSvg, randomSides } from './pictures.ts';

const { Resvg } = await loadResvg();
const FONT = readFileSync(
  fileURLToPath(import.meta.resolve('@expo-google-fonts/nunito/800ExtraBold/Nunito_800ExtraBold.ttf')),
);

const MANY = sample(100, 8);

function pixelsOf(svg: string, scale = 1): Pixels {
  const drawn = new Resvg(svg, {
    font: { fontBuffers: [FONT], defaultFontFamily: 'Nunito' },
    fitTo: { mode: 'zoom', value: scale },
  }).render();
  return { data: drawn.pixels, width: drawn.width, height: drawn.height };
}

/** The letters that are read, each uncertain one with a question mark. */
function read(pixels: Pixels): string | undefined {
  return boardFromPixels(pixels)
    ?.sides.map((side) =>
      side.map(({ letter, certainty }) => letter + (certainty < SURE ? '?' : '')).join(''),
    )
    .join(' ');
}

function page(body: string, width = 400, height = 400): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Nunito" text-anchor="middle"><rect width="100%" height="100%" fill="#fff"/>${body}</svg>`;
}

describe('boardFromPixels', () => {
  it.each([
    ['a light picture', {}],
    ['a dark one', { dark: true }],
    [
      'a path with its words',
      {
        path: [
          [6, 0, 4, 2, 9],
          [9, 1, 10],
        ],
        captioned: true,
      },
    ],
    ['a wide card', { wide: true }],
  ])('reads our own board from %s', (_, look) => {
    const svg = makeSvg({ board: parseBoard('ozu nri lfa mbt'), ...look });
    for (const scale of sample([0.25, 0.6, 1.5], [0.25]))
      expect(read(pixelsOf(svg, scale))).toBe('ozu nri lfa mbt');
  });

  it('reads a board that is not quite upright, or wider at one end, as in a photo of a screen', () => {
    const { data, width, height } = pixelsOf(makeSvg({ board: parseBoard('ozu nri lfa mbt') }), 0.8);
    const colours = new Uint32Array(data.buffer, data.byteOffset, width * height);
    const photoOf = (slope: number, spread: number) => {
      const photo = colours.map((_, at) => {
        const [x, y] = [(at % width) - width / 2, Math.floor(at / width) - height / 2];
        const column = Math.round(width / 2 + x * (1 + (spread * y * 2) / height) + slope * y);
        const row = Math.round(height / 2 + y - slope * x);
        const isOutside = column < 0 || column >= width || row < 0 || row >= height;
        return isOutside ? 0xffffffff : colours[row * width + column]!;
      });
      return new Uint8Array(photo.buffer);
    };
    const turned = { slope: 0.1, spread: 0 };
    const fromOneSide = { slope: -0.03, spread: 0.12 };
    const all = [{ slope: 0.017, spread: 0 }, { slope: -0.04, spread: 0 }, turned, fromOneSide];
    for (const { slope, spread } of sample(all, [turned, fromOneSide]))
      expect(read({ data: photoOf(slope, spread), width, height })).toBe('ozu nri lfa mbt');
  });

  it('reads letters that differ from their background in blue alone', () => {
    const { data, ...size } = pixelsOf(makeSvg({ board: parseBoard('ozu nri lfa mbt') }), 0.5);
    expect(read({ data: data.map((value, at) => (at % 4 < 2 ? 0 : value)), ...size })).toBe(
      'ozu nri lfa mbt',
    );
  });

  it('reads our own boards of other forms', () => {
    const random = new Random('forms');
    for (const [index, form] of sample(
      FORMS,
      FORMS.filter((_, nth) => nth % 8 === 0),
    ).entries()) {
      const sides = randomSides(random, form).join(' ');
      const seen = read(pixelsOf(makeSvg({ board: parseBoard(sides), dark: index % 2 === 0 }), 0.5));
      expect(seen?.replaceAll('?', '')).toBe(sides);
    }
  });

  it('reads no smaller board in one with a letter that is not found, such as 4 × 3 letters of 4 × 5', () => {
    const svg = makeSvg({ board: parseBoard('abcde fghij klmno pqrst') });
    for (const letter of sample('ACFR', 'AF')) {
      const without = svg.replace(new RegExp(`<text [^>]*>${letter}</text>`), '');
      expect(without).not.toBe(svg);
      expect(read(pixelsOf(without, 0.6))).toBeUndefined();
    }
  });

  it('reads boards that others draw, and marks each letter that it takes for another one', () => {
    const random = new Random('other boards');
    const counts = { right: 0, marked: 0, none: 0 };
    for (let picture = 0; picture < MANY; picture++) {
      const sides = randomSides(random, picture % 4 === 3 ? FORMS[random.below(FORMS.length)] : undefined);
      const svg = boardSvg(random, sides, 'Nunito');
      const seen = read(pixelsOf(svg, [0.5, 1, 2][picture % 3]));
      const sure = seen?.split(' ').map((side) => side.replace(/.\?/g, '.'));
      for (const [index, side] of sure?.entries() ?? [])
        expect(sides[index], `${sides} read as ${seen}`).toMatch(new RegExp(`^${side}$`));
      counts[seen === undefined ? 'none' : seen.includes('?') ? 'marked' : 'right']++;
    }
    expect(counts.none).toBe(0);
    expect(counts.right).toBeGreaterThanOrEqual(0.85 * MANY);
  });

  it('reads letters, not the faint rings that scaling leaves around them', () => {
    const ring = 'fill="#fff" stroke="#3f3f3f" stroke-width="4" paint-order="stroke"';
    const svg = boardSvg(new Random('rings'), ['ozu', 'nri', 'lfa', 'mbt'], 'Nunito')
      .replace(/(<rect [^>]*)fill="[^"]*"/, '$1fill="#404040"')
      .replaceAll(/(<text [^>]*)fill="[^"]*"/g, `$1${ring}`);
    expect(read(pixelsOf(svg, 2))).toBe('ozu nri lfa mbt');
  });

  it('is not sure of a letter whose thin lines are too faint, such as a T that is read as an I', () => {
    const values = new Uint8Array(40 * 40).fill(255);
    const fill = (left: number, right: number, top: number, bottom: number, brightness: number) => {
      for (let y = top; y < bottom; y++) values.fill(brightness, y * 40 + left, y * 40 + right);
    };
    const box = { left: 8, top: 5, right: 32, bottom: 35, isDark: true };
    const readT = (bar: number) => {
      fill(8, 32, 5, 9, bar);
      fill(18, 22, 5, 35, 0);
      return readShape(shapeOf({ values, width: 40, height: 40 }, box));
    };
    expect(readT(0)).toMatchObject({ letter: 'T', margin: expect.closeTo(0.9, 0) });
    expect(readT(180)).toMatchObject({ letter: 'I', margin: 0 });
  });

  /** A board whose R is drawn by hand, in a square with edges of 100 around a capital. */
  function withDrawn(lines: string): string {
    const svg = boardSvg(new Random('drawn'), ['ezu', 'nrk', 'lfa', 'mbt'], 'Nunito');
    const size = Number(/font-size="([\d.]+)"/.exec(svg)![1]);
    const [text, x, y, fill] = /<text x="(\S+)" y="(\S+)" fill="(\S+)">R<\/text>/.exec(svg)!;
    const place = `translate(${Number(x) - 0.36 * size} ${Number(y) - 0.72 * size}) scale(${0.0072 * size})`;
    return svg.replace(text, `<g transform="${place}" fill="${fill}">${lines}</g>`);
  }
  const stems = '<path d="M15 0h24v100h-24zM66 0h24v100h-24z"/>';
  const serifs =
    '<path d="M5 0h44v6h-44zM56 0h44v6h-44zM5 94h44v6h-44zM56 94h44v6h-44zM40 46h28v6h-28z" opacity="0.3"/>';
  const bar = '<path d="M40 46h24v8h-24z" opacity="0.3"/>';
  const shortTail =
    '<path fill-rule="evenodd" d="M7 50a43 51 0 0 1 86 0a43 51 0 0 1 -86 0zM25 50a25 33 0 0 0 50 0a25 33 0 0 0 -50 0z"/><path d="M40 95h18v11h-18z"/>';

  it.each([
    ['the whole of an H, not one of its stems', stems + serifs, 1, 'h?'],
    [
      'one of its stems as uncertain if the whole is hardly an H',
      `<path d="M15 0h28v100h-28zM62 0h28v100h-28z"/>${bar}`,
      1,
      'i?',
    ],
    ['a T with a short bar as an uncertain I', '<path d="M42 0h16v100h-16zM30 0h40v8h-40z"/>', 0.5, 'i?'],
    [
      'an M with a filled notch as an uncertain H',
      '<path d="M8 0h26v100h-26zM66 0h26v100h-26zM33 26h34v26h-34z"/>',
      1,
      'h?',
    ],
    ['a Q with a short tail as an uncertain O', shortTail, 0.6, 'o?'],
    ['a J without its hook as an uncertain I', '<path d="M42 0h16v118h-16z"/>', 1, 'i?'],
  ])('reads %s', (_, lines, scale, letter) => {
    expect(read(pixelsOf(withDrawn(lines), scale))).toBe(`ezu n${letter}k lfa mbt`);
  });

  it('is sure of no letter in a font of which it knows only some', () => {
    const svg = boardSvg(new Random('drawn'), ['ezu', 'nrk', 'lfa', 'mbt'], 'Nunito');
    const strange = svg.replace(/>([ZRFB])</g, (_, letter: string) => `>${'4783'['ZRFB'.indexOf(letter)]}<`);
    expect(read(pixelsOf(strange))).toBe('e?a?u? n?z?k? l?b?a? m?s?t?');
  });

  it('marks both of two letters that are the same', () => {
    const svg = boardSvg(new Random('twice'), ['ozu', 'nri', 'lfa', 'mbo'], 'Nunito');
    expect(read(pixelsOf(svg))).toBe('o?zu nri lfa mbo?');
  });

  it('finds no board in text, in a grid of letters, or in the spots of a box', () => {
    const line = (y: number) =>
      `<text x="200" y="${y}" font-size="16">THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG</text>`;
    const text = Array.from({ length: sample(14, 3) }, (_, row) => line(40 + row * 24)).join('');
    const grid = Array.from(
      'ABCDEFGHIJKLMNOPQRSTUVWXY',
      (letter, at) =>
        `<text x="${60 + (at % 5) * 70}" y="${80 + Math.floor(at / 5) * 70}" font-size="40">${letter}</text>`,
    ).join('');
    const svg = boardSvg(new Random('spots'), ['', '', '', ''], 'Nunito');
    // The letters of three lines, as once in a text of capitals.
    const lines = [
      ['MZHRI', [139, 168, 196, 221, 238]],
      ['DEGS', [145, 170, 196, 239]],
      ['CVKTG', [144, 168, 192, 213, 245]],
    ] as const;
    const tight = lines.flatMap(([letters, places], row) =>
      places.map((x, at) => `<text x="${x}" y="${100 + 40 * row}" font-size="32">${letters[at]}</text>`),
    );
    const ring = Array.from('RKCJLOEAMUIDXGQV', (letter, at) => {
      const [x, y] = [Math.sin((Math.PI * at) / 8), -Math.cos((Math.PI * at) / 8)];
      return `<text x="${200 + 140 * x}" y="${212 + 140 * y}" font-size="32">${letter}</text>`;
    });
    for (const shown of [page(text), page(grid), page(tight.join('')), page(ring.join('')), svg])
      expect(read(pixelsOf(shown))).toBeUndefined();
  });

  it.each([
    [0, 0],
    [1, 1],
    [1, 5_000],
    [5_000, 1],
  ])('finds nothing in a picture of %i by %i pixels', (width, height) => {
    expect(boardFromPixels({ data: new Uint8Array(4 * width * height), width, height })).toBeUndefined();
  });

  it('ends with noise, and with everything else that has many components', () => {
    const random = new Random('noise');
    const size = sample(700, 60);
    const noise = Uint8Array.from({ length: 4 * size * size }, () => random.below(256));
    expect(boardFromPixels({ data: noise, width: size, height: size })).toBeUndefined();
    const bars = Array.from(
      { length: sample(2_500, 250) },
      (_, at) => `<rect x="${(at % 50) * 20}" y="${Math.floor(at / 50) * 20}" width="8" height="14"/>`,
    );
    expect(read(pixelsOf(page(bars.join(''), 1_000, 1_000)))).toBeUndefined();
  });
});
