import type { PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { clip, listed, nearest } from '../core/text.ts';
import { findDate } from '../puzzle/calendar.ts';
import { formatBoard } from '../solver/board.ts';
import { type Command, type Option, type Options, offeredOptions } from './contract.ts';
import { INVISIBLE_CHARACTERS } from './options.ts';
import {
  anyBoardIn,
  type IsWord,
  isSentence,
  likelyBoardIn,
  looksLikeBoard,
  maxBoardWords,
  readingOf,
} from './typed-board.ts';

/** Any day will do to see whether a date is one. */
const SOME_DAY: PuzzleDate = '2026-11-20';

export function isDate(text: string): boolean {
  // A date of several words has one of these: all words of long lines are tried.
  if (/\s/.test(text) && !/\d{4}|\d.*[a-z]{2}|[a-z]{3}.*\d|day|ago|\b(?:last|on)\b/i.test(text)) return false;
  return findDate(text, SOME_DAY) !== undefined;
}

/** Whether text can be nothing but a value of this option. Words and most texts can be anything. */
export function isValueOf({ kind, choices, accepts }: Option, text: string): boolean {
  switch (kind) {
    case 'choice':
      return choices?.includes(text.toLowerCase()) ?? false;
    case 'date':
      // Such as "sat" and "wed" are words to play.
      return /^\d{4}[-/.]\d\S*$/.test(text) || (isDate(text) && !/^[a-z]{3,4}$/i.test(text));
    case 'integer':
      return /^\d+$/.test(text);
    case 'text':
      return accepts?.(text) ?? false;
    default:
      return false;
  }
}

/** The most words of a value: of a date, and of a text, which may be a time zone, or all steps of a day with their times. */
const MOST_WORDS: Readonly<Partial<Record<Option['kind'], number>>> = {
  choice: 1,
  integer: 1,
  date: 4,
  text: 18,
};

/** How many of the first words are a value of this option. */
function countValue(option: Option, words: readonly string[]): number {
  const first = words.slice(0, MOST_WORDS[option.kind] ?? 0);
  return first.findLastIndex((_, last) => isValueOf(option, first.slice(0, last + 1).join(' '))) + 1;
}

/** How many of the first words fit an option that is not named, by their look alone. */
function countFitting(option: Option, words: readonly string[]): number {
  if (option.kind === 'flag') return Number(words[0]?.toLowerCase() === option.name);
  return option.positional && option.kind !== 'text' ? countValue(option, words) : 0;
}

/** Whether a word is a flag, a choice or another value by its look alone. */
const isFitting = ({ options }: Command, word: string) =>
  options.some((option) => countFitting(option, [word]) > 0);

/**
 * The options of a command in the tokens that are typed after it. Values need no quotation marks, and most need no name: a
 * choice, a date or a number takes the words that fit it; words and sides share the rest.
 *
 * @param isWord tells words from sides with letters that repeat
 * @example readTokens(check, tokenize('forum,mozart ozu nri lfa mbt'), isWord) // { words: 'forum,mozart', sides: 'ozu nri lfa mbt' }
 */
export function readTokens(command: Command, typed: readonly Token[], isWord: IsWord): Options {
  const given = new Map<string, string>();
  const bare: string[] = [];
  const tokens = withNames(command, typed);
  for (let at = 0; at < tokens.length; at++) {
    const { name, value } = tokens[at]!;
    if (name === undefined) {
      bare.push(value);
      continue;
    }
    if (given.has(name)) throw new UserError('line.twice', `${clip(name)} is there twice. Give it once.`);
    const further = bareValues(tokens.slice(at + 1));
    const taken = countFurther(command, name, [value, ...further], isWord);
    given.set(name, [value, ...further.slice(0, taken)].join(' '));
    at += taken;
  }
  const placed = placeBare(command, bare, given, isWord);
  return Object.fromEntries([...given, ...placed]);
}

/** The values up to the next name. */
function bareValues(tokens: readonly Token[]): string[] {
  const end = tokens.findIndex(({ name }) => name !== undefined);
  return tokens.slice(0, end < 0 ? undefined : end).map(({ value }) => value);
}

/**
 * Gives names to options typed as on a command line, `--all` and `--words 3`, which phones turn into `—all`, and to those before
 * a value that can be nothing else, such as `page 2`.
 */
function withNames(command: Command, tokens: readonly Token[]): Token[] {
  const read: Token[] = [];
  // Each name is tried once: a value of many words takes a while to recognize.
  const tried = new Set<string>();
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const [, dashes, typed = token.value] = /^(--|—)(\p{L}[\p{L}\p{N}_-]*)$/u.exec(token.value) ?? [];
    const name = typed.toLowerCase();
    const option = command.options.find((one) => one.name === name);
    const next =
      option === undefined && dashes === undefined ? [] : bareValues(tokens.slice(at + 1, at + 19));
    // A dash between played words stays a dash. A positional text needs no name, and whoever reads it tells what is wrong with it.
    const isName =
      dashes === undefined
        ? !tried.has(name) &&
          option !== undefined &&
          !(option.kind === 'text' && option.positional) &&
          !isFitting(command, name) &&
          countValue(option, next) > 0
        : dashes === '--' || option !== undefined;
    tried.add(name);
    if (token.name !== undefined || !isName) read.push(token);
    else if (option?.kind === 'flag') read.push({ value: name });
    else read.push({ name, value: next.length > 0 ? tokens[++at]!.value : '' });
  }
  return read;
}

