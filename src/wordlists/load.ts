import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Lexicon, LexiconError, loadLexicon } from '../solver/lexicon.ts';

/** By a name of package.json's `imports`, because compiled files are one folder deeper. */
export const LEXICON_FILE = fileURLToPath(import.meta.resolve('#lexicon'));

/** The compiled word list; throws `LexiconError`, which says what to run, when it is missing or damaged. */
export function readLexicon(file: string = LEXICON_FILE): Lexicon {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new LexiconError(`can't be read (${(error as NodeJS.ErrnoException).code}: ${file})`);
  }
  return loadLexicon(bytes);
}
