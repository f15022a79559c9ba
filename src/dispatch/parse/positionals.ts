import { UserError } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import { clip, listed, splitWords } from '../../core/text.ts';
import { formatBoard, hasRepeats, LIMITS } from '../../solver/board.ts';
import { type Command, type Option, offeredOptions } from '../contract.ts';
import { boardIn, isUsual } from './bare-board.ts';

const DATE =
  /^(today|yesterday|tomorrow|(mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}[-/.]?\d\d?[-/.]?\d\d?)$/i;
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = '\\d\\d?(?:st|nd|rd|th)?';
/** A day in two or three words, such as `18 nov` or `Nov 18, 2026`. */
const WRITTEN_DATE = new RegExp(`^(?:${DAY} ${MONTH}|${MONTH} ${DAY}),?(?: \\d{4})?$`, 'i');

/**
 * Gives the positional words of a typed line to the options that take them, in the order of their declaration. A
 * choice, a date or a number takes the word that fits it; words and sides share the rest.
 *
 * @example placePositionals(check, ['forum,mozart', 'ozu', 'nri', 'lfa', 'mbt'], new Set()).get('sides') // 'ozu nri lfa mbt'
 */
export function placePositionals(
  command: Command,
  positionals: readonly string[],
  given: ReadonlySet<string>,
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
    if (taker === undefined) throw leftOver(command, rest[0]!);
    return placed.set(taker.name, rest.join(' '));
  }
  refuseSlip(open, rest);
  const sides = many.find(({ kind }) => kind === 'sides');
  if (sides === undefined || first.kind === 'text') return placed.set(first.name, rest.join(' '));
  refuseSecondChoice(command, placed, rest);
  for (const [option, value] of wordsAndSides(command, many, sides, rest)) placed.set(option.name, value);
  return placed;
}

/** Of a command that takes sides, and perhaps words. If it names the sides first, these are more likely meant. */
function* wordsAndSides(
  command: Command,
  many: readonly Option[],
  sidesOption: Option,
  rest: readonly string[],
): Generator<[Option, string]> {
  const wordsOption = many.find(({ kind }) => kind === 'words');
  const areSides = wordsOption === undefined || (many[0] === sidesOption && isRatherBoard(rest));
  const [words, sides] = areSides ? partUsualBoard(rest) : partWordsAndSides(rest);
  if (sides.length > 0) yield [sidesOption, sides.join(' ')];
  if (words.length === 0) return;
  if (wordsOption !== undefined) yield [wordsOption, words.join(' ')];
  else refuseMoreThanBoard(command, words.join(' '), sides.join(' '), rest.join(' '));
}

/** Whether a positional word by its look alone belongs to this option. */
export function fits(option: Option, word: string): boolean {
  if (option.kind === 'flag') return word.toLowerCase() === option.name;
  if (!option.positional) return false;
  switch (option.kind) {
    case 'choice':
      return option.choices?.includes(word.toLowerCase()) ?? false;
    case 'date':
      return DATE.test(word) || WRITTEN_DATE.test(word);
    case 'whole':
      return /^\d+$/.test(word);
    default:
      return false;
  }
}

/** A choice that is all but right would otherwise be read as the side of a board. */
function refuseSlip(open: readonly Option[], [word = '']: readonly string[]): void {
  for (const { kind, choices = [] } of open) {
    const meant = kind === 'choice' && word.length > 3 ? nearest(word, choices) : undefined;
    if (meant !== undefined)
      throw new UserError('line.choice', `There is no "${clip(word)}". Did you mean ${meant}?`);
  }
}

/** A second choice would be read as the side of a board or as a word. */
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

