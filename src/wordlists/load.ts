import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
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
import { isSuitable } from './offensive-words.ts';

/** Resolved by a name of package.json's `imports`, because compiled files are one folder deeper. */
export const LEXICON_FILE = fileURLToPath(import.meta.resolve('#lexicon'));

let ours: Lexicon | undefined;

/** The compiled word list, read once. */
export function readLexicon(): Lexicon {
  ours ??= readLexiconFile(LEXICON_FILE);
  return ours;
}

/** @throws LexiconError, which says what to run, when the file is missing or damaged */
export function readLexiconFile(file: string): Lexicon {
  let bytes: Uint8Array;
  try {
    const handle = openSync(file, 'r');
    // Read in one piece, which takes half the memory of `readFileSync`.
    bytes = new Uint8Array(fstatSync(handle).size);
    readSync(handle, bytes);
    closeSync(handle);
  } catch (error) {
    throw new LexiconError(`can't be read (${errorCode(error)}: ${file})`);
  }
  return loadLexicon(bytes);
}

const WORDS_SHOWN = 3;

/** Called with one sentence if lines of a list were left out. */
type Note = (sentence: string) => void;

/**
 * Our word list, or a person's own, such as /usr/share/dict/words: one word a line, `#` starts a comment. It replaces ours, or
 * extends it if the file name begins with a plus. Its words count as accepted, so they get likelihood 1. In a list that
 * replaces ours, all but offensive words are everyday words.
 *
 * @param name a file, as in the setting `WORDS_FILE`; undefined for our list
 * @example lexiconOf('+family.txt', console.error)
 */
export function lexiconOf(name: string | undefined, note: Note): Lexicon {
  if (name === undefined) return readLexicon();
  const extend = name.startsWith('+');
  const file = extend ? name.slice(1) : name;
  let text: string | undefined;
  try {
    text = readText(file);
  } catch (error) {
    throw new UserError(
      'words.file',
      `The word list "${clip(file, 80)}" can't be read (${errorCode(error)}).`,
    );
  }
  if (text === undefined) {
    const most = `${MAX_BYTES / 1e6} MB`;
    throw new UserError('words.file', `The word list "${clip(file, 80)}" is too long. It can have ${most}.`);
  }
  return lexiconFromText(text, extend ? readLexicon() : undefined, file, note);
}

/** Bytes: twice the longest list of Debian. */
const MAX_BYTES = 16_000_000;

/** Reads a file, pipe or device; a pipe or device may never end. Undefined for more than `MAX_BYTES`. */
function readText(file: string): string | undefined {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.allocUnsafe(MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const read = readSync(handle, bytes, length, bytes.length - length, null);
      length += read;
      if (length > MAX_BYTES) return undefined;
      if (read === 0) return bytes.toString('utf8', 0, length);
    }
  } finally {
    closeSync(handle);
  }
}

export function lexiconFromText(
  text: string,
  extended: Lexicon | undefined,
  name = 'the word list',
  note?: Note,
): Lexicon {
  // Node sorts plain strings several times as fast as the entries made of them.
  const words = parseWords(text, name, note).sort();
  const own = words.map(
    (word): LexiconEntry => ({
      word,
      likelihood: 1,
      tier: extended?.find(word)?.tier ?? (extended === undefined && isSuitable(word) ? 'everyday' : 'wide'),
    }),
  );
  return loadLexicon(compileLexicon([...(extended?.entries() ?? []), ...own]));
}

/** Short and empty lines are no mistakes, so they are not counted as left out. */
function parseWords(text: string, name: string, note: Note | undefined): string[] {
  const words: string[] = [];
  const shown: string[] = [];
  let leftOut = 0;
  let lines = 0;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const comment = line.indexOf('#');
    const typed = (comment < 0 ? line : line.slice(0, comment)).trim().toLowerCase();
    if (typed === '') continue;
    lines += 1;
    const word = /^[a-z]+$/.test(typed) ? typed : withoutAccents(typed);
    if (!/^[a-z]{0,255}$/.test(word)) {
      leftOut += 1;
      if (shown.length < WORDS_SHOWN) shown.push(`"${clip(typed, 20)}"`);
    } else if (word.length >= 3) words.push(word);
  }
  if (words.length === 0) {
    const wrong = shown.length > 0 ? `, only lines such as ${shown.join(', ')}` : '';
    throw new UserError(
      'words.empty',
      `${clip(name, 80)} has no word of three plain letters or more${wrong}. It should have one word on each line.`,
    );
  }
  if (leftOut > 0)
    note?.(
      `${clip(name, 80)}: left out ${leftOut} of ${lines} lines, which are not words of plain letters, such as ${shown.join(', ')}.`,
    );
  return words;
}

function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(/\p{Mark}/gu, '');
}
