import { UserError } from '../core/errors.ts';
import { clip, listed, MONTHS, nearest, splitWords } from '../core/text.ts';
import { formatBoard, GENERATED_LIMITS, hasRepeats, LIMITS } from '../solver/board.ts';
import { judgeWords } from '../solver/check.ts';
import type { Board } from '../solver/types.ts';
import { type Command, type Option, offeredOptions } from './contract.ts';
import {
  anyBoardIn,
  areMostlyNonWords,
  boardIn,
  type IsWord,
  isSentence,
  isUsual,
  NEWSPAPER_SHAPE,
} from './typed-board.ts';

const DATE_PATTERN =
  /^(today|yesterday|tomorrow|(mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}[-/.]?\d\d?[-/.]?\d\d?)$/i;
const MONTH_PATTERN = `(?:sept|${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})`;
const DAY_PATTERN = '\\d\\d?(?:st|nd|rd|th)?';
/** A day in two or three words, such as `18 nov` or `Nov 18, 2026`. */
const WRITTEN_DATE = new RegExp(
  `^(?:${DAY_PATTERN} ${MONTH_PATTERN}|${MONTH_PATTERN} ${DAY_PATTERN}),?(?: \\d{4})?$`,
  'i',
);

export function isWrittenDate(text: string): boolean {
  return WRITTEN_DATE.test(text);
}

/**
 * Gives the positional words of a typed line to the options that take them, in the order of their declaration. A choice, a
 * date or a number takes the word that fits it; words and sides share the rest.
 *
 * @param isWord tells words from sides with letters that repeat
 * @example placePositionals(check, ['forum,mozart', 'ozu', 'nri', 'lfa', 'mbt'], new Set(), isWord).get('sides') // 'ozu nri lfa mbt'
 */
export function placePositionals(
  command: Command,
  positionals: readonly string[],
  given: ReadonlySet<string>,
  isWord: IsWord,
): Map<string, string> {
  const placed = new Map<string, string>();
  const isOpen = ({ name }: Option) => !given.has(name) && !placed.has(name);
  const rest: string[] = [];
  const words = joinDates(command, positionals);
  for (const [at, word] of words.entries()) {
    const option = command.options.find((one) => isOpen(one) && fits(one, word));
    if (option === undefined || (option.kind === 'date' && isChained(command, words, at))) rest.push(word);
    else placed.set(option.name, option.kind === 'flag' ? 'yes' : word);
  }
  if (rest.length === 0) return placed;
  const open = command.options.filter((option) => option.positional && isOpen(option));
  const many = open.filter(({ kind }) => kind === 'words' || kind === 'sides' || kind === 'text');
  const [first] = many;
  if (first === undefined) {
    const taker = open[0];
    if (taker === undefined) throw unusedWordError(command, rest[0]!);
    return placed.set(taker.name, rest.join(' '));
  }
  refuseSlip(open, rest);
  const sides = many.find(({ kind }) => kind === 'sides');
  if (sides === undefined || first.kind === 'text') return placed.set(first.name, rest.join(' '));
  const name = command.options.find((option) => isTextInForm(option) && isOpen(option));
  // A sentence, such as "board standings tea time".
  if (name !== undefined && isSentence(rest, isWord) && splitUsualBoard(rest, isWord)[0].length === 0)
    return placed.set(name.name, rest.join(' '));
  // One more word after a name may look like a choice: names can be anything.
  if (name === undefined || rest.length > 1) refuseSecondChoice(command, placed, rest);
  for (const [option, value] of wordsAndSides(command, many, sides, rest, isWord))
    placed.set(option.name, value);
  return placed;
}

/** Splits the words of a command that takes sides, and perhaps words. Sides declared first are the more likely reading. */
function* wordsAndSides(
  command: Command,
  many: readonly Option[],
  sidesOption: Option,
  rest: readonly string[],
  isWord: IsWord,
): Generator<[Option, string]> {
  const wordsOption = many.find(({ kind }) => kind === 'words');
  const areSides = wordsOption === undefined || (many[0] === sidesOption && isRatherBoard(rest, isWord));
  // One word, as most people type, is no board.
  if (!areSides && rest.length === 1 && isWord(rest[0]!.toLowerCase())) return yield [wordsOption, rest[0]!];
  let [words, sides] = areSides ? splitUsualBoard(rest, isWord) : splitWordsAndSides(rest, isWord);
  const board = boardIn(sides.join(' '));
  const isCertainBoard = board !== undefined && (areSides || isUsual(board));
  // Only a line without a certain board may be one whose letters repeat.
  const repeated = wordsOption === undefined || isCertainBoard ? undefined : splitRepeatedSides(rest, isWord);
  const isReadable = areSides || (board !== undefined && words.every(isWord));
  if (repeated?.areSurelySides) [words, sides] = [repeated.words, repeated.sides];
  else if (repeated !== undefined && !isReadable) throw unclearSidesError(command, repeated);
  else if (isSentence(sides, isWord)) throw noSidesError(command, sides.join(' '));
  if (sides.length > 0) yield [sidesOption, sides.join(' ')];
  if (words.length === 0) return;
  if (wordsOption !== undefined) yield [wordsOption, words.join(' ')];
  else refuseMoreThanBoard(command, words.join(' '), sides.join(' '), rest.join(' '));
}

