import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { crc32, deflate } from 'node:zlib';
import type { ResvgRenderOptions } from '@resvg/resvg-js';
import { LRUCache } from 'lru-cache';
import { UserError } from '../../core/errors.ts';
import { formatBoard } from '../../solver/board.ts';
import type { AskerRef } from '../model/action.ts';
import type { Picture } from '../model/types.ts';
import { FONT, makeSvg } from './svg.ts';

/** Pictures are about 30 KB each. The day's are requested often, others a few times in a row. */
const MAX_CACHED_PICTURES = 50;

/** Draws pictures, each only once while it is cached. */
export interface Pictures {
  /**
   * A PNG file, 800 pixels wide and high, and higher with a caption. May reject with a `UserError` for an asker, who then
   * gets a drawing in characters; the bot's own pictures have no asker.
   */
  png(picture: Picture, asker?: AskerRef): Promise<Buffer>;
}

/**
 * Caches the latest pictures by their content. Requests for a picture that is being drawn share one drawing; a failed one is
 * not cached.
 *
 * @param draw where the bot serves many people, `JobRunner.draw`, which leaves the event loop to them; this thread then
 *   never loads the native library
 * @example await makePictures().png({ board: parseBoard('ozu nri lfa mbt') })
 */
export function makePictures(
  draw: (picture: Picture, asker?: AskerRef) => Promise<Buffer> = drawPicture,
  max = MAX_CACHED_PICTURES,
): Pictures {
  const cache = new LRUCache<string, Buffer, () => Promise<Buffer>>({
    max,
    // Otherwise a drawing that is evicted before it is done would reject.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => context(),
  });
  async function png(picture: Picture, asker?: AskerRef): Promise<Buffer> {
    let isOwn = false;
    const drawOnce = () => {
      isOwn = true;
      return draw(picture, asker);
    };
    try {
      return await cache.forceFetch(keyOf(picture), { context: drawOnce });
    } catch (error) {
      // Another asker was refused, whose drawing this one would have shared.
      if (error instanceof UserError && !isOwn) return png(picture, asker);
      throw error;
    }
  }
  return { png };
}

function keyOf({
  letters = true,
  captioned = false,
  dark = false,
  wide = false,
  beside = [],
  ...picture
}: Picture): string {
  const boards = [picture, ...beside].map(({ board, path }) => [formatBoard(board), path?.words]);
  return JSON.stringify([boards, letters, captioned, dark, wide]);
}

/** The width of several boards beside each other. */
const WIDE_PIXELS = 1200;
/** Nunito by the Nunito Project Authors, under the SIL Open Font License 1.1. */
const FONT_FILE = '@expo-google-fonts/nunito/800ExtraBold/Nunito_800ExtraBold.ttf';

/** The module that the drawing worker loads for its `JOBS`; it loads no searches. */
export const DRAWING_MODULE = import.meta.url;

/** A worker returns a plain array of bytes. */
export const JOBS = { draw: drawPicture };

/** Takes about 40 ms of processor time, 15 of them on the calling thread. */
export function drawPicture(picture: Picture): Promise<Buffer> {
  return renderPng(makeSvg(picture), picture.beside === undefined ? undefined : WIDE_PIXELS);
}

/**
 * Draws an SVG picture off the main thread. System fonts are not loaded, so it looks the same everywhere. A worker draws on
 * its own thread, since the library keeps up to 6 MB for each other thread that draws.
 */
export async function renderPng(svg: string, pixelsWide?: number): Promise<Buffer> {
  // The native library is loaded only where pictures are drawn.
  const { Resvg, renderAsync } = await import('@resvg/resvg-js');
  const options: ResvgRenderOptions = {
    font: {
      loadSystemFonts: false,
      fontFiles: [fileURLToPath(import.meta.resolve(FONT_FILE))],
      defaultFontFamily: FONT,
    },
    logLevel: 'off',
    fitTo: pixelsWide === undefined ? { mode: 'original' } : { mode: 'width', value: pixelsWide },
  };
  const image = isMainThread ? await renderAsync(svg, options) : new Resvg(svg, options).render();
  const { width, height, pixels } = image;
  return encodePng({ width, height, data: pixels });
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const PALETTE_SIZE = 256;

const INDEXED_COLOUR_TYPE = 3;

/** Level 9 takes ten times as long for a tenth less. */
const COMPRESSION_LEVEL = 6;

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, a byte each; colours are multiplied with the opacity. */
  readonly data: Uint8Array;
}

/**
 * A PNG file with a palette: a drawing of a few flat colours takes a third of its size in full
 * colour. The rare shades along the edges of lines become the nearest of the common ones.
 */
export async function encodePng({ width, height, data }: Pixels): Promise<Buffer> {
  const { palette, indexes } = quantise(data, width * height);
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++) {
    // Each row begins with its filter, 0 for none: neighbouring palette numbers have nothing in common.
    rows.set(indexes.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, INDEXED_COLOUR_TYPE, 0, 0, 0], 8);
  const packed = await promisify(deflate)(rows, { level: COMPRESSION_LEVEL });
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => colour.slice(0, 3)))),
    chunk('tRNS', Buffer.from(palette.map(([, , , opacity]) => opacity))),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

type Colour = readonly [red: number, green: number, blue: number, opacity: number];

function quantise(data: Uint8Array, pixels: number): { palette: Colour[]; indexes: Uint8Array } {
  const colours = new Int32Array(data.buffer, data.byteOffset, pixels);
  const counts = new Map<number, number>();
  forEachRun(colours, (colour, from, to) => counts.set(colour, (counts.get(colour) ?? 0) + to - from));
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const palette = common.slice(0, PALETTE_SIZE).map(split);
  const indexOf = new Map<number, number>();
  common.forEach((colour, rank) => {
    indexOf.set(colour, rank < PALETTE_SIZE ? rank : nearest(split(colour), palette));
  });
  const indexes = new Uint8Array(pixels);
  forEachRun(colours, (colour, from, to) => indexes.fill(indexOf.get(colour)!, from, to));
  return { palette: palette.map(plain), indexes };
}

/** Most pixels are like the one before them. */
function forEachRun(colours: Int32Array, visit: (colour: number, from: number, to: number) => void): void {
  let from = 0;
  for (let at = 1; at <= colours.length; at++) {
    if (at < colours.length && colours[at] === colours[from]) continue;
    visit(colours[from]!, from, at);
    from = at;
  }
}

/** The bytes of a colour, in memory order. */
function split(colour: number): Colour {
  const [red = 0, green = 0, blue = 0, opacity = 0] = new Uint8Array(Int32Array.of(colour).buffer);
  return [red, green, blue, opacity];
}

/** PNG stores colours without multiplying them with the opacity. */
function plain([red, green, blue, opacity]: Colour): Colour {
  if (opacity === 0) return [0, 0, 0, 0];
  const divide = (part: number) => Math.min(255, Math.round((part * 255) / opacity));
  return [divide(red), divide(green), divide(blue), opacity];
}

function nearest(colour: Colour, palette: readonly Colour[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < palette.length; index++) {
    const other = palette[index]!;
    const red = colour[0] - other[0];
    const green = colour[1] - other[1];
    const blue = colour[2] - other[2];
    const opacity = colour[3] - other[3];
    const apart = red * red + green * green + blue * blue + opacity * opacity;
    if (apart >= least) continue;
    least = apart;
    best = index;
  }
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
