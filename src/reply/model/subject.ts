import type { PuzzleDate } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { grouped, longDate } from '../../core/text.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { formatBoard } from '../../solver/board.ts';
import type { Search } from '../../solver/search.ts';
import type { Board } from '../../solver/types.ts';
import { altText } from '../picture/drawing.ts';
import { pathOf } from '../picture/layout.ts';
import { chainText } from './text.ts';
import type { Action, Block, Button, OptionValue } from './types.ts';

/** The board that a reply is about. */
export interface Subject {
  readonly board: Board;
  /** As shown in titles: a day, or the sides. */
  readonly name: string;
  /** The options that lead a command back to this board. */
  readonly options: Action['options'];
  readonly date?: PuzzleDate;
}

/** @example subjectOfDay(puzzle).name // 'Friday, November 20, 2026' */
export function subjectOfDay({ board, date }: Pick<Puzzle, 'board' | 'date'>): Subject {
  return { board, date, name: longDate(date), options: { date } };
}

/** @example subjectOfBoard(parseBoard('ozu nri lfa mbt')).options // { sides: 'ozu-nri-lfa-mbt' } */
export function subjectOfBoard(board: Board): Subject {
  const sides = formatBoard(board);
  return { board, name: sides.toUpperCase(), options: { sides: sides.replaceAll(' ', '-') } };
}

/** The board's name, with the words from which a search of it continues. */
export function nameAfter({ name }: Subject, { options }: Pick<Search, 'options'>): string {
  const { played = [] } = options;
  return played.length === 0 ? name : `${name}, after ${chainText(played)}`;
}

/** The action that runs a command on this board, such as `{ command: 'hint', options: { date, step } }`. */
export function actionOn(
  subject: Pick<Subject, 'options'>,
  command: string,
  options: Readonly<Record<string, OptionValue>> = {},
): Action {
  return { command, options: { ...subject.options, ...options } };
}

export function buttonOn(
  subject: Pick<Subject, 'options'>,
  label: string,
  command: string,
  { options, look }: { readonly options?: Action['options']; readonly look?: Button['look'] } = {},
): Button {
  return { label, action: actionOn(subject, command, options), look };
}

/** Typed words as the option that repeats them. */
export function wordsOption(words: readonly string[] | undefined): Record<string, OptionValue> {
  return words === undefined || words.length === 0 ? {} : { words: words.join(',') };
}

/** The options that repeat a search: the words it continues from, and its tier. */
export function searchOption({ options }: Pick<Search, 'options'>): Record<string, OptionValue> {
  return { ...wordsOption(options.played), ...(options.tier === 'everyday' && { everyday: true }) };
}

/** The board as a picture that can be played in place, where the door can do that. */
export function boardToPlay({ board, options }: Subject): Block {
  return { kind: 'picture', picture: { board }, alt: altText(board, {}), play: options };
}

/**
 * The board as a picture, with words drawn over it if there are any. `spoiler` hides words that give something away. They
 * stand below the board in the picture itself, so they are hidden with it.
 *
 * @param drawn `beside`: other words, on a board of their own
 */
export function pictureOf(
  board: Board,
  drawn: {
    readonly words?: readonly string[];
    readonly beside?: readonly string[] | undefined;
    readonly spoiler?: boolean;
  } = {},
): Block {
  const path = pathOf(board, drawn.words ?? []);
  const picture = {
    board,
    ...(path.words.length > 0 && { path, ...(drawn.spoiler && { captioned: true }) }),
    ...(drawn.beside && { beside: [{ board, path: pathOf(board, drawn.beside) }] }),
  };
  return {
    kind: 'picture',
    picture,
    alt: altText(board, picture),
    ...(drawn.spoiler && { spoiler: true }),
  };
}

/** A part of a list, counted from page 1. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly number: number;
  /** Positions of the first and the last item in the whole list, counted from 1. */
  readonly from: number;
  readonly to: number;
  readonly hasMore: boolean;
  /** Known when the whole list is. */
  readonly total?: number;
}

/**
 * A page of a list. A number beyond the last page gives the last page, since a list may become shorter
 * between two presses of a button.
 *
 * @example pageOf(['a', 'b', 'c'], 2, 2).items // ['c']
 */
export function pageOf<Item>(list: readonly Item[], number: number, size: number): Page<Item> {
  const last = Math.max(1, Math.ceil(list.length / size));
  const at = Math.min(Math.max(1, Math.floor(number)), last);
  const page = takePage(list.values(), at, size);
  return { ...page, total: list.length };
}

/** A page of a lazily computed list. It reads one item beyond the page, to know whether there are more. */
export function takePage<Item>(list: IteratorObject<Item>, number: number, size: number): Page<Item> {
  const skipped = Math.max(1, Math.floor(number)) - 1;
  const before = skipped === 0 ? 0 : skipped * size;
  const taken = list
    .drop(before)
    .take(size + 1)
    .toArray();
  const items = taken.slice(0, size);
  return {
    items,
    number: skipped + 1,
    from: before + 1,
    to: before + items.length,
    hasMore: taken.length > size,
  };
}

/** The items of a list before a page of this size; none if one page has all of them. */
export function itemsBefore(page: number, limit: number): number {
  if (page === 1) return 0;
  if (limit < Number.POSITIVE_INFINITY) return (page - 1) * limit;
  throw new UserError('terminal.page', 'All of them are one page. Say how many a page has, like: --limit 50');
}

/** Buttons to the previous and the next page; none for a list of one page. */
export function pageButtons(
  action: Action,
  { number, hasMore }: Pick<Page<unknown>, 'number' | 'hasMore'>,
): Button[] {
  const turn = (label: string, page: number): Button => ({
    label,
    action: { command: action.command, options: { ...action.options, page } },
  });
  return [...(number > 1 ? [turn('Back', number - 1)] : []), ...(hasMore ? [turn('More', number + 1)] : [])];
}

/** Names the part of the list; empty for a list of one page. */
export function pageNote(noun: string, page: Omit<Page<unknown>, 'items'>): Block[] {
  const line = pageLine(noun, page);
  return line === undefined ? [] : [{ kind: 'note', line }];
}

/** @example pageLine('Day', { number: 2, from: 29, to: 40, hasMore: false, total: 40 }) // 'Days 29 to 40 of 40.' */
export function pageLine(
  noun: string,
  { number, from, to, hasMore, total }: Omit<Page<unknown>, 'items'>,
): string | undefined {
  if ((number === 1 && !hasMore) || to < from) return undefined;
  const part = from === to ? `${noun} ${grouped(from)}` : `${noun}s ${grouped(from)} to ${grouped(to)}`;
  return `${part}${total === undefined ? '' : ` of ${grouped(total)}`}.`;
}