/** How many words after the first one belong to a named option, too. */
function countFurther(command: Command, name: string, words: readonly string[], isWord: IsWord): number {
  const option = command.options.find((one) => one.name === name);
  if (option?.accepts !== undefined || option?.kind === 'date')
    return Math.max(1, countValue(option, words)) - 1;
  const end = words.findIndex((word, at) => at > 0 && isFitting(command, word));
  const own = end < 0 ? words : words.slice(0, end);
  if (option?.kind === 'sides') {
    const isSides = (size: number) => likelyBoardIn(own.slice(0, size).join(' ')) !== undefined;
    let size = isSides(1) ? 1 : maxBoardWords(own);
    while (size > 1 && !isSides(size)) size--;
    return Math.max(1, size) - 1;
  }
  if (option?.kind !== 'words' && option?.kind !== 'text') return 0;
  if (!command.options.some(({ kind, positional }) => kind === 'sides' && positional)) return own.length - 1;
  const { words: before, sides, isUnclear } = readingOf(own, { words: true, sidesFirst: false }, isWord);
  const isBoardLast = before.length > 0 && sides.length > 0 && sides.at(-1) === own.at(-1);
  const isSure = option.kind === 'words' || looksLikeBoard(sides.join(' '), isWord, { isAsked: true });
  if (!isUnclear && isBoardLast && isSure) return before.length - 1;
  return looksLikeBoard(own.slice(1).join(' '), isWord, { isAsked: true }) ? 0 : own.length - 1;
}

/** Gives words without a name to the options that take them, in the order of their declaration. */
function placeBare(
  command: Command,
  words: readonly string[],
  given: ReadonlyMap<string, string>,
  isWord: IsWord,
): Map<string, string> {
  const placed = new Map<string, string>();
  const isOpen = ({ name }: Option) => !given.has(name) && !placed.has(name);
  const rest: string[] = [];
  for (let at = 0; at < words.length; ) {
    const fitting = command.options
      .filter(isOpen)
      .map((option) => ({ option, size: countFitting(option, words.slice(at, at + MOST_WORDS.date!)) }))
      .find(({ size }) => size > 0);
    const { option, size } = fitting ?? { size: 1 };
    if (option === undefined || (option.kind === 'date' && isChained(command, words, at, size)))
      rest.push(...words.slice(at, at + size));
    else placed.set(option.name, option.kind === 'flag' ? 'yes' : words.slice(at, at + size).join(' '));
    at += size;
  }
  if (rest.length === 0) return placed;
  const open = command.options.filter((option) => option.positional && isOpen(option));
  const text = rest.join(' ');
  const [first] = open.filter(({ kind }) => kind === 'words' || kind === 'sides' || kind === 'text');
  const taker = first ?? open[0];
  if (taker === undefined) throw unusedWordError(command, rest[0]!);
  if (first !== undefined) refuseSlip(open, rest);
  if (taker.kind === 'text') return placeText(command, taker, rest, placed, isWord);
  const hasSides = open.some(({ kind }) => kind === 'sides');
  // Of what does not look like its value, whoever reads the option says what it takes.
  return hasSides ? placeBoard(command, open, rest, placed, isWord) : placed.set(taker.name, text);
}

/** Whether a word such as "yesterday" is played between others, rather than naming a day; never a date of several words. */
function isChained(command: Command, words: readonly string[], at: number, size: number): boolean {
  const other = (word = '') => (isFitting(command, word) ? '' : word.toLowerCase());
  const word = words[at]!.toLowerCase();
  const [before, after] = [other(words[at - 1]), other(words[at + 1])];
  const isLinked = (before !== '' && before.at(-1) === word[0]) || (after !== '' && after[0] === word.at(-1));
  return size === 1 && isLinked;
}

/** Refuses a mistyped choice, which would otherwise be read as the side of a board. */
function refuseSlip(open: readonly Option[], [word = '']: readonly string[]): void {
  for (const { kind, choices = [] } of open) {
    const meant = kind === 'choice' && word.length > 3 ? nearest(word, choices) : undefined;
    if (meant !== undefined)
      throw new UserError('line.choice', `There is no "${clip(word)}". Did you mean ${meant}?`);
  }
}

