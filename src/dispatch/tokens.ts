import { UserError } from '../core/errors.ts';
import { clip } from '../core/text.ts';
import type { OptionValue } from '../reply/model/types.ts';
import { fits, isValueOf, isWrittenDate, placePositionals } from './bare-words.ts';
import type { Command, Option, Options } from './contract.ts';
import { INVISIBLE_CHARACTERS } from './options.ts';
import {
  hasNewspaperShape,
  type IsWord,
  likelyBoardIn,
  looksLikeSides,
  maxBoardWords,
  readingOf,
} from './typed-board.ts';

/** One token of a typed line: a positional word, or `name:value`. */
export type Token = { readonly name?: string; readonly value: string };

/** More than any command needs; a longer line is a paste gone wrong. */
export const MAX_LINE_LENGTH = 4000;
/** Phone keyboards insert their own quotation marks. */
const OPENING_QUOTE = /^["“”„]/;
const CLOSING_QUOTES = '"“”';
const NAME = /^(?:--|—)?(\p{L}[\p{L}\p{N}_-]{0,31})[:=]/u;

/**
 * Splits a typed line into tokens: whitespace separates them, `name:value` (or `name=value`, with or without a space after
 * it) is one, and quotation marks hold values with spaces, in which a backslash escapes the next character. An unclosed
 * quotation goes to the end, and a list goes on after a comma and a space.
 *
 * @example tokenize('hint step:lengths words:"forum mozart"') // [{ value: 'hint' }, { name: 'step', value: 'lengths' }, …]
 */
export function tokenize(line: string): Token[] {
  const tokens: Token[] = [];
  let rest = skipSpace(line);
  while (rest !== '') {
    const name = NAME.exec(rest)?.[1];
    if (name !== undefined) rest = skipSpace(rest.slice(rest.search(/[:=]/) + 1), true);
    let [value, after] = takeValue(rest);
    rest = skipSpace(after);
    if (name === undefined) {
      if (value !== '') tokens.push({ value });
      continue;
    }
    while (value.endsWith(',') && rest !== '' && !NAME.test(rest)) {
      const [more, later] = takeValue(rest);
      value += more;
      rest = skipSpace(later);
    }
    tokens.push({ name: name.toLowerCase(), value });
  }
  return tokens;
}

/** Links as Slack writes them, whose labels have spaces. */
const LABELED_LINK = /^<https?:[^<>]{0,600}>/;

function takeValue(text: string): [value: string, rest: string] {
  const link = LABELED_LINK.exec(text)?.[0];
  if (link !== undefined) return [link, text.slice(link.length)];
  if (!OPENING_QUOTE.test(text)) {
    const end = text.search(/[\s\p{Cc}]/u);
    const value = end < 0 ? text : text.slice(0, end);
    return [value.replace(INVISIBLE_CHARACTERS, ''), text.slice(value.length)];
  }
  let value = '';
  for (let at = 1; at < text.length; at++) {
    const character = text[at]!;
    if (CLOSING_QUOTES.includes(character)) return [value, text.slice(at + 1)];
    value += character === '\\' && at + 1 < text.length ? text[++at]! : character;
  }
  return [value, ''];
}

/** Where another name follows a name, as in `all: step:lengths`, one blank stays, so that the value of the first is empty. */
function skipSpace(text: string, afterName = false): string {
  const trimmed = text.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
  return afterName && NAME.test(trimmed) && trimmed.length < text.length ? ` ${trimmed}` : trimmed;
}

/** The options of a command in the tokens that are typed after it. */
export function readTokens(command: Command, typed: readonly Token[], isWord: IsWord): Options {
  const given = new Map<string, OptionValue>();
  const positionals: string[] = [];
  const tokens = readNames(command, readDashes(command, typed));
  for (let at = 0; at < tokens.length; at++) {
    const { name, value } = tokens[at]!;
    if (name === undefined) {
      positionals.push(value);
      continue;
    }
    if (given.has(name)) throw new UserError('line.twice', `${clip(name)} is there twice. Give it once.`);
    const taken = countFurther(command, tokens, at, { isWord, typed: positionals });
    const further = tokens.slice(at + 1, at + 1 + taken).map((token) => token.value);
    given.set(name, [value, ...further].join(' '));
    at += taken;
  }
  for (const [name, value] of placePositionals(command, positionals, new Set(given.keys()), isWord))
    given.set(name, value);
  return Object.fromEntries(given);
}

const DASHED_NAME = /^(--|—)(\p{L}[\p{L}\p{N}_-]*)$/u;

/** Gives names to options typed as on a command line: `--all` and `--words 3`, which phones turn into `—all`. */
function readDashes(command: Command, tokens: readonly Token[]): Token[] {
  const read: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const [, dashes, name = ''] = (isPositional(token) ? DASHED_NAME.exec(token.value) : null) ?? [];
    const option = command.options.find((one) => one.name === name.toLowerCase());
    const next = tokens[at + 1];
    // A dash between played words stays a dash.
    if (dashes === undefined || (dashes === '—' && option === undefined)) read.push(token);
    else if (option?.kind === 'flag') read.push({ value: option.name });
    else read.push({ name: name.toLowerCase(), value: isPositional(next) ? tokens[++at]!.value : '' });
  }
  return read;
}

