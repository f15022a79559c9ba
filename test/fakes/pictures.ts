import { makePictures, renderPng } from '../../src/reply/picture/pictures.ts';
import { makeSvg } from '../../src/reply/picture/svg.ts';
import { makeBoard } from '../../src/solver/board.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** One pixel, and behind it what the picture would show: to draw that takes 60 ms of processor time. */
export const pictures = makePictures(async (picture) =>
  Buffer.concat([PIXEL, Buffer.from(JSON.stringify(picture))]),
);

/** A picture to read a board from, such as board.png: small, because one of 800 pixels takes several times as long. */
export function smallPng(...sides: string[]): Promise<Buffer> {
  return renderPng(makeSvg({ board: makeBoard(sides) }), 200);
}
