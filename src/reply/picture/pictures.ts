import { LRUCache } from 'lru-cache';
import { UserError } from '../../core/errors.ts';
import { formatBoard } from '../../solver/board.ts';
import type { ActionAsker } from '../model/action.ts';
import type { Picture } from '../model/types.ts';

/** Pictures are about 30 KB each. The day's are requested often, others a few times in a row. */
const MAX_PICTURES = 50;
/** About 10 KB each. Many people begin a day's board alike. */
const MAX_PASSING = 200;

/** Draws pictures, each only once while it is cached. */
export interface Pictures {
  /**
   * A PNG file, 800 pixels wide and high, and higher with a caption; smaller if it is passing. May reject with a
   * `UserError` for an asker, who is then shown a drawing in characters; the bot's own pictures have none.
   */
  png(picture: Picture, asker?: ActionAsker): Promise<Buffer>;
}

/**
 * Caches the pictures used last, by their content. Requests for a picture that is being drawn share one drawing; one that
 * fails is not cached.
 *
 * @param draw where the bot serves many people, `AnswerWork.draw`, which leaves the event loop to them; this thread then
 *   never loads the native library
 * @example await makePictures().png({ board: parseBoard('ozu nri lfa mbt') })
 */
export function makePictures(
  draw: (picture: Picture, asker?: ActionAsker) => Promise<Buffer> = drawHere,
  max = MAX_PICTURES,
): Pictures {
  const makeCache = (most: number) =>
    new LRUCache<string, Buffer, () => Promise<Buffer>>({
      max: most,
      // Otherwise a drawing that is evicted before it is done would reject.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => context(),
    });
  const [lasting, passing] = [makeCache(max), makeCache(MAX_PASSING)];
  async function png(picture: Picture, asker?: ActionAsker): Promise<Buffer> {
    let isOwn = false;
    const drawOnce = () => {
      isOwn = true;
      return draw(picture, asker);
    };
    try {
      return await (picture.passing ? passing : lasting).forceFetch(keyOf(picture), { context: drawOnce });
    } catch (error) {
      // It was refused to another asker, whose drawing this one would have shared.
      if (error instanceof UserError && !isOwn) return png(picture, asker);
      throw error;
    }
  }
  return { png };
}

async function drawHere(picture: Picture): Promise<Buffer> {
  const { drawPicture } = await import('./png.ts');
  return drawPicture(picture);
}

function keyOf({
  letters = true,
  captioned = false,
  dark = false,
  beside = [],
  ...picture
}: Picture): string {
  const boards = [picture, ...beside].map(({ board, path }) => [formatBoard(board), path?.words]);
  return JSON.stringify([boards, letters, captioned, dark]);
}