/** Gives names to options typed without a colon before a value that can be nothing else, such as `page 2`. */
function readNames(command: Command, tokens: readonly Token[]): Token[] {
  const read: Token[] = [];
  // Each name is tried once: a value of many words takes a while to recognize.
  const tried = new Set<string>();
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const name = token.value.toLowerCase();
    const option =
      isPositional(token) && !tried.has(name) && command.options.find((one) => one.name === name);
    // A positional text needs no name, and whoever reads it tells what is wrong with all of it.
    const isName =
      option &&
      !(option.kind === 'text' && option.positional) &&
      !command.options.some((one) => fits(one, name));
    if (isName) tried.add(name);
    if (isName && beginsWithValue(option, tokens.slice(at + 1, at + 1 + MAX_WORDS_PER_VALUE)))
      read.push({ name, value: tokens[++at]!.value });
    else read.push(token);
  }
  return read;
}

function beginsWithValue(option: Option, following: readonly Token[]): boolean {
  const end = following.findIndex((token) => !isPositional(token));
  const words = following.slice(0, end < 0 ? undefined : end).map(({ value }) => value);
  return words.some((_, last) => isValueOf(option, words.slice(0, last + 1).join(' ')));
}

/** Whether the positional words before an option, or some words after other options, are the board: its words are no sides then. */
function isBoardElsewhere(tokens: readonly Token[], at: number, { isWord, typed }: Before): boolean {
  const runs: string[][] = [[...typed]];
  for (const { name, value } of tokens.slice(at)) {
    if (name === undefined) runs.at(-1)!.push(value);
    else runs.push([]);
  }
  // The second run is the one that is being read. In a later one, the words of another option may come before the board.
  const [before = [], , ...after] = runs;
  return endsWithSides(before, before.length, isWord) || after.some((run) => endsWithSides(run, 2, isWord));
}

/** Whether words end with a board of at least so many sides. */
function endsWithSides(words: readonly string[], least: number, isWord: IsWord): boolean {
  for (let size = maxBoardWords(words.toReversed()); size >= Math.max(1, least); size--) {
    const text = words.slice(-size).join(' ');
    if (likelyBoardIn(text) !== undefined && looksLikeSides(text, isWord)) return true;
  }
  return false;
}

interface Before {
  readonly isWord: IsWord;
  /** The positional words before the option. */
  readonly typed: readonly string[];
}

/** How many positional words after an option belong to it: people leave out quotation marks. */
function countFurther(command: Command, tokens: readonly Token[], at: number, before: Before): number {
  const { isWord } = before;
  const { name, value } = tokens[at]!;
  const option = command.options.find((one) => one.name === name);
  if (option?.kind === 'sides') return countFurtherSides(value, positionalsAfter(command, tokens, at));
  if (option?.kind === 'words' && isBoardElsewhere(tokens, at, before))
    return positionalsAfter(command, tokens, at).length;
  if (option?.kind === 'words')
    return countFurtherWords(value, positionalsAfter(command, tokens, at), isWord);
  const accepts = option?.kind === 'date' ? isWrittenDate : option?.accepts;
  if (accepts === undefined)
    return option?.kind === 'text'
      ? countFurtherText(command, positionalsAfter(command, tokens, at), isWord)
      : 0;
  const words = tokens.slice(at, at + MAX_WORDS_PER_VALUE);
  const end = words.findIndex((token, index) => index > 0 && !isPositional(token));
  const values = words.slice(0, end < 0 ? undefined : end).map((token) => token.value);
  return Math.max(
    0,
    values.findLastIndex((_, last) => accepts(values.slice(0, last + 1).join(' '))),
  );
}

/** Enough for a date, a time zone, such as `central european summer time`, or all steps of a day with their times. */
const MAX_WORDS_PER_VALUE = 18;

/** The number of further words of a free text: all of them, but not a board at their end. */
function countFurtherText({ options }: Command, following: readonly string[], isWord: IsWord): number {
  if (!options.some(({ kind, positional }) => kind === 'sides' && positional)) return following.length;
  for (let size = maxBoardWords(following.toReversed()); size > 0; size--) {
    const board = likelyBoardIn(following.slice(-size).join(' '));
    if (board !== undefined && hasNewspaperShape(board)) return following.length - size;
  }
  return looksLikeSides(following.join(' '), isWord) ? 0 : following.length;
}

/** The number of further words before the sides, such as one (`mozart`) in `words:forum mozart ozu nri lfa mbt`. */
function countFurtherWords(value: string, following: readonly string[], isWord: IsWord): number {
  const board = likelyBoardIn(following.join(' '));
  if (board !== undefined && hasNewspaperShape(board)) return 0;
  const takes = { words: true, sidesFirst: false };
  const { kind, words, sides } = readingOf([value, ...following], takes, isWord);
  const isBoardLast = kind !== 'unclear' && words.length > 0 && sides.at(-1) === following.at(-1);
  if (isBoardLast) return words.length - 1;
  // All that follows is words, unless it may be a board of another shape: then the sides get it.
  return board === undefined ? following.length : 0;
}

/** How many of the words after `sides:ozu` belong to it: people type `sides:ozu nri lfa mbt` without quotation marks. */
function countFurtherSides(value: string, following: readonly string[]): number {
  if (likelyBoardIn(value) !== undefined) return 0;
  for (let taken = maxBoardWords([value, ...following]) - 1; taken > 0; taken--) {
    if (likelyBoardIn([value, ...following.slice(0, taken)].join(' ')) !== undefined) return taken;
  }
  return 0;
}

/** The positional words up to the next name, flag or choice. */
function positionalsAfter(command: Command, tokens: readonly Token[], at: number): string[] {
  const rest = tokens.slice(at + 1);
  const isOther = (token: Token) =>
    !isPositional(token) || command.options.some((option) => fits(option, token.value));
  const end = rest.findIndex(isOther);
  return rest.slice(0, end < 0 ? undefined : end).map(({ value }) => value);
}

export function isPositional(token: Token | undefined): token is Token {
  return token !== undefined && token.name === undefined;
}
