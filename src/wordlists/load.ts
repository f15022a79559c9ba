import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorCode, UserError } from '../core/errors.ts';
import { clip } from '../core/text.ts';
import {
  compileLexicon,
  type Lexicon,
  type LexiconEntry,
  LexiconError,
  loadLexicon,
} from '../solver/lexicon.ts';

/** By a name of package.json's `imports`, because compiled files are one folder deeper. */
export const LEXICON_FILE = fileURLToPath(import.meta.resolve('#lexicon'));

/** The compiled word list; throws `LexiconError`, which says what to run, when it is missing or damaged. */
export function readLexicon(file: string = LEXICON_FILE): Lexicon {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new LexiconError(`can't be read (${errorCode(error)}: ${file})`);
  }
  return loadLexicon(bytes);
}

const SHORTEST = 3;
const SHOWN = 3;

/**
 * A person's own word list: one word a line, `#` starts a comment. It replaces the lexicon, or
 * extends it when the file name begins with a plus. Its words count as accepted, so they get likelihood 1.
 * In a list that replaces the lexicon all are everyday words.
 *
 * @example readOwnWords('+family.txt', lexicon)
 */
export function readOwnWords(name: string, lexicon: () => Lexicon): Lexicon {
  const extend = name.startsWith('+');
  const file = extend ? name.slice(1) : name;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(
      'words.file',
      `The word list "${clip(file, 80)}" can't be read (${errorCode(error)}).`,
    );
  }
  return lexiconFromText(text, extend ? lexicon() : undefined, file);
}

export function lexiconFromText(
  text: string,
  extended: Lexicon | undefined,
  name = 'the word list',
): Lexicon {
  const words = parseWords(text, name);
  const own = words.map(
    (word): LexiconEntry => ({
      word,
      likelihood: 1,
      tier: extended?.find(word)?.tier ?? (extended === undefined ? 'everyday' : 'wide'),
    }),
  );
  return loadLexicon(compileLexicon([...(extended?.entries() ?? []), ...own]));
}

function parseWords(text: string, name: string): string[] {
  const words: string[] = [];
  const wrong: string[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  lines.forEach((line, index) => {
    const word = line.replace(/#.*$/, '').trim().toLowerCase();
    if (word === '') return;
    if (!/^[a-z]+$/.test(word)) wrong.push(`line ${index + 1} ("${clip(word, 20)}")`);
    else if (word.length >= SHORTEST) words.push(word);
  });
  if (wrong.length > 0) {
    const rest = wrong.length > SHOWN ? ` and ${wrong.length - SHOWN} more` : '';
    throw new UserError(
      'words.lines',
      `${clip(name, 80)} should have one word of plain letters a line. Wrong: ${wrong.slice(0, SHOWN).join(', ')}${rest}.`,
    );
  }
  if (words.length === 0)
    throw new UserError('words.empty', `${clip(name, 80)} has no word of three letters or more.`);
  return words;
}
