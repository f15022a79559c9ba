import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode, UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import type { Picture } from '../../reply/model/types.ts';
import { pathOf } from '../../reply/picture/layout.ts';
import { drawPicture } from '../../reply/picture/pictures.ts';
import { makeSvg } from '../../reply/picture/svg.ts';
import { parseBoard } from '../../solver/board.ts';

const KINDS: Readonly<Record<string, (picture: Picture) => Promise<string | Uint8Array>>> = {
  svg: async (picture) => makeSvg({ ...picture, moving: true }),
  png: drawPicture,
};

/** Refuses a name whose ending says no kind of picture, before anything is searched. */
export function checkPictureFile(file: string): void {
  kindOf(file);
}

/** Saves the picture of a solution. A file of that name is replaced once the picture is whole. */
export async function savePicture(
  file: string,
  sides: readonly string[],
  words: readonly string[],
): Promise<void> {
  const board = parseBoard(sides.join(' '));
  const drawn = await kindOf(file)({ board, path: pathOf(board, words), captioned: true });
  const whole = `${file}.new`;
  try {
    writeFileSync(whole, drawn);
    renameSync(whole, file);
  } catch (error) {
    rmSync(whole, { force: true });
    throw new UserError('terminal.picture', `"${clip(file, 80)}" can't be written (${errorCode(error)}).`);
  }
}

function kindOf(file: string): (typeof KINDS)[string] {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const kind = Object.hasOwn(KINDS, ending) ? KINDS[ending] : undefined;
  if (kind !== undefined) return kind;
  throw new UserError('terminal.picture', `--picture "${clip(file, 80)}" should end in .png or .svg.`);
}
