import type { PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { clip, listed, nearest } from '../core/text.ts';
import { findDate } from '../puzzle/calendar.ts';
import { formatBoard } from '../solver/board.ts';
import { type Command, type Option, type Options, offeredOptions } from './contract.ts';
import { plainPhrase } from './options.ts';
import type { Token } from './tokens.ts';
import {
  anyBoardIn,
  areWordsToPlay,
  type IsWord,
  isSentence,
  likelyBoardIn,
  looksLikeBoard,
  maxBoardWords,
  readingOf,
} from './typed-board.ts';

/** Any day does: whether a text is a date does not depend on it. */
const ANY_DAY: PuzzleDate = '2026-11-20';
/** What each date of several words has: a year, a number and a name, or one of these words. */
const PART_OF_DATE = /\d{4}|\d.*[a-z]{2}|[a-z]{3}.*\d|day|ago|\b(?:last|on|for|of|from)\b/i;
/** Days that not all months have: 31 feb is meant as a date, too, and refused when it is read. */
const LATE_DAY = /(?<!\d)(?:29|3\d)(?!\d)/;
/** Such as 2026-11-31, 11/10 and 11-29. */
const LIKE_DATE = /^(?:\d{4}[-/.]\d\S*|\d\d?([-/])\d\d?(?:\1\d+)?)$/;

/** Characters of the longest date, with blanks between its words. */
const MAX_DATE_LENGTH = 100;

export function isDate(text: string): boolean {
  // Checked first, since all words of long lines are tried.
  if (text.length > MAX_DATE_LENGTH || (/\s/.test(text) && !PART_OF_DATE.test(text))) return false;
  return findDate(text.replace(LATE_DAY, '28'), ANY_DAY) !== undefined;
}

/** Whether a text can be nothing but a value of this option. False for words, sides and most texts, which can be anything. */
export function isValueOf({ kind, choices, phrases = {}, accepts }: Option, text: string): boolean {
  switch (kind) {
    case 'choice':
      return choices!.includes(text.toLowerCase()) || Object.hasOwn(phrases, plainPhrase(text));
    case 'date':
      // Also what looks like a date without being read as one, to be refused. "sat" and "wed" are words to play, too.
      return LIKE_DATE.test(text) || (isDate(text) && !/^[a-z]{3,4}$/i.test(text));
    case 'integer':
      return /^#?\d+$/.test(text);
    case 'text':
      return accepts?.(text) ?? false;
    default:
      return false;
  }
}

/** The most words of a value that `isValueOf` knows. A text may be a time zone, or all steps of a day with their times. */
const MOST_WORDS: Readonly<Record<Option['kind'], number>> = {
  // Such as "first and last letters".
  choice: 4,
  integer: 1,
  date: 4,
  text: 18,
  flag: 0,
  words: 0,
  sides: 0,
};

/** How many of the first words are a value of this option. */
function countValue(option: Option, words: readonly string[]): number {
  const first = words.slice(0, MOST_WORDS[option.kind]);
  return first.findLastIndex((_, last) => isValueOf(option, first.slice(0, last + 1).join(' '))) + 1;
}

/** How many of the first words are a value of this option even without its name. */
function countFitting(option: Option, words: readonly string[]): number {
  if (option.kind === 'flag') return Number(words[0]?.toLowerCase() === option.name);
  return option.positional && option.kind !== 'text' ? countValue(option, words) : 0;
}

/** Whether a word is a flag, or a value of some option even without its name. */
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
    if (given.has(name)) throw givenTwiceError(name);
    const values = [value, ...bareValues(tokens.slice(at + 1))];
    const own = values.slice(0, countNamed(command, name, values, isWord));
    given.set(name, own.join(' '));
    at += own.length - 1;
  }
  const placed = placeBare(command, bare, given, isWord);
  for (const name of placed.keys()) if (given.has(name)) throw givenTwiceError(name);
  return Object.fromEntries([...given, ...placed]);
}

/** The values up to the next name. */
function bareValues(tokens: readonly Token[]): string[] {
  const end = tokens.findIndex(({ name }) => name !== undefined);
  return tokens.slice(0, end < 0 ? undefined : end).map(({ value }) => value);
}

/** A name typed as on a command line, such as `--all`. Phones turn its dashes into one long dash. */
const DASHED_NAME = /^(--|—)(\p{L}[\p{L}\p{N}_-]*)$/u;

