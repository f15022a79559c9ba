import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import { decodePicture } from '../../../src/reply/picture/decode.ts';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG file of one colour, or of several side by side; one of more than 25 million pixels has none of them. */
function png(
  width: number,
  height: number,
  colour: readonly number[] = [0, 0, 0],
  metadata = Buffer.alloc(0),
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = Array.from({ length: width * height > 25_000_000 ? 0 : height }, () =>
    Buffer.concat([Buffer.of(0), Buffer.alloc(3 * width, Buffer.from(colour))]),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('eXIf', metadata),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF file of one pixel in the second of two colours. */
const GIF = Buffer.from(
  '47494638396101000100800000000000ff800021f90400000000002c00000000010001000002024c01003b',
  'hex',
);

/** The beginning of a JPEG file. */
function jpeg(width: number, height: number): Buffer {
  const file = Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffc00011080000000003012200021101031101ffda0008010100003f00',
    'hex',
  );
  file.writeUInt16BE(height, 25);
  file.writeUInt16BE(width, 27);
  return file;
}

function codeOf(bytes: Uint8Array): Promise<string | undefined> {
  return decodePicture(bytes).then(
    () => undefined,
    (error: unknown) => (error instanceof UserError ? error.code : String(error)),
  );
}

describe('decodePicture', () => {
  it('reads the pixels of a PNG file, and of the first frame of a GIF file', async () => {
    const { data, width, height } = await decodePicture(png(3, 2, [10, 200, 30]));
    expect([width, height, ...data.slice(0, 4)]).toEqual([3, 2, 10, 200, 30, 255]);
    const animation = await decodePicture(GIF);
    expect([animation.width, animation.height, ...animation.data]).toEqual([1, 1, 255, 128, 0, 255]);
  });

  it('reads a file that is part of a larger buffer', async () => {
    const within = Buffer.concat([Buffer.alloc(5), png(1, 1, [1, 2, 3])]).subarray(5);
    expect([...(await decodePicture(within)).data]).toEqual([1, 2, 3, 255]);
  });

  it.each([
    ['4d4d002a00000008000101120003000000010001', [3, 1, 2, 3, 1, 2, 3]],
    ['4d4d002a00000008000101120003000000010003', [3, 3, 2, 1, 3, 2, 1]],
    ['4d4d002a00000008000101120003000000010006', [2, 1, 1, 2, 2, 3, 3]],
    ['49492a000800000001001201030001000000080000', [2, 3, 3, 2, 2, 1, 1]],
  ])('turns a photo whose metadata is %s', async (metadata, turned) => {
    const row = [1, 1, 1, 2, 2, 2, 3, 3, 3];
    const { data, width } = await decodePicture(png(3, 2, row, Buffer.from(metadata, 'hex')));
    expect([width, ...data.filter((_, at) => at % 4 === 0)]).toEqual(turned);
  });

  it('makes a large picture smaller', async () => {
    const { width, height } = await decodePicture(png(3_000, 2_400));
    expect(width * height).toBeLessThanOrEqual(5_000_000);
    expect(width / height).toBeCloseTo(5 / 4);
  });

  it.each([
    ['a file of too many bytes', Buffer.alloc(8_000_001), 'picture.bytes'],
    ['a PNG file that claims too many pixels', png(50_000, 50_000), 'picture.pixels'],
    ['a PNG file that breaks off within its pixels', png(40, 40).subarray(0, -30), 'picture.type'],
    ['a JPEG file of too many pixels', jpeg(6_000, 6_000), 'picture.pixels'],
    ['an SVG file', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), 'picture.type'],
    ['a picture without height', png(1, 0), 'picture.type'],
    ['an empty file', Buffer.alloc(0), 'picture.type'],
    ['a text', Buffer.from('ozu nri lfa mbt, which is no picture at all'), 'picture.type'],
    ['the beginning of a PNG file', png(9, 9).subarray(0, 14), 'picture.type'],
    ['the beginning of a GIF file', GIF.subarray(0, 20), 'picture.type'],
    ['the beginning of a JPEG file', jpeg(9, 9), 'picture.type'],
  ])('refuses %s', async (_, bytes, code) => {
    expect(await codeOf(bytes)).toBe(code);
  });
});
