import { formatBoard } from '../../solver/board.ts';
import type { Picture } from '../model/types.ts';
import { renderPng } from './png.ts';
import { makeSvg } from './svg.ts';

/** Pictures are about 30 KB each. Those of the day are asked for over and over, others a few times in a row. */
const MOST_KEPT = 50;

/** Draws pictures, each only once while it is kept. */
export interface Pictures {
  /** A PNG file of 800×800. */
  png(picture: Picture): Promise<Buffer>;
}

/**
 * Keeps the pictures used last, by what they show. Askers of one that is being drawn wait for it together.
 *
 * @example await makePictures().png({ board: parseBoard('ozu nri lfa mbt') })
 */
export function makePictures(
  render: (svg: string) => Promise<Buffer> = renderPng,
  most = MOST_KEPT,
): Pictures {
  const kept = new Map<string, Promise<Buffer>>();
  return {
    png(picture) {
      const key = keyOf(picture);
      const drawn = kept.get(key) ?? draw(key, picture);
      // A map keeps its order of insertion: the one used last moves to the end.
      kept.delete(key);
      kept.set(key, drawn);
      if (kept.size > most) kept.delete(kept.keys().next().value!);
      return drawn;
    },
  };

  function draw(key: string, picture: Picture): Promise<Buffer> {
    const drawing = render(makeSvg(picture));
    drawing.catch(() => kept.delete(key));
    return drawing;
  }
}

function keyOf({ board, path, letters = true }: Picture): string {
  return JSON.stringify([formatBoard(board), path?.words, letters]);
}