/** Finds names that have no colon: those typed as on a command line, such as `--words 3`, and those of `isNameBefore`. */
function withNames(command: Command, tokens: readonly Token[]): Token[] {
  const read: Token[] = [];
  // Each name is tried once: a value of many words takes a while to recognize.
  const tried = new Set<string>();
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const [, dashes, dashed = token.value] = DASHED_NAME.exec(token.value) ?? [];
    const name = dashed.toLowerCase();
    const option = command.options.find((one) => one.name === name);
    const following = tokens.slice(at + 1, at + 1 + MOST_WORDS.text);
    // A long dash before any other word is a dash between played words.
    const isDashed = dashes === '--' || (dashes !== undefined && option !== undefined);
    const isBare = dashes === undefined && option !== undefined && !tried.has(name);
    const isName = isDashed || (isBare && isNameBefore(command, option, following));
    tried.add(name);
    const [value] = bareValues(following);
    if (token.name !== undefined || !isName) read.push(token);
    else if (option?.kind === 'flag') read.push({ value: name });
    else {
      read.push({ name, value: value ?? '' });
      if (value !== undefined) at++;
    }
  }
  return read;
}

/** Whether an option's name is typed as a name: if a value follows that can be nothing else, as in `page 2`. */
function isNameBefore(command: Command, option: Option, following: readonly Token[]): boolean {
  // A positional text needs no name, and what is wrong with it is said by the command.
  if (option.kind === 'text' && option.positional) return false;
  return !isFitting(command, option.name) && countValue(option, bareValues(following)) > 0;
}

/** How many of these words belong to the option whose name was typed before them: one at least. */
function countNamed(command: Command, name: string, words: readonly string[], isWord: IsWord): number {
  const option = command.options.find((one) => one.name === name);
  // Such as `date:20 november 2026`.
  if (option?.accepts !== undefined || option?.kind === 'date' || option?.kind === 'choice')
    return Math.max(1, countValue(option, words));
  // A flag or a choice ends other values, such as `sides:ozu nri lfa mbt everyday`.
  const end = words.findIndex((word, at) => at > 0 && isFitting(command, word));
  const own = end < 0 ? words : words.slice(0, end);
  switch (option?.kind) {
    case 'sides':
      return countSides(own);
    case 'words':
    case 'text':
      return command.options.some(({ kind, positional }) => kind === 'sides' && positional)
        ? countBeforeBoard(option, own, isWord)
        : own.length;
    default:
      return 1;
  }
}

/** How many words the longest board at the beginning has; one if the first word is a board by itself. */
function countSides(words: readonly string[]): number {
  const isBoard = (size: number) => likelyBoardIn(words.slice(0, size).join(' ')) !== undefined;
  if (isBoard(1)) return 1;
  let size = maxBoardWords(words);
  while (size > 1 && !isBoard(size)) size--;
  return Math.max(1, size);
}

/** All words, or only those before a board: 2 of the words in `words:forum mozart ozu nri lfa mbt`. */
function countBeforeBoard({ kind }: Option, words: readonly string[], isWord: IsWord): number {
  const reading = readingOf(words, { words: true, sidesFirst: false }, isWord);
  const { words: before, sides } = reading;
  const isBoardLast = before.length > 0 && sides.length > 0 && sides.at(-1) === words.at(-1);
  // A text may end with any words, also with groups of letters.
  const isSure = kind === 'words' || looksLikeBoard(sides.join(' '), isWord, { isAsked: true });
  if (isBoardLast && isSure && !reading.isUnclear) return before.length;
  // `readingOf` takes a first word such as that of `name:tea oz un ri lf` for a side.
  return looksLikeBoard(words.slice(1).join(' '), isWord, { isAsked: true }) ? 1 : words.length;
}

/** A command, and the values that words without a name gave its options so far. */
interface Placing {
  readonly command: Command;
  readonly placed: Map<string, string>;
  readonly isWord: IsWord;
}

