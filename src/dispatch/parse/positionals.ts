import { UserError } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import { clip, listed, splitWords } from '../../core/text.ts';
import { LIMITS, parseBoard } from '../../solver/board.ts';
import { type Command, type Option, offeredOptions } from '../contract.ts';

const DATE =
  /^(today|yesterday|tomorrow|(mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}[-/.]?\d\d?[-/.]?\d\d?)$/i;

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
  for (const word of positionals) {
    const option = command.options.find((one) => isOpen(one) && fits(one, word));
    if (option === undefined) rest.push(word);
    else placed.set(option.name, option.kind === 'flag' ? 'yes' : word);
  }
  if (rest.length === 0) return placed;
  const open = command.options.filter((option) => option.positional && isOpen(option));
  const many = open.filter(({ kind }) => kind === 'words' || kind === 'sides' || kind === 'text');
  const [first, second] = many;
  if (first === undefined) {
    const taker = open[0];
    if (taker === undefined) throw leftOver(command, rest[0]!);
    return placed.set(taker.name, rest.join(' '));
  }
  refuseSlip(open, rest);
  if (second?.kind !== 'sides') return placed.set(first.name, rest.join(' '));
  const [words, sides] = partWordsAndSides(rest);
  if (words.length > 0) placed.set(first.name, words.join(' '));
  if (sides.length > 0) placed.set(second.name, sides.join(' '));
  return placed;
}

/** Whether a positional word by its look alone belongs to this option. */
export function fits(option: Option, word: string): boolean {
  if (option.kind === 'flag') return word.toLowerCase() === option.name;
  if (!option.positional) return false;
  switch (option.kind) {
    case 'choice':
      return option.choices?.includes(word.toLowerCase()) ?? false;
    case 'date':
      return DATE.test(word);
    case 'whole':
      return /^\d+$/.test(word);
    default:
      return false;
  }
}

/** A choice that is all but right would otherwise be read as the side of a board. */
function refuseSlip(open: readonly Option[], [word = '']: readonly string[]): void {
  for (const { name, kind, choices = [] } of open) {
    const meant = kind === 'choice' && word.length > 3 ? nearest(word, choices) : undefined;
    if (meant !== undefined)
      throw new UserError('line.choice', `There is no ${name} "${clip(word)}". Did you mean ${meant}?`);
  }
}

/** Of the newspaper's boards, which are those most typed. */
const USUAL_SIDES = 4;

/**
 * Words, then perhaps a board; or a board of the newspaper's kind, then words. Two words that chain share a letter and
 * so are never two sides of a board without repeats; one that has repeats needs `sides:`.
 */
function partWordsAndSides(
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
  try {
    const { letters } = parseBoard(sides.join(' '));
    return new Set(letters).size === letters.length;
  } catch {
    return false;
  }
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
