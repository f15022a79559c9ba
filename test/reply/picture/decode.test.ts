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

/** A PNG file of one colour, with `more` bytes beyond its pixels; one of more than a million pixels has none of them. */
function png(width: number, height: number, colour: readonly number[] = [0, 0, 0], more = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = Buffer.from([0, ...Array.from({ length: Math.min(width, 1_000) }, () => colour).flat()]);
  const rows = Array.from({ length: width * height > 1_000_000 ? 1 : height }, () => row);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat([...rows, Buffer.alloc(more)]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG file with more data before its pixels, as a frame that some decoders take for them. */
function framed(): Buffer {
  const file = png(9, 9);
  const frame = chunk('fdAT', Buffer.concat([Buffer.alloc(4), deflateSync(Buffer.alloc(10_000))]));
  return Buffer.concat([file.subarray(0, 33), frame, file.subarray(33)]);
}

/** A PNG file whose data have no code for their end, and stand for 10,320 bytes. */
function unended(): Buffer {
  const data = Buffer.from(`789cedc081000000000010fff901a8${'aa'.repeat(10)}`, 'hex');
  return Buffer.concat([png(9, 9).subarray(0, 33), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** A GIF file of one pixel in the second of two colours, whose frame claims a size. */
function gif(width = 1, height = 1): Buffer {
  const file = Buffer.from(
    '47494638396101000100800000000000ff800021f90400000000002c00000000010001000002024c01003b',
    'hex',
  );
  file.writeUInt16LE(width, file.indexOf(0x2c) + 5);
  file.writeUInt16LE(height, file.indexOf(0x2c) + 7);
  return file;
}

/** The beginning of a JPEG file, with so many scans. */
function jpeg(width: number, height: number, scans = 1): Buffer {
  const frame = Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffc00011080000000003012200021101031101',
    'hex',
  );
  frame.writeUInt16BE(height, 25);
  frame.writeUInt16BE(width, 27);
  const scan = Buffer.from('ffda0008010100003f00', 'hex');
  return Buffer.concat([frame, ...Array.from({ length: scans }, () => scan)]);
}

/** A whole JPEG file of 4 by 4 pixels with 16 bits for each value, coded without losses. */
function lossless(): Buffer {
  const table = `ffc4001400${'01'.padEnd(32, '0')}00`;
  const frame = 'ffc30011100004000403011100021100031100';
  const scan = `ffda000c03010002000300010000${'00'.repeat(60)}`;
  return Buffer.from(`ffd8${table}${frame}${scan}ffd9`, 'hex');
}

/** The same file with a fill byte before its frame, which the format allows. */
function filled(file: Buffer): Buffer {
  const at = file.indexOf('ffc0', 'hex');
  return Buffer.concat([file.subarray(0, at), Buffer.from([0xff]), file.subarray(at)]);
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
    const animation = await decodePicture(gif());
    expect([animation.width, animation.height, ...animation.data]).toEqual([1, 1, 255, 128, 0, 255]);
  });

  it('reads a file that is part of a larger buffer', async () => {
    const within = Buffer.concat([Buffer.alloc(5), png(1, 1, [1, 2, 3])]).subarray(5);
    expect([...(await decodePicture(within)).data]).toEqual([1, 2, 3, 255]);
  });

  it('makes a large picture smaller', async () => {
    const { width, height } = await decodePicture(png(5_000, 4_000));
    expect(width * height).toBeLessThanOrEqual(5_000_000);
    expect(width / height).toBeCloseTo(5 / 4);
  });

  it.each([
    ['a file of too many bytes', Buffer.alloc(8_000_001), 'picture.bytes'],
    ['a PNG file that claims too many pixels', png(50_000, 50_000), 'picture.pixels'],
    ['a PNG file with data beyond its pixels', png(9, 9, [0, 0, 0], 10_000), 'picture.type'],
    ['a PNG file that begins with a frame of an animation', framed(), 'picture.type'],
    ['a PNG file whose data zlib refuses', unended(), 'picture.type'],
    ['a PNG file that breaks off within its pixels', png(40, 40).subarray(0, -30), 'picture.type'],
    ['a GIF file with a frame of too many pixels', gif(60_000, 60_000), 'picture.pixels'],
    ['a JPEG file of too many pixels', jpeg(6_000, 6_000), 'picture.pixels'],
    ['a JPEG file with a byte before the marker of its frame', filled(jpeg(6_000, 6_000)), 'picture.pixels'],
    ['a JPEG file without losses', lossless(), 'picture.type'],
    ['a JPEG file with too many scans', jpeg(100, 100, 1_000), 'picture.type'],
    ['an SVG file', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), 'picture.type'],
    ['a picture of one long row', png(70_000, 1), 'picture.type'],
    ['a picture without height', png(1, 0), 'picture.type'],
    ['an empty file', Buffer.alloc(0), 'picture.type'],
    ['a text', Buffer.from('ozu nri lfa mbt, which is no picture at all'), 'picture.type'],
    ['the beginning of a PNG file', png(9, 9).subarray(0, 14), 'picture.type'],
    ['the beginning of a GIF file', gif().subarray(0, 20), 'picture.type'],
    ['the beginning of a JPEG file', jpeg(9, 9).subarray(0, 24), 'picture.type'],
  ])('refuses %s', async (_, bytes, code) => {
    expect(await codeOf(bytes)).toBe(code);
  });

  it('measures a JPEG file by its width and height', async () => {
    for (const [width, height] of [
      [400, 500],
      [500, 400],
    ] as const)
      expect(await decodePicture(jpeg(width, height))).toMatchObject({ width, height });
  });
});
