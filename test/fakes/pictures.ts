import { makePictures } from '../../src/reply/picture/pictures.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** One pixel, and behind it what the picture would show: to draw that takes 60 ms of processor time. */
export const pictures = makePictures(async (picture) =>
  Buffer.concat([PIXEL, Buffer.from(JSON.stringify(picture))]),
);
