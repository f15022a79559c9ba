/**
 * Takes the place of src/wordlists/clues.ts in browsers (`browser` in package.json), where the clues are no file beside the
 * program but are downloaded when one is asked for.
 */
import { unpackClues } from '../wordlists/packed.ts';
import { download } from './download.ts';

const clues = download('clues.bin', (bytes) => unpackClues(new TextDecoder().decode(bytes)));

export function readClue(word: string): string | undefined {
  return clues().get(word);
}
