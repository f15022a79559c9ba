import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import type { ResvgRenderOptions } from '@resvg/resvg-js';
import { LRUCache } from 'lru-cache';
import { UserError } from '../../core/errors.ts';
import type { SeenBoard } from '../../vision/board-from-pixels.ts';
import type { AskerRef } from '../model/action.ts';
import type { Picture } from '../model/types.ts';

/** Pictures are 30 to 45 KB each. The day's are requested often, others a few times in a row. */
const MAX_CACHED_PICTURES = 50;

/** Draws pictures, each only once while it is cached. */
export interface Pictures {
  /**
   * A PNG file, 800 pixels high and mostly as wide, and higher with a caption. May reject with a `UserError` for an asker, who then
   * gets a drawing in characters; the bot's own pictures have no asker.
   */
  png(picture: Picture, asker?: AskerRef): Promise<Buffer>;
}

interface DrawingRequest {
  readonly picture: Picture;
  readonly asker: AskerRef | undefined;
  /** Set once it is drawn for this request, and not shared with another one. */
  isDrawn?: true;
}

/**
 * Caches the latest pictures by their content. Requests for a picture that is being drawn share one drawing; a failed one is
 * not cached.
 *
 * @param draw `JobRunner.draw` where the bot serves many people: the event loop stays free for them, and this thread never
 *   loads the native library
 * @example await makePictures().png({ board: parseBoard('ozu nri lfa mbt') })
 */
export function makePictures(
  draw: (picture: Picture, asker?: AskerRef) => Promise<Buffer> = drawPicture,
): Pictures {
  const cache = new LRUCache<string, Buffer, DrawingRequest>({
    max: MAX_CACHED_PICTURES,
    // Otherwise a drawing that is evicted before it is done would reject.
    ignoreFetchAbort: true,
    fetchMethod(_key, _stale, { context: request }) {
      request.isDrawn = true;
      return draw(request.picture, request.asker);
    },
  });
  async function png(picture: Picture, asker?: AskerRef): Promise<Buffer> {
    const request: DrawingRequest = { picture, asker };
    try {
      return await cache.forceFetch(keyOf(picture), { context: request });
    } catch (error) {
      // Another asker was refused, whose drawing this one would have shared.
      if (error instanceof UserError && !request.isDrawn) return png(picture, asker);
      throw error;
    }
  }
  return { png };
}

/** What makes PNG files differ: all of a picture but `moving`. */
function keyOf({ beside = [], ...picture }: Picture): string {
  const boards = [picture, ...beside].map(({ board, path }) => [board.sides, path]);
  const { letters = true, unsure = [], captioned = false, dark = false, wide = false, ending } = picture;
  return JSON.stringify([boards, letters, unsure, captioned, dark, wide, ending]);
}

/** The width of several boards beside each other. */
const WIDE_PIXELS = 1200;
/** Nunito by the Nunito Project Authors, under the SIL Open Font License 1.1. */
const FONT_FILE = '@expo-google-fonts/nunito/800ExtraBold/Nunito_800ExtraBold.ttf';

/** The module that the drawing worker loads for its `JOBS`; it loads no searches. */
export const DRAWING_MODULE = import.meta.url;

/** From a worker the Buffer arrives as a plain array of bytes, of which `JobRunner.draw` makes a Buffer again. */
export const JOBS = { draw: drawPicture, see: boardInPicture };

/** The board in the bytes of a picture, which takes 0.1 to 0.5 seconds. */
export async function boardInPicture(bytes: Uint8Array): Promise<SeenBoard> {
  const [{ decodePicture }, { boardInPixels }] = await Promise.all([
    import('./decode.ts'),
    import('./seen.ts'),
  ]);
  return boardInPixels(await decodePicture(bytes));
}

/** Takes about 40 ms of processor time, 15 of them on the calling thread. */
export async function drawPicture(picture: Picture): Promise<Buffer> {
  // Loaded with the first picture: few commands in the terminal draw one.
  const { makeSvg } = await import('./svg.ts');
  return renderPng(makeSvg(picture), picture.beside === undefined ? undefined : WIDE_PIXELS);
}

let copiedFont: string | undefined;

/**
 * The path of the font. The library opens it by itself, and sees no files that are embedded in the executable: there it gets a
 * copy, since without its font it draws no letters.
 */
export function fontFile(isEmbedded = isSea()): string {
  const file = fileURLToPath(import.meta.resolve(FONT_FILE));
  if (!isEmbedded) return file;
  if (copiedFont === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'letterboxed-font-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    copiedFont = join(folder, 'font.ttf');
    writeFileSync(copiedFont, readFileSync(file));
  }
  return copiedFont;
}

/**
 * Draws an SVG picture off the main thread. System fonts are not loaded, so it looks the same everywhere. A worker draws on
 * its own thread, since the library keeps up to 6 MB for each other thread that draws.
 */
export async function renderPng(svg: string, pixelsWide?: number): Promise<Buffer> {
  const [{ Resvg, renderAsync }, { isMainThread }, { FONT }] = await Promise.all([
    import('@resvg/resvg-js'),
    import('node:worker_threads'),
    import('./svg.ts'),
  ]);
  const options: ResvgRenderOptions = {
    font: {
      loadSystemFonts: false,
      fontFiles: [fontFile()],
      defaultFontFamily: FONT,
    },
    logLevel: 'off',
    fitTo: pixelsWide === undefined ? { mode: 'original' } : { mode: 'width', value: pixelsWide },
  };
  const image = isMainThread ? await renderAsync(svg, options) : new Resvg(svg, options).render();
  return image.asPng();
}
