import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
 *   loads the library
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
function keyOf({ moving: _, ...picture }: Picture): string {
  return JSON.stringify(picture, (name, value) => (name === 'board' ? value.sides : value));
}

/** The width of several boards beside each other. */
const WIDE_PIXELS = 1200;
/** Nunito by the Nunito Project Authors, under the SIL Open Font License 1.1. */
const FONT_FILE = '@expo-google-fonts/nunito/800ExtraBold/Nunito_800ExtraBold.ttf';

/** The module that the workers for pictures load for their `JOBS`; it loads no searches. */
export const PICTURES_MODULE = import.meta.url;

/** From a worker the Buffer arrives as a plain array of bytes, of which `JobRunner.draw` makes a Buffer again. */
export const JOBS = { draw: drawPicture, see: boardInPicture };

interface PictureFile {
  readonly bytes: Uint8Array;
  /** From `compileResvg` of another thread. */
  readonly library?: WebAssembly.Module;
}

/** The board in a picture, which takes 0.2 to 2 seconds. */
export async function boardInPicture({ bytes, library }: PictureFile): Promise<SeenBoard> {
  const [{ decodePicture }, { boardInPixels }] = await Promise.all([
    import('./decode.ts'),
    import('../replies/seen-board.ts'),
  ]);
  return boardInPixels(await decodePicture(bytes, library));
}

/** Takes about 25 ms of processor time, and the first one of a thread 150. */
export async function drawPicture(picture: Picture): Promise<Buffer> {
  // Loaded with the first picture: few commands in the terminal draw one.
  const { makeSvg } = await import('./svg.ts');
  return renderPng(makeSvg(picture), picture.beside === undefined ? undefined : WIDE_PIXELS);
}

let font: Buffer | undefined;

/** Draws an SVG picture. System fonts are not loaded, so it looks the same everywhere. */
export async function renderPng(svg: string, pixelsWide?: number): Promise<Buffer> {
  const [{ loadResvg }, { FONT }] = await Promise.all([import('./decode.ts'), import('./svg.ts')]);
  const { Resvg } = await loadResvg();
  font ??= readFileSync(fileURLToPath(import.meta.resolve(FONT_FILE)));
  const parsed = new Resvg(svg, {
    font: { fontBuffers: [font], defaultFontFamily: FONT },
    fitTo: pixelsWide === undefined ? { mode: 'original' } : { mode: 'width', value: pixelsWide },
  });
  const image = parsed.render();
  const png = Buffer.from(image.asPng());
  image.free();
  parsed.free();
  return png;
}
