import type { PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { clip, listed, nearest } from '../core/text.ts';
import { findDate } from '../puzzle/calendar.ts';
import { formatBoard } from '../solver/board.ts';
import { type Command, type Option, offeredOptions } from './contract.ts';
import {
  anyBoardIn,
  type IsWord,
  isSentence,
  likelyBoardIn,
  looksLikeSides,
  readingOf,
} from './typed-board.ts';

/** Any day will do to see whether a date is one. */
const SOME_DAY: PuzzleDate = '2026-11-20';

export function isDate(text: string): boolean {
  return findDate(text, SOME_DAY) !== undefined;
}

/** Whether it is a day in two words or more, such as `18 nov` or `last friday`. */
export function isWrittenDate(text: string): boolean {
  return text.trim().includes(' ') && isDate(text);
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
  const multiWord = open.filter(({ kind }) => kind === 'words' || kind === 'sides' || kind === 'text');
  const [first] = multiWord;
  if (first === undefined) {
    const taker = open[0];
    if (taker === undefined) throw unusedWordError(command, rest[0]!);
    // They don't look like its value: whoever reads the option says what it takes.
    return placed.set(taker.name, rest.join(' '));
  }
  refuseSlip(open, rest);
  const sidesOption = multiWord.find(({ kind }) => kind === 'sides');
  if (first.kind === 'text') return placeText(command, first, rest, placed, isWord);
  if (sidesOption === undefined) return placed.set(first.name, rest.join(' '));
  const wordsOption = multiWord.find(({ kind }) => kind === 'words');
  const takes = { words: wordsOption !== undefined, sidesFirst: first === sidesOption };
  // The likeliest way to divide the rest into played words and the sides of a board.
  const { kind, words: played, sides } = readingOf(rest, takes, isWord);
  const textOption = command.options.find((option) => isTextInForm(option) && isOpen(option));
  // A sentence, such as "board standings tea time".
  if (textOption !== undefined && played.length === 0 && isSentence(rest, isWord))
    return placed.set(textOption.name, rest.join(' '));
  // A single word may be a name that looks like a choice, such as a board called "List".
  if (textOption === undefined || rest.length > 1) refuseSecondChoice(command, placed, rest);
  if (kind === 'unclear') throw unclearSidesError(command, played, sides);
  if (kind === 'sides' && isSentence(sides, isWord)) throw noSidesError(command, sides.join(' '));
  if (wordsOption === undefined) refuseMoreThanBoard(command, played, sides, rest);
  else if (played.length > 0) placed.set(wordsOption.name, played.join(' '));
  return sides.length === 0 ? placed : placed.set(sidesOption.name, sides.join(' '));
}

/** Places the words of a text. Those after a choice that takes a board, such as `relay start`, are its date or its sides. */
function placeText(
  { options }: Command,
  text: Option,
  [choice = '', ...more]: readonly string[],
  placed: Map<string, string>,
  isWord: IsWord,
): Map<string, string> {
  const choices = Object.entries(text.optionsOfChoice ?? {});
  const [, names = []] = choices.find(([name]) => name === choice.toLowerCase()) ?? [];
  const open = options.filter(({ name }) => names.includes(name) && !placed.has(name));
  const board =
    open.find((option) => option.kind === 'date' && isValueOf(option, more.join(' '))) ??
    open.find(({ kind }) => kind === 'sides' && looksLikeSides(more.join(' '), isWord));
  if (board === undefined || more.length === 0) return placed.set(text.name, [choice, ...more].join(' '));
  return placed.set(text.name, choice).set(board.name, more.join(' '));
}

/** Whether a positional word fits this option by its look alone. */
export function fits(option: Option, word: string): boolean {
  if (option.kind === 'flag') return word.toLowerCase() === option.name;
  return option.positional === true && option.kind !== 'text' && isValueOf(option, word);
}

/** Whether text can be nothing but a value of this option. Words and most texts can be anything. */
export function isValueOf({ kind, choices, accepts }: Option, text: string): boolean {
  switch (kind) {
    case 'choice':
      return choices?.includes(text.toLowerCase()) ?? false;
    case 'date':
      // Such as "sat" and "wed" are words to play.
      return /^\d{4}[-/.]\d/.test(text) || (isDate(text) && !/^[a-z]{3,4}$/i.test(text));
    case 'integer':
      return /^\d+$/.test(text);
    case 'text':
      return accepts?.(text) ?? false;
    default:
      return false;
  }
}

/** Whether it is a text that need not be given, but that the command's form offers, such as the note on a made board. */
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

/**
 * Refuses other words beside a board of the newspaper's shape, at a command that takes no words. No other shape shows such a
 * mistake, since nearly all text can be read as sides.
 */
function refuseMoreThanBoard(
  { name, options }: Command,
  words: readonly string[],
  sides: readonly string[],
  typed: readonly string[],
): void {
  if (words.length === 0) return;
  const [board, other, whole] = [sides, words, typed].map((part) => {
    const read = likelyBoardIn(part.join(' '));
    return read && formatBoard(read);
  });
  // The same board, pasted twice.
  if (board === undefined || board === other) return;
  const unused = clip(words.join(' '));
  const text = options.find(isTextInForm);
  if (text !== undefined)
    throw new UserError(
      'line.text',
      `I see the board ${board.toUpperCase()}. For its ${text.name}, type after it: ${text.name}:"${unused}"`,
    );
  const advice = whole === undefined ? '' : ` To make it all one board, type: ${name} sides:"${whole}"`;
  throw new UserError(
    'line.more-than-board',
    `I see the board ${board.toUpperCase()}, but not what "${unused}" is for. Leave it out.${advice}`,
  );
}

/** The mistake for text that may be sides with repeated letters, or words that don't chain. */
function unclearSidesError({ name }: Command, words: readonly string[], sides: readonly string[]): UserError {
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
  for (const length of [4, 3, 2]) {
    for (let at = 0; at + length <= positionals.length; at++) {
      const date = positionals.slice(at, at + length).join(' ');
      if (isWrittenDate(date)) return [...positionals.slice(0, at), date, ...positionals.slice(at + length)];
    }
  }
  return positionals;
}

/** Whether a word such as "yesterday" is played between others, rather than naming a day; never a date of several words. */
function isChained({ options }: Command, words: readonly string[], at: number): boolean {
  const other = (word = '') => (options.some((option) => fits(option, word)) ? '' : word.toLowerCase());
  const word = words[at]!.toLowerCase();
  if (word.includes(' ')) return false;
  const [before, after] = [other(words[at - 1]), other(words[at + 1])];
  return (before !== '' && before.at(-1) === word[0]) || (after !== '' && after[0] === word.at(-1));
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
