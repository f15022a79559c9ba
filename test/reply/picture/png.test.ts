import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Picture } from '../../../src/reply/model/types.ts';
import { encodePng, renderPng } from '../../../src/reply/picture/pictures.ts';
import { makeSvg } from '../../../src/reply/picture/svg.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import fc from '../../fakes/fast-check.ts';
import { sample } from '../../fakes/sample.ts';
import { BOARD, paths } from './boards.ts';

describe('the picture file', () => {
  test('is a PNG of 800×800 and at most 60 KB, on the busiest boards too', async () => {
    const pictures: Picture[] = [{ board: BOARD }, ...fc.sample(paths, { numRuns: sample(6, 2), seed: 7 })];
    for (const picture of pictures) {
      const png = await renderPng(makeSvg(picture));
      expect(readPng(png)).toMatchObject({ width: 800, height: 800 });
      expect(png.length).toBeLessThanOrEqual(60 * 1024);
    }
  });

  test('shows the letters in the bundled font, whatever fonts the machine has', async () => {
    const seen = new Set<string>();
    const letters = sample('abcdefghijklmnopqrstuvwxyz', 'imwy');
    for (const letter of letters) {
      const png = await renderPng(makeSvg({ board: makeBoard([`${letter}`, 'ab', 'cd', 'ef']) }));
      seen.add(png.toString('base64'));
    }
    expect(seen.size).toBe(letters.length);
  });

  test('keeps pixels as they are if the colours fit the palette', async () => {
    const data = Uint8Array.from([255, 0, 0, 255, 0, 64, 0, 128, 0, 0, 0, 0, 9, 8, 7, 255]);
    const image = readPng(await encodePng({ width: 2, height: 2, data }));
    expect(image.pixels()).toEqual([
      [255, 0, 0, 255],
      [0, 128, 0, 128],
      [0, 0, 0, 0],
      [9, 8, 7, 255],
    ]);
  });

  test('replaces colours beyond the palette by the nearest', async () => {
    const shades = Array.from({ length: 300 }, (_, index) => [index % 256, index >> 8, 0, 255]);
    const image = readPng(await encodePng({ width: 300, height: 1, data: Uint8Array.from(shades.flat()) }));
    image.pixels().forEach((pixel, index) => {
      expect(
        Math.abs(pixel[0]! - shades[index]![0]!) + Math.abs(pixel[1]! - shades[index]![1]!),
      ).toBeLessThan(3);
    });
  });
});

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
  for (let at = 0; at < rows.length; at += width + 1) expect(rows[at]).toBe(0);
  const pixels = () =>
    [...rows]
      .filter((_, at) => at % (width + 1) !== 0)
      .map((colour) => [...palette.subarray(colour * 3, colour * 3 + 3), opacity[colour]!]);
  return { width, height, pixels };
}
