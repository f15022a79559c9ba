/** The jobs of the worker that draws pictures: apart from the others, so that it loads no solver. */
import type { Picture } from '../reply/model/types.ts';

/** For the worker, which loads this module for its `JOBS`. */
export const DRAWING_MODULE = import.meta.url;

export const JOBS = {
  /** A PNG file. The libraries behind it are loaded only where pictures are drawn. */
  async draw(picture: Picture): Promise<Uint8Array> {
    const { drawPicture } = await import('../reply/picture/png.ts');
    return drawPicture(picture);
  },
};