/** Whether a positional word fits this option by its look alone. */
export function fits(option: Option, word: string): boolean {
  if (option.kind === 'flag') return word.toLowerCase() === option.name;
  if (!option.positional) return false;
  switch (option.kind) {
    case 'choice':
      return option.choices?.includes(word.toLowerCase()) ?? false;
    case 'date':
      return DATE_PATTERN.test(word) || isWrittenDate(word);
    case 'integer':
      return /^\d+$/.test(word);
    default:
      return false;
  }
}

function isTextInForm({ kind, inForm }: Option): boolean {
  return kind === 'text' && inForm === true;
}

/** Refuses a mistyped choice, which would otherwise be read as the side of a board. */
function refuseSlip(open: readonly Option[], [word = '']: readonly string[]): void {
  for (const { kind, choices = [] } of open) {
    const meant = kind === 'choice' && word.length > 3 ? nearest(word, choices) : undefined;
    if (meant !== undefined)
      throw new UserError('line.choice', `There is no "${clip(word)}". Did you mean ${meant}?`);
  }
}

/** Refuses a second choice, which would otherwise be read as the side of a board or as a word. */
function refuseSecondChoice(
  { options }: Command,
  placed: ReadonlyMap<string, string>,
  rest: readonly string[],
): void {
  for (const { name, kind, choices = [] } of options) {
    if (kind === 'choice' && placed.has(name) && rest.some((word) => choices.includes(word.toLowerCase())))
      throw new UserError('line.twice', `${clip(name)} is there twice. Give it once.`);
  }
}

/** Nearly all text can be read as sides, so a whole board of the newspaper's shape with other words beside it is a mistake. */
function refuseMoreThanBoard({ name, options }: Command, words: string, sides: string, all: string): void {
  const board = boardIn(sides);
  const [shown, other] = [board, boardIn(words)].map((one) => one && formatBoard(one));
  // The same board, pasted twice.
  if (shown === undefined || shown === other) return;
  const text = options.find(isTextInForm);
  if (text !== undefined)
    throw new UserError(
      'line.text',
      `I see the board ${shown.toUpperCase()}. For its ${text.name}, type after it: ${text.name}:"${clip(words)}"`,
    );
  const whole =
    boardIn(all) && ` To make it all one board, type: ${name} sides:"${formatBoard(boardIn(all)!)}"`;
  throw new UserError(
    'line.more-than-board',
    `I see the board ${shown.toUpperCase()}, but not what "${clip(words)}" is for. Leave it out.${whole ?? ''}`,
  );
}

/** The mistake for text that may be sides with repeated letters, or words that don't chain. */
function unclearSidesError(
  { name }: Command,
  { words, sides }: { readonly words: readonly string[]; readonly sides: readonly string[] },
): UserError {
  const apart = [...(words.length > 0 ? [`words:${words.join(',')}`] : []), `sides:"${sides.join(' ')}"`];
  return new UserError(
    'line.unclear-sides',
    `I can’t tell words from sides there. For words alone, put commas between them. For a board, type: ${clip(`${name} ${apart.join(' ')}`, 200)}`,
  );
}

/** The mistake for a sentence where only sides can stand. */
function noSidesError({ name }: Command, typed: string): UserError {
  const board = anyBoardIn(typed);
  const advice = board === undefined ? '' : ` If it is one, type: ${name} sides:"${formatBoard(board)}"`;
  return new UserError('line.sides', `I can’t read "${clip(typed)}" as a board.${advice}`);
}

/** Joins a date of several words into one positional word. */
function joinDates({ options }: Command, positionals: readonly string[]): readonly string[] {
  if (!options.some(({ kind, positional }) => kind === 'date' && positional)) return positionals;
  for (const length of [3, 2]) {
    for (let at = 0; at + length <= positionals.length; at++) {
      const date = positionals.slice(at, at + length).join(' ');
      if (isWrittenDate(date)) return [...positionals.slice(0, at), date, ...positionals.slice(at + length)];
    }
  }
  return positionals;
}