/** Places the words of a text. Those after a choice that takes a board, such as `relay start`, are its date or its sides. */
function placeText(
  { options }: Command,
  text: Option,
  [choice = '', ...more]: readonly string[],
  placed: Map<string, string>,
  isWord: IsWord,
): Map<string, string> {
  const { optionsOfChoice = {} } = text;
  const action = choice.toLowerCase();
  const named = Object.hasOwn(optionsOfChoice, action) ? optionsOfChoice[action]! : [];
  const rest = more.join(' ');
  const board = options.find(
    (option) =>
      named.includes(option.name) &&
      !placed.has(option.name) &&
      (option.kind === 'sides'
        ? looksLikeBoard(rest, isWord, { isAsked: true })
        : option.kind === 'date' && isValueOf(option, rest)),
  );
  if (board === undefined) return placed.set(text.name, [choice, ...more].join(' '));
  return placed.set(text.name, choice).set(board.name, rest);
}

/** Divides the rest into played words and the sides of a board, or says what to type where that is not clear. */
function placeBoard(
  { name, options }: Command,
  open: readonly Option[],
  rest: readonly string[],
  placed: Map<string, string>,
  isWord: IsWord,
): Map<string, string> {
  const shared = open.filter(({ kind }) => kind === 'words' || kind === 'sides');
  const wordsOption = shared.find(({ kind }) => kind === 'words');
  const takes = { words: wordsOption !== undefined, sidesFirst: shared[0]?.kind === 'sides' };
  const { words, sides, isUnclear } = readingOf(rest, takes, isWord);
  // A text that only a form asks for, such as the note on a made board.
  const text = options.find((option) => option.kind === 'text' && option.inForm && !placed.has(option.name));
  // A sentence, such as "board standings tea time".
  if (text !== undefined && words.length === 0 && isSentence(rest, isWord))
    return placed.set(text.name, rest.join(' '));
  // A second choice would be read as a side or a word, but a single word may be a name, such as that of a board called "List".
  const twice = options.find(
    (option) =>
      option.kind === 'choice' && placed.has(option.name) && rest.some((word) => isValueOf(option, word)),
  );
  if (twice !== undefined && (text === undefined || rest.length > 1))
    throw new UserError('line.twice', `${clip(twice.name)} is there twice. Give it once.`);
  const sidesName = shared.find(({ kind }) => kind === 'sides')!.name;
  if (isUnclear)
    throw new UserError(
      'line.unclear-sides',
      `I can’t tell words from sides there. For words alone, put commas between them. For a board, type: ${clip(`${name} sides:"${sides.join(' ')}"`, 200)}`,
    );
  if (isSentence(sides, isWord)) {
    const board = anyBoardIn(sides.join(' '));
    const advice = board === undefined ? '' : ` If it is one, type: ${name} sides:"${formatBoard(board)}"`;
    throw new UserError('line.sides', `I can’t read "${clip(sides.join(' '))}" as a board.${advice}`);
  }
  if (wordsOption !== undefined && words.length > 0) placed.set(wordsOption.name, words.join(' '));
  else refuseMoreThanBoard(name, text, { words, sides, rest });
  return sides.length === 0 ? placed : placed.set(sidesName, sides.join(' '));
}

/** Refuses other words beside a board, at a command that takes no words. */
function refuseMoreThanBoard(
  name: string,
  text: Option | undefined,
  typed: Readonly<Record<'words' | 'sides' | 'rest', readonly string[]>>,
): void {
  const [board, other, whole] = [typed.sides, typed.words, typed.rest].map((words) => {
    const read = likelyBoardIn(words.join(' '));
    return read && formatBoard(read);
  });
  // The same board, pasted twice.
  if (typed.words.length === 0 || board === undefined || board === other) return;
  const unused = clip(typed.words.join(' '));
  const advice = whole === undefined ? '' : ` To make it all one board, type: ${name} sides:"${whole}"`;
  throw new UserError(
    text === undefined ? 'line.more-than-board' : 'line.text',
    text === undefined
      ? `I see the board ${board.toUpperCase()}, but not what "${unused}" is for. Leave it out.${advice}`
      : `I see the board ${board.toUpperCase()}. For its ${text.name}, type after it: ${text.name}:"${unused}"`,
  );
}

function unusedWordError(command: Command, word: string): UserError {
  const names = offeredOptions(command).map(({ name }) => name);
  const meant = nearest(word, names);
  const example = command.options.find(({ name }) => name === meant)?.example;
  let advice = `Its options, typed as name:value, are ${listed(names)}.`;
  if (names.length === 0) advice = 'It takes no options.';
  if (meant !== undefined) advice = `Did you mean ${meant}${example === undefined ? '' : `:${example}`}?`;
  return new UserError('line.bare', `${command.name} can’t use "${clip(word)}". ${advice}`);
}

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
    if (name !== undefined) rest = skipSpaceAfterName(rest.slice(rest.search(/[:=]/) + 1));
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

function skipSpace(text: string): string {
  return text.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
}

/** Where another name follows a name, as in `all: step:lengths`, one blank stays, so that the value of the first is empty. */
function skipSpaceAfterName(text: string): string {
  const trimmed = skipSpace(text);
  return NAME.test(trimmed) && trimmed.length < text.length ? ` ${trimmed}` : trimmed;
}