/** Nearly all text can be read as the sides of a board, so that a whole newspaper's board with more beside it is a mistake. */
function refuseMoreThanBoard({ name, options }: Command, words: string, sides: string, all: string): void {
  const board = boardIn(sides);
  const [shown, other] = [board, boardIn(words)].map((one) => one && formatBoard(one));
  // Pasted twice.
  if (shown === undefined || shown === other) return;
  const text = options.find(({ kind, asked }) => kind === 'text' && asked);
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

/** The positional words, with a day of several words as one of them. */
function joinDates({ options }: Command, positionals: readonly string[]): readonly string[] {
  if (!options.some(({ kind, positional }) => kind === 'date' && positional)) return positionals;
  for (const length of [3, 2]) {
    for (let at = 0; at + length <= positionals.length; at++) {
      const date = positionals.slice(at, at + length).join(' ');
      if (WRITTEN_DATE.test(date))
        return [...positionals.slice(0, at), date, ...positionals.slice(at + length)];
    }
  }
  return positionals;
}

/** Whether a word such as "yesterday" is played between others, rather than names a day. */
function isChained({ options }: Command, words: readonly string[], at: number): boolean {
  const other = (word = '') => (options.some((option) => fits(option, word)) ? '' : word.toLowerCase());
  const word = words[at]!.toLowerCase();
  const [before, after] = [other(words[at - 1]), other(words[at + 1])];
  return (before !== '' && before.at(-1) === word[0]) || (after !== '' && after[0] === word.at(-1));
}

/** Of the newspaper's boards, which are those most typed. */
const USUAL_SIDES = 4;

/**
 * Words, then perhaps a board; or a board of the newspaper's kind, then words. Two words that chain share a letter and
 * so are never two sides of a board without repeats; one that has repeats needs `sides:`.
 */
export function partWordsAndSides(
  positionals: readonly string[],
): [words: readonly string[], sides: readonly string[]] {
  if (positionals.length < 2 || isChain(positionals)) return [positionals, []];
  const first = positionals.length - mostBoardWords(positionals.toReversed());
  const starts = positionals
    .map((_, at) => at)
    .filter((at) => at >= first && isPlainBoard(positionals.slice(at)));
  const usual = starts.find((start) => positionals.length - start === USUAL_SIDES);
  const before = usual === undefined ? usualBoardAtStart(positionals) : 0;
  if (before > 0) return [positionals.slice(before), positionals.slice(0, before)];
  const at = usual ?? starts[0] ?? positionals.length;
  return [positionals.slice(0, at), positionals.slice(at)];
}

/** Whether words that don't chain are as many as the sides of a board, or are one. */
function isRatherBoard(positionals: readonly string[]): boolean {
  if (isChain(positionals)) return false;
  return positionals.length >= LIMITS.sides[0] || boardIn(positionals.join(' ')) !== undefined;
}

/** A whole newspaper's board apart from what is beside it; else all as sides. */
function partUsualBoard(
  positionals: readonly string[],
): [words: readonly string[], sides: readonly string[]] {
  const whole = boardIn(positionals.join(' '));
  const [words, sides] = partWordsAndSides(positionals);
  const part = boardIn(sides.join(' '));
  const isPart = part !== undefined && isUsual(part) && (whole === undefined || hasRepeats(whole));
  return isPart ? [words, sides] : [[], positionals];
}

/** How many of the words, with some left after them, are a board such as `ozu nri lfa mbt` or `ozu-nri-lfa-mbt`. */
function usualBoardAtStart([first = '', ...more]: readonly string[]): number {
  if (first.split('-').length === USUAL_SIDES && isPlainBoard([first])) return 1;
  const sides = [first, ...more.slice(0, USUAL_SIDES - 1)];
  return more.length >= USUAL_SIDES && isPlainBoard(sides) ? USUAL_SIDES : 0;
}

function isChain(positionals: readonly string[]): boolean {
  const words = positionals.flatMap(splitWords);
  return (
    words.length > 1 && words.every((word, index) => index === 0 || word[0] === words[index - 1]!.at(-1))
  );
}

/** Words of a board that somebody types with a space beside every letter and every comma. */
const MOST_BOARD_WORDS = 60;

/**
 * How many of these words, from the first, may together be a board: no more than have the letters of one. A line may
 * have two thousand words, too many to read each part of it.
 */
export function mostBoardWords(words: readonly string[]): number {
  let letters = 0;
  const end = words.slice(0, MOST_BOARD_WORDS).findIndex((word) => {
    letters += word.match(/[a-z]/gi)?.length ?? 0;
    return letters > LIMITS.spots[1];
  });
  return end < 0 ? Math.min(words.length, MOST_BOARD_WORDS) : end;
}

function isPlainBoard(sides: readonly string[]): boolean {
  const board = boardIn(sides.join(' '));
  return board !== undefined && !hasRepeats(board);
}

function leftOver(command: Command, word: string): UserError {
  const names = offeredOptions(command).map(({ name }) => name);
  const meant = nearest(word, names);
  const advice =
    meant !== undefined
      ? `Did you mean ${meant}?`
      : names.length === 0
        ? 'It takes no options.'
        : `Its options, typed as name:value, are ${listed(names)}.`;
  return new UserError('line.bare', `${command.name} can’t use "${clip(word)}". ${advice}`);
}