/** Gives words without a name to options: first what can be a value of one option only, then the rest. */
function placeBare(
  command: Command,
  words: readonly string[],
  given: ReadonlyMap<string, string>,
  isWord: IsWord,
): ReadonlyMap<string, string> {
  const placed = new Map<string, string>();
  const openOptions = () => command.options.filter(({ name }) => !given.has(name) && !placed.has(name));
  const rest: string[] = [];
  for (let at = 0; at < words.length; ) {
    const next = words.slice(at, at + MOST_WORDS.date);
    const option = openOptions().find((one) => countFitting(one, next) > 0);
    const size = option === undefined ? 1 : countFitting(option, next);
    const own = next.slice(0, size);
    // FROM and MON chain.
    const isMove = () =>
      size === 1
        ? isChained(command, words, at)
        : own.every((word) => isWord(word.toLowerCase())) && areWordsToPlay(own.join(' '), isWord);
    const isPlayed = option?.kind === 'date' && isMove();
    if (option === undefined || isPlayed) rest.push(...own);
    else placed.set(option.name, option.kind === 'flag' ? 'yes' : own.join(' '));
    at += size;
  }
  const open = openOptions().filter(({ positional }) => positional);
  if (rest.length > 0) placeRest({ command, placed, isWord }, open, rest);
  return placed;
}

/** Gives the other words to the first open option that can have any words as its value. */
function placeRest(placing: Placing, open: readonly Option[], rest: readonly string[]): void {
  const first = open.find(({ kind }) => kind === 'words' || kind === 'sides' || kind === 'text');
  if (first !== undefined) refuseSlip(open, rest);
  // Also a wrong value, as in `race x`: `readOptions` says what is right.
  const taker = first ?? open[0];
  // "today: ozu nri lfa mbt" is no mistake in a date.
  const isBoard = taker?.kind === 'date' && looksLikeBoard(rest.join(' '), placing.isWord);
  if (taker === undefined || isBoard) throw unusedWordError(placing.command, rest[0]!);
  if (taker.kind === 'text') placeText(placing, taker, rest);
  else if (open.some(({ kind }) => kind === 'sides')) placeBoard(placing, open, rest);
  else placing.placed.set(taker.name, rest.join(' '));
}

/** Whether a word such as "yesterday" chains with a word beside it, so that it is played rather than names a day. */
function isChained(command: Command, words: readonly string[], at: number): boolean {
  const playedWord = (word = '') => (isFitting(command, word) ? '' : word.toLowerCase());
  const word = words[at]!.toLowerCase();
  const before = playedWord(words[at - 1]);
  const after = playedWord(words[at + 1]);
  return before.at(-1) === word[0] || after[0] === word.at(-1);
}

/** Refuses a mistyped choice, which would otherwise be read as the side of a board. */
function refuseSlip(open: readonly Option[], [word = '']: readonly string[]): void {
  // A shorter word is rather a side.
  if (word.length < 4) return;
  for (const { kind, choices = [] } of open) {
    const meant = kind === 'choice' ? nearest(word, choices) : undefined;
    if (meant !== undefined)
      throw new UserError('line.choice', `There is no "${clip(word)}". Did you mean ${meant}?`);
  }
}

/** Places the words of a text. A date or a board after a choice that takes one, as in `relay start yesterday`, is no text. */
function placeText({ command, placed, isWord }: Placing, text: Option, words: readonly string[]): void {
  const [choice = '', ...more] = words;
  const rest = more.join(' ');
  const optionsOfChoice = new Map(Object.entries(text.optionsOfChoice ?? {}));
  const names = optionsOfChoice.get(choice.toLowerCase()) ?? [];
  const isRest = (option: Option) =>
    option.kind === 'sides'
      ? looksLikeBoard(rest, isWord, { isAsked: true })
      : option.kind === 'date' && isValueOf(option, rest);
  const taker = command.options.find(
    (option) => names.includes(option.name) && !placed.has(option.name) && isRest(option),
  );
  placed.set(text.name, taker === undefined ? words.join(' ') : choice);
  if (taker !== undefined) placed.set(taker.name, rest);
}