/** Whether a word such as "yesterday" is played between others, rather than naming a day. */
function isChained({ options }: Command, words: readonly string[], at: number): boolean {
  const other = (word = '') => (options.some((option) => fits(option, word)) ? '' : word.toLowerCase());
  const word = words[at]!.toLowerCase();
  const [before, after] = [other(words[at - 1]), other(words[at + 1])];
  return (before !== '' && before.at(-1) === word[0]) || (after !== '' && after[0] === word.at(-1));
}

function unusedWordError(command: Command, word: string): UserError {
  const names = offeredOptions(command).map(({ name }) => name);
  const meant = nearest(word, names);
  let advice = `Its options, typed as name:value, are ${listed(names)}.`;
  if (names.length === 0) advice = 'It takes no options.';
  if (meant !== undefined) advice = `Did you mean ${meant}?`;
  return new UserError('line.bare', `${command.name} can’t use "${clip(word)}". ${advice}`);
}

/**
 * Words, then perhaps a board; or a board of the newspaper's kind, then words. Two words that chain share a letter and
 * so are never two sides of a board without repeats; for one that has repeats, see `splitRepeatedSides`.
 */
export function splitWordsAndSides(
  positionals: readonly string[],
  isWord: IsWord,
): [words: readonly string[], sides: readonly string[]] {
  if (isChain(positionals)) return [positionals, []];
  const first = positionals.length - maxBoardWords(positionals.toReversed());
  const starts = positionals
    .map((_, at) => at)
    .filter((at) => at >= first && isPlainBoard(positionals.slice(at), isWord));
  // No word begins early enough to leave room for a board.
  if (starts[0] === 0) return [[], positionals];
  const usual = starts.find((start) => positionals.length - start === NEWSPAPER_SHAPE.sides);
  const before = usual === undefined ? usualBoardAtStart(positionals, isWord) : 0;
  if (before > 0) return [positionals.slice(before), positionals.slice(0, before)];
  const at = usual ?? starts[0] ?? positionals.length;
  return [positionals.slice(0, at), positionals.slice(at)];
}

/** Whether words don't chain, and are as many as the sides of a board or spell one. */
function isRatherBoard(positionals: readonly string[], isWord: IsWord): boolean {
  if (isChain(positionals) || isSentence(positionals, isWord)) return false;
  return positionals.length >= GENERATED_LIMITS.sides[0] || boardIn(positionals.join(' ')) !== undefined;
}

/** Separates a whole board of the newspaper's shape from the words beside it; otherwise everything is sides. */
function splitUsualBoard(
  positionals: readonly string[],
  isWord: IsWord,
): [words: readonly string[], sides: readonly string[]] {
  const whole = anyBoardIn(positionals.join(' '));
  const [words, sides] = splitWordsAndSides(positionals, isWord);
  const part = boardIn(sides.join(' '));
  const isPart = part !== undefined && isUsual(part) && (whole === undefined || hasRepeats(whole));
  return isPart ? [words, sides] : [[], positionals];
}

/** The number of words at the start that form a board such as `ozu nri lfa mbt` or `ozu-nri-lfa-mbt`, if others follow. */
function usualBoardAtStart(positionals: readonly string[], isWord: IsWord): number {
  const isBoard = (size: number) =>
    positionals.length > size && isUsualBoard(positionals.slice(0, size), isWord);
  return [1, NEWSPAPER_SHAPE.sides].find(isBoard) ?? 0;
}

function isUsualBoard(sides: readonly string[], isWord: IsWord): boolean {
  const board = boardIn(sides.join(' '));
  return board !== undefined && isUsual(board) && isPlainBoard(sides, isWord);
}

function isChain(positionals: readonly string[]): boolean {
  const words = positionals.flatMap(splitWords);
  return (
    words.length > 1 && words.every((word, index) => index === 0 || word[0] === words[index - 1]!.at(-1))
  );
}

/** Words of a board that somebody types with a space beside every letter and every comma. */
const MAX_BOARD_WORDS = 60;

/**
 * How many of the first words may be a board: together they have no more letters than one. A line may have two thousand
 * words, too many to try each part of it.
 */
export function maxBoardWords(words: readonly string[]): number {
  let letters = 0;
  const end = words.slice(0, MAX_BOARD_WORDS).findIndex((word) => {
    letters += word.match(/[a-z]/gi)?.length ?? 0;
    return letters > LIMITS.spots[1];
  });
  return end < 0 ? Math.min(words.length, MAX_BOARD_WORDS) : end;
}

