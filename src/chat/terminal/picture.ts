import { readFileSync } from 'node:fs';
import { errorCode, UserError } from '../../core/errors.ts';
import { PROGRAM_CALL } from '../../core/program.ts';
import { clip, counted } from '../../core/text.ts';
import { boardInPicture } from '../../reply/picture/pictures.ts';
import { markedSides, sidesOfSeen } from '../../reply/replies/seen-board.ts';
import { parseBoard } from '../../solver/board.ts';
import { typedFile } from './contract.ts';

/** The first bytes of PNG, JPEG, GIF and WebP files, which no text begins with. */
const SIGNATURE = /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF)/;

/** The picture in the standard input; undefined if it has something else, which is left in it. */
export async function pipedPicture(): Promise<Uint8Array | undefined> {
  const { stdin } = process;
  const first: Buffer | null = await new Promise((resolve) => {
    stdin.once('readable', () => resolve(stdin.read()));
  });
  if (first === null) {
    // The input was empty and has ended: reading it once more would never return. This always throws that sides are missing.
    parseBoard('');
    return undefined;
  }
  if (!SIGNATURE.test(first.toString('latin1', 0, 4))) {
    stdin.unshift(first);
    return undefined;
  }
  const chunks = [first];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The sides of the board in a picture. Throws if letters are uncertain, so that nothing is solved: the person types them. */
export async function sidesInPicture(picture: string | Uint8Array): Promise<string> {
  const { sides, unsure } = sidesOfSeen(
    await boardInPicture({ bytes: typeof picture === 'string' ? read(typedFile(picture)) : picture }),
  );
  if (unsure.length === 0) return sides;
  const spoken = sides.replaceAll('-', ' ');
  throw new UserError(
    'terminal.uncertain',
    `I'm not sure of ${counted(unsure.length, 'letter')} in that picture, with a question mark: ${markedSides(parseBoard(sides), unsure)}. Type the board with the right letters: ${PROGRAM_CALL} solve ${spoken}`,
  );
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UserError('terminal.picture', `"${clip(file, 80)}" can't be read (${errorCode(error)}).`);
  }
}
