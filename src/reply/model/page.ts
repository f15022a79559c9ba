import { UserError } from '../../core/errors.ts';
import { grouped } from '../../core/text.ts';
import { notes } from './text.ts';
import type { Action, Block, Button, Reply } from './types.ts';

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
 * A page of a list. A number beyond the last page gives the last page, since a list may shrink between two presses of a
 * button.
 *
 * @example pageOf(['a', 'b', 'c'], 2, 2).items // ['c']
 */
export function pageOf<Item>(list: readonly Item[], number: number, size: number): Page<Item> {
  const last = Math.max(1, Math.ceil(list.length / size));
  return { ...takePage(list.values(), Math.min(number, last), size), total: list.length };
}

/**
 * A page of a lazily computed list. It reads one item beyond the page, to know whether there are more.
 *
 * @param size Infinity for one page of all items
 */
export function takePage<Item>(list: IteratorObject<Item>, number: number, size: number): Page<Item> {
  const before = itemsBefore(number, size);
  const taken = list
    .drop(before)
    .take(size + 1)
    .toArray();
  const items = taken.slice(0, size);
  const hasMore = taken.length > size;
  return { items, number, from: before + 1, to: before + items.length, hasMore };
}

/**
 * How many items of a list come before a page.
 *
 * @param size Infinity for one page of all items
 * @throws UserError for a second page of that size
 */
export function itemsBefore(page: number, size: number): number {
  if (page === 1) return 0;
  if (size < Number.POSITIVE_INFINITY) return (page - 1) * size;
  throw new UserError('terminal.page', 'All of them are one page. Say how many a page has, like: --limit 50');
}

/** Buttons to the previous and the next page; none for a list of one page. */
export function pageButtons(
  action: Action,
  { number, hasMore }: Pick<Page<unknown>, 'number' | 'hasMore'>,
): Button[] {
  const turn = (label: string, page: number): Button => ({ label, action: onPage(action, page) });
  return [...(number > 1 ? [turn('Back', number - 1)] : []), ...(hasMore ? [turn('More', number + 1)] : [])];
}

/**
 * How a reply with a page is made again.
 *
 * @param isTurned whether a button of another page asked for it: then it takes the place of that message
 */
export function aboutPage(
  action: Action,
  { number }: Pick<Page<unknown>, 'number'>,
  isTurned: boolean,
): Pick<Reply, 'rerun' | 'replaces'> {
  return { rerun: onPage(action, number), replaces: isTurned };
}

function onPage({ command, options }: Action, page: number): Action {
  return { command, options: { ...options, page } };
}

/**
 * Names the part of the list; empty for a list of one page.
 *
 * @example pageNote('Day', { number: 2, from: 29, to: 40, hasMore: false, total: 40 }) // a note: 'Days 29 to 40 of 40.'
 */
export function pageNote(
  noun: string,
  { number, from, to, hasMore, total }: Omit<Page<unknown>, 'items'>,
): Block[] {
  if ((number === 1 && !hasMore) || to < from) return [];
  const part = from === to ? `${noun} ${grouped(from)}` : `${noun}s ${grouped(from)} to ${grouped(to)}`;
  return notes(`${part}${total === undefined ? '' : ` of ${grouped(total)}`}.`);
}
