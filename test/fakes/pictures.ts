import { makePictures } from '../../src/reply/picture/pictures.ts';

/** For all doors of a process: most tests show one of a few boards, and drawing it takes 40 ms of processor time. */
export const pictures = makePictures(undefined, 500);