/** A single word of twelve letters does not count, although it is a board, too. */
function isPlainBoard(sides: readonly string[], isWord: IsWord): boolean {
  const board = boardIn(sides.join(' '));
  return (
    board !== undefined && !hasRepeats(board) && !(sides.length === 1 && isWord(sides[0]!.toLowerCase()))
  );
}

/** Words and the sides of a board on which letters repeat. */
interface RepeatedSides {
  readonly words: readonly string[];
  readonly sides: readonly string[];
  /** False if words and sides may just as well all be words that don't chain, such as `abc ade fgh ijk`. */
  readonly areSurelySides: boolean;
}

/** No command takes more words. */
const MAX_WORDS = 100;

/**
 * Separates words from a board with repeated letters, before or after them. Any words that don't chain could be its sides,
 * so most sides must not be words. They are surely sides if the words can be played on that board, or if a side is repeated
 * and only one part of the line can be a board.
 *
 * @example splitRepeatedSides(['aeist', 'aeist', 'aeist', 'seats'], isWord) // { words: ['seats'], sides: […], areSurelySides: true }
 */
export function splitRepeatedSides(
  positionals: readonly string[],
  isWord: IsWord,
): RepeatedSides | undefined {
  if (positionals.length > MAX_WORDS || isChain(positionals)) return undefined;
  const parts = boardsOfEnds(positionals).filter(
    ({ board, played }) =>
      areMostlyNonWords(board, isWord) && !played.some((word) => board.sides.includes(word)),
  );
  const played = parts.find((part) => part.played.length > 0 && isPlayable(part, isWord));
  if (played !== undefined) return { ...played, areSurelySides: true };
  const twice = parts.filter(
    ({ board, sides }) => new Set(board.sides).size < board.sides.length && !hasCommas(sides),
  );
  const isWhole = twice.some(({ board, played }) => played.length === 0 && isUsual(board));
  const apart = isWhole ? undefined : twice.find((part) => isApart(part, isWord));
  const likeliest = apart ?? twice[0];
  if (likeliest !== undefined)
    return { ...likeliest, areSurelySides: apart !== undefined || twice.length === 1 };
  if (hasCommas(positionals)) return undefined;
  const unclear = parts.find((part) => areAlike(part, isWord) && hasLettersOf(part));
  return unclear && { ...unclear, areSurelySides: false };
}

/** A board at one end of a line, as typed, and the words at the other end. */
interface Part {
  readonly board: Board;
  readonly sides: readonly string[];
  readonly words: readonly string[];
  /** The words, one by one. */
  readonly played: readonly string[];
}

/** Every board at the beginning or end of a line, largest first. */
function boardsOfEnds(positionals: readonly string[]): Part[] {
  const found: Part[] = [];
  const add = (sides: readonly string[], words: readonly string[]) => {
    const board = boardIn(sides.join(' '));
    // A single word of twelve letters does not count, although it is a board, too.
    const isTyped = board?.sides.length === sides.flatMap(splitWords).length;
    if (board !== undefined && isTyped)
      found.push({ board, sides, words, played: words.flatMap(splitWords) });
  };
  const [first, last] = [maxBoardWords(positionals), maxBoardWords(positionals.toReversed())];
  for (let size = first; size > 0; size--) add(positionals.slice(0, size), positionals.slice(size));
  for (let size = Math.min(last, positionals.length - 1); size > 0; size--)
    add(positionals.slice(-size), positionals.slice(0, -size));
  return found.toSorted((one, other) => other.board.sides.length - one.board.sides.length);
}

function isPlayable({ board, played }: Part, isWord: IsWord): boolean {
  return judgeWords(board, played, isWord).words.every(({ broken }) => broken === undefined);
}

/** Whether everything beside the sides is a word, and no side is one. */
function isApart({ board: { sides }, played }: Part, isWord: IsWord): boolean {
  return played.length > 0 && played.every(isWord) && !sides.some(isWord);
}

/** Whether sides look like sides of one board: equally long, or none of them a word. */
function areAlike({ board: { sides } }: Part, isWord: IsWord): boolean {
  return sides.every((side) => side.length === sides[0]!.length) || !sides.some(isWord);
}

function hasLettersOf({ board: { letters }, played }: Part): boolean {
  return played.every((word) => Array.from(word).every((letter) => letters.includes(letter)));
}

/** Lists of words have commas. */
function hasCommas(typed: readonly string[]): boolean {
  return typed.some((word) => word.includes(','));
}
