import { UserError } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import { clip, listed } from '../../core/text.ts';
import { formatBoard } from '../../solver/board.ts';
import { type Command, type Option, offeredOptions } from '../contract.ts';
import { boardIn, type IsWord, isUsual } from './bare-board.ts';
import { isRatherBoard, partRepeatedSides, partUsualBoard, partWordsAndSides } from './words-and-sides.ts';

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
    if (taker === undefined) throw leftOver(command, rest[0]!);
    return placed.set(taker.name, rest.join(' '));
  }
  refuseSlip(open, rest);
  const sides = many.find(({ kind }) => kind === 'sides');
  if (sides === undefined || first.kind === 'text') return placed.set(first.name, rest.join(' '));
  refuseSecondChoice(command, placed, rest);
  for (const [option, value] of wordsAndSides(command, many, sides, rest, isWord))
    placed.set(option.name, value);
  return placed;
}

/** Of a command that takes sides, and perhaps words. If it names the sides first, these are more likely meant. */
function* wordsAndSides(
  command: Command,
  many: readonly Option[],
  sidesOption: Option,
  rest: readonly string[],
  isWord: IsWord,
): Generator<[Option, string]> {
  const wordsOption = many.find(({ kind }) => kind === 'words');
  const areSides = wordsOption === undefined || (many[0] === sidesOption && isRatherBoard(rest));
  let [words, sides] = areSides ? partUsualBoard(rest) : partWordsAndSides(rest);
  const board = boardIn(sides.join(' '));
  const isPlain = board !== undefined && (areSides || isUsual(board));
  const repeated = wordsOption === undefined || isPlain ? undefined : partRepeatedSides(rest, isWord);
  if (repeated?.isSure) [words, sides] = [repeated.words, repeated.sides];
  else if (repeated !== undefined && !areSides && !(board !== undefined && words.every(isWord)))
    throw unclearSides(command, repeated);
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

/** What may be the sides of a board with letters that repeat, or words that don't chain. */
function unclearSides(
  { name }: Command,
  { words, sides }: { readonly words: readonly string[]; readonly sides: readonly string[] },
): UserError {
  const apart = [...(words.length > 0 ? [`words:${words.join(',')}`] : []), `sides:"${sides.join(' ')}"`];
  return new UserError(
    'line.unclear-sides',
    `I can’t tell words from sides there. For words alone, put commas between them. For a board, type: ${clip(`${name} ${apart.join(' ')}`, 200)}`,
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
