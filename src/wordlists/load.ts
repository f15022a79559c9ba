import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { blockThread } from '../core/clock.ts';
import { errorCode, UserError } from '../core/errors.ts';
import { clip } from '../core/text.ts';
import {
  compileLexicon,
  type Lexicon,
  type LexiconEntry,
  LexiconError,
  loadLexicon,
} from '../solver/lexicon.ts';
import type { Tier } from '../solver/types.ts';
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
  try {
    const handle = openSync(file, 'r');
    // Read in one piece, which takes half the memory of `readFileSync`.
    const bytes = new Uint8Array(fstatSync(handle).size);
    readSync(handle, bytes);
    closeSync(handle);
    return loadLexicon(bytes);
  } catch (error) {
    const isDamaged = error instanceof LexiconError;
    const known = isDamaged ? error : new LexiconError(`can't be read (${errorCode(error)}: ${file})`);
    known.message += ' Run "npm run build:lexicon" to make it again.';
    throw known;
  }
}

const WORDS_SHOWN = 3;

/** Called with one sentence if lines of a list were left out. */
type Note = (sentence: string) => void;

/**
 * Our word list, or a person's own, such as /usr/share/dict/words: one word a line, `#` starts a comment. It replaces ours, or
 * extends it if the file name begins with a plus. Its words count as accepted, so they get likelihood 1, and in a list that
 * replaces ours, those that are `isSuitable` are everyday words. Lines of `lexicon --dump` have their own likelihood and tier.
 *
 * @param name a file, as in the setting `WORDS_FILE`, or `-` for standard input; undefined for our list
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
  return lexiconFromText(
    text,
    extend ? readLexicon() : undefined,
    file === STANDARD_INPUT ? 'the input' : file,
    note,
  );
}

/**
 * The words of two lists together. Those of the first are the everyday words, so that a search of everyday words is one of the
 * first list.
 */
export function lexiconOfBoth(first: Lexicon, second: Lexicon): Lexicon {
  const others = [...second.entries()].filter(({ word }) => first.find(word) === undefined);
  const entries = [
    ...[...first.entries()].map((entry) => ({ ...entry, tier: 'everyday' as const })),
    ...others.map((entry) => ({ ...entry, tier: 'wide' as const })),
  ];
  return loadLexicon(compileLexicon(entries));
}

const STANDARD_INPUT = '-';

/** Bytes: twice the longest list of Debian. */
const MAX_BYTES = 16_000_000;

/** Reads a file, pipe or device; a pipe or device may never end. Undefined for more than `MAX_BYTES`. */
function readText(file: string): string | undefined {
  const handle = file === STANDARD_INPUT ? process.stdin.fd : openSync(file, 'r');
  try {
    const bytes = Buffer.allocUnsafe(MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const read = readWhenReady(handle, bytes, length);
      length += read;
      if (length > MAX_BYTES) return undefined;
      if (read === 0) return bytes.toString('utf8', 0, length);
    }
  } finally {
    if (file !== STANDARD_INPUT) closeSync(handle);
  }
}

/** Milliseconds between attempts to read a pipe that is empty, where reading fails instead of waiting. */
const PIPE_PAUSE_MS = 5;

function readWhenReady(handle: number, bytes: Buffer, from: number): number {
  for (;;) {
    try {
      return readSync(handle, bytes, from, bytes.length - from, null);
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      blockThread(PIPE_PAUSE_MS);
    }
  }
}

/** @param base the list that the words extend; undefined if they replace ours */
export function lexiconFromText(
  text: string,
  base: Lexicon | undefined,
  name = 'the word list',
  note?: Note,
): Lexicon {
  // Sorted already here, as strings: entries take several times as long to sort, unless they are in order.
  const words = parseWords(text, name, note).sort();
  const own = words.map(
    (line): LexiconEntry =>
      dumped(line) ?? {
        word: line,
        likelihood: 1,
        tier: base?.find(line)?.tier ?? (base === undefined && isSuitable(line) ? 'everyday' : 'wide'),
      },
  );
  // Of equal words, the last counts.
  return loadLexicon(compileLexicon([...(base?.entries() ?? []), ...own]));
}

/** A line of `lexicon --dump`: a word with its tier and its likelihood. */
const DUMPED = /^([a-z]{3,255})\t(everyday|wide)\t(0\.\d{1,6}|1(?:\.0{1,6})?)$/;

function dumped(line: string): LexiconEntry | undefined {
  const [, word, tier, likelihood] = DUMPED.exec(line) ?? [];
  return word === undefined ? undefined : { word, tier: tier as Tier, likelihood: Number(likelihood) };
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
    if (DUMPED.test(typed)) words.push(typed);
    else if (!/^[a-z]{0,255}$/.test(word)) {
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