/** Divides the rest into played words and the sides of a board, or says what to type where that is not clear. */
function placeBoard(placing: Placing, open: readonly Option[], rest: readonly string[]): void {
  const { command, placed, isWord } = placing;
  const shared = open.filter(({ kind }) => kind === 'words' || kind === 'sides');
  const wordsOption = shared.find(({ kind }) => kind === 'words');
  const sidesOption = shared.find(({ kind }) => kind === 'sides')!;
  const takes = { words: wordsOption !== undefined, sidesFirst: shared[0] === sidesOption };
  const { words, sides, isUnclear } = readingOf(rest, takes, isWord);
  const boardName = command.options.find(
    ({ name, kind, inForm }) => kind === 'text' && inForm && !placed.has(name),
  );
  // `board standings tea time`: the words are a name, since they are no board.
  if (boardName !== undefined && words.length === 0 && isSentence(rest, isWord)) {
    placed.set(boardName.name, rest.join(' '));
    return;
  }
  // `board make list ozu nri lfa mbt` has two actions; but `board standings list` may be about a board called "List".
  if (boardName === undefined || rest.length > 1) refuseSecondChoice(placing, rest);
  if (isUnclear) throw unclearSidesError(command, sides);
  if (isSentence(sides, isWord)) throw unlikelySidesError(command, sides);
  if (wordsOption !== undefined && words.length > 0) placed.set(wordsOption.name, words.join(' '));
  else if (words.length > 0) refuseMoreThanBoard(command, boardName, words, sides, rest);
  if (sides.length > 0) placed.set(sidesOption.name, sides.join(' '));
}

/** Refuses a second value of a choice, which would otherwise be read as a side or a word. */
function refuseSecondChoice({ command, placed }: Placing, rest: readonly string[]): void {
  const twice = command.options.find(
    (option) =>
      option.kind === 'choice' && placed.has(option.name) && rest.some((word) => isValueOf(option, word)),
  );
  if (twice !== undefined) throw givenTwiceError(twice.name);
}

/** Refuses other words beside a board, at a command that takes no words. */
function refuseMoreThanBoard(
  command: Command,
  boardName: Option | undefined,
  words: readonly string[],
  sides: readonly string[],
  all: readonly string[],
): void {
  const boardOf = (typed: readonly string[]) => {
    const board = likelyBoardIn(typed.join(' '));
    return board && formatBoard(board);
  };
  const board = boardOf(sides);
  // The same board may have been pasted twice.
  if (board === undefined || board === boardOf(words)) return;
  // Such as "-e forum", of other solvers.
  const flag = words.find((word) => /^-\p{L}$/u.test(word));
  if (flag !== undefined) throw unusedWordError(command, flag);
  const seen = `I see the board ${board.toUpperCase()}`;
  const unused = clip(words.join(' '));
  if (boardName !== undefined)
    throw new UserError(
      'line.text',
      `${seen}. For its ${boardName.name}, type after it: ${boardName.name}:"${unused}"`,
    );
  const whole = boardOf(all);
  const advice =
    whole === undefined ? '' : ` To make it all one board, type: ${command.name} sides:"${whole}"`;
  throw new UserError(
    'line.more-than-board',
    `${seen}, but not what "${unused}" is for. Leave it out.${advice}`,
  );
}

export function givenTwiceError(name: string): UserError {
  return new UserError('line.twice', `${clip(name)} is there twice. Give it once.`);
}

function unclearSidesError({ name }: Command, sides: readonly string[]): UserError {
  const line = clip(`${name} sides:"${sides.join(' ')}"`, 200);
  return new UserError(
    'line.unclear-sides',
    `I can’t tell words from sides there. For words alone, put commas between them. For a board, type: ${line}`,
  );
}

function unlikelySidesError({ name }: Command, sides: readonly string[]): UserError {
  const typed = sides.join(' ');
  const board = anyBoardIn(typed);
  const advice = board === undefined ? '' : ` If it is one, type: ${name} sides:"${formatBoard(board)}"`;
  return new UserError('line.sides', `I can’t read "${clip(typed)}" as a board.${advice}`);
}

function unusedWordError(command: Command, word: string): UserError {
  const names = offeredOptions(command).map(({ name }) => name);
  const meant = nearest(word, names);
  const example = command.options.find(({ name }) => name === meant)?.example;
  let advice = `Its options, typed as name:value, are ${listed(names)}.`;
  if (names.length === 0) advice = 'It takes no options.';
  if (names.length === 1) advice = `Its one option is typed as ${names[0]}:value.`;
  if (meant !== undefined) advice = `Did you mean ${meant}${example === undefined ? '' : `:${example}`}?`;
  return new UserError('line.bare', `${command.name} can’t use "${clip(word)}". ${advice}`);
}
