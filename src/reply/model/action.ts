import { LIMITS } from '../../config/limits.ts';
import { type ChannelRef, channelKey, identityScope } from '../../core/channel-ref.ts';
import { type Clock, DAY, type PuzzleDate } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { grouped, longDate } from '../../core/text.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { formatBoard } from '../../solver/board.ts';
import type { Search } from '../../solver/search.ts';
import type { Board } from '../../solver/types.ts';
import type { Store } from '../../store/store.ts';
import type { ActionOwner } from '../../store/tables/short-lived.ts';
import type { JobAsker } from '../../work/job.ts';
import { altText } from '../picture/drawing.ts';
import { pathOf } from '../picture/layout.ts';
import type { BoardFacts } from './facts.ts';
import { chainText } from './text.ts';
import type { Action, Block, Button, OptionValue } from './types.ts';

/** Old messages keep their buttons, so a later format gets a new number and this one stays readable. */
const VERSION = '1';
/** Characters; longer text is not parsed at all. */
const MAX_ACTION_LENGTH = 8000;
/** Characters with a meaning in the format, written as `%` and two hexadecimal digits. */
const RESERVED = /[%|=#!\p{Cc}]/gu;
const ESCAPED_CHARACTER = /%([0-9A-F]{2})/g;
/** The sign between name and value says the type of the value: `=` text, `#` number, `!` boolean as 0 or 1. */
const OPTION = /^([^=#!]+)([=#!])(.*)$/su;

/**
 * An action as compact text, for button values. Equal actions give equal text, whatever the order of their options.
 *
 * @example makeAction({ command: 'hint', options: { step: 'lengths', date: '2026-11-20' } }) // '1|hint|date=2026-11-20|step=lengths'
 */
export function makeAction({ command, options }: Action): string {
  const names = Object.keys(options).sort();
  return [VERSION, encode(command), ...names.map((name) => makeOption(name, options[name]!))].join('|');
}

/** Reads what `makeAction` wrote. Throws a UserError for any other text: it arrives from outside and may be forged. */
export function parseAction(text: string): Action {
  const [version, command = '', ...rest] = text.length > MAX_ACTION_LENGTH ? [] : text.split('|');
  if (version !== VERSION || command === '') throw unreadableActionError();
  const options = new Map<string, OptionValue>();
  for (const part of rest) {
    const [name, value] = parseOption(part);
    if (options.has(name)) throw unreadableActionError();
    options.set(name, value);
  }
  return { command: decode(command), options: Object.fromEntries(options) };
}

function makeOption(name: string, value: OptionValue): string {
  if (name === '') throw new RangeError('an option of an action needs a name');
  switch (typeof value) {
    case 'boolean':
      return `${encode(name)}!${value ? 1 : 0}`;
    case 'number':
      if (!Number.isFinite(value)) throw new RangeError(`an action can't hold ${value}`);
      return `${encode(name)}#${value}`;
    case 'string':
      return `${encode(name)}=${encode(value)}`;
  }
}

function parseOption(part: string): [name: string, value: OptionValue] {
  const [, name = '', kind, value = ''] = OPTION.exec(part) ?? [];
  if (kind === '=') return [decode(name), decode(value)];
  if (kind === '!' && (value === '0' || value === '1')) return [decode(name), value === '1'];
  if (kind === '#' && value !== '' && String(Number(value)) === value && Number.isFinite(Number(value)))
    return [decode(name), Number(value)];
  throw unreadableActionError();
}

function encode(text: string): string {
  return text.replace(
    RESERVED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function decode(text: string): string {
  if (text.replace(ESCAPED_CHARACTER, '').includes('%')) throw unreadableActionError();
  return text.replace(ESCAPED_CHARACTER, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function unreadableActionError(): UserError {
  return new UserError(
    'action.text',
    'This button is from another version of the bot. Type the command instead. For a list, type help.',
  );
}

/** Characters. Discord's limit for a button's value, the lowest of all doors. */
const MAX_BUTTON_VALUE = 100;
/** No text of an action begins like this. */
const STORED_PREFIX = '@';
const STORED_MS = 60 * DAY;

/** Where long actions are kept. */
export interface ActionStore {
  readonly store: Pick<Store, 'actions'>;
  readonly clock: Clock;
}

/** The person for whom a message is made, and where it is shown. */
export interface AskerRef {
  readonly door: string;
  readonly person: string;
  readonly channel: ChannelRef;
}

/** Identifies the person for whom a job runs. A person has one budget across all channels. */
export function toJobAsker({ door, person, channel }: AskerRef): JobAsker {
  return { channel: channelKey(channel), person: `${door}:${person}` };
}

/** An action as a button's value. A long one is stored, and its value is a digest of its text: the same each time. */
export async function packAction(action: Action, kept: ActionStore, asker?: AskerRef): Promise<string> {
  const text = makeAction(action);
  if (text.length <= MAX_BUTTON_VALUE) return text;
  const key = await digestOf(text);
  const { store, clock } = kept;
  await store.actions.put(key, text, clock.now() + STORED_MS, await ownerOf(asker));
  return STORED_PREFIX + key;
}

/** The owner of stored button actions. Each person has a limit in each channel, and the oldest are dropped first. */
export async function ownerOf(asker: AskerRef | undefined): Promise<ActionOwner | undefined> {
  if (asker === undefined) return undefined;
  const id = `${await personCode(asker)} ${await digestOf(channelKey(asker.channel))}`;
  return { id, most: LIMITS.buttonsPerPerson };
}

/** A checksum of a person's id, under which the actions of their buttons are found when they want them erased. */
export function personCode({ person, channel }: Pick<AskerRef, 'person' | 'channel'>): Promise<string> {
  return digestOf(`${identityScope(channel.tenant)}:${person}`);
}

async function digestOf(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64url');
}

/** Reads what `packAction` made. Throws a UserError for buttons that are too old, or of another version. */
export async function unpackAction(text: string, { store, clock }: ActionStore): Promise<Action> {
  if (!text.startsWith(STORED_PREFIX)) return parseAction(text);
  const kept = await store.actions.get(text.slice(STORED_PREFIX.length, MAX_BUTTON_VALUE), clock.now());
  if (kept !== undefined) return parseAction(kept);
  throw new UserError(
    'action.expired',
    'This button is more than 60 days old and has expired. Type the command instead. For a list, type help.',
  );
}

/** A board with its name in titles, and the options that select it in a command. */
export interface NamedBoard {
  readonly board: Board;
  /** A date, or the sides. */
  readonly name: string;
  readonly options: Action['options'];
  readonly date?: PuzzleDate;
}

/** @example namedBoardOfDay(puzzle).name // 'Friday, November 20, 2026' */
export function namedBoardOfDay({ board, date }: Pick<Puzzle, 'board' | 'date'>): NamedBoard {
  return { board, date, name: longDate(date), options: { date } };
}

/** @example namedBoardOf(parseBoard('ozu nri lfa mbt')).options // { sides: 'ozu-nri-lfa-mbt' } */
export function namedBoardOf(board: Board): NamedBoard {
  return { board, name: formatBoard(board).toUpperCase(), options: sidesOption(board) };
}

/** The option that selects these sides in a command, as one word. */
export function sidesOption(board: Pick<Board, 'sides'>): { readonly sides: string } {
  return { sides: formatBoard(board).replaceAll(' ', '-') };
}

/** The board's name, followed by the words from which a search continues. */
export function nameAfter({ name }: NamedBoard, { options }: Pick<Search, 'options'>): string {
  const { played = [] } = options;
  return played.length === 0 ? name : `${name}, after ${chainText(played)}`;
}

/** The action that runs a command on this board, such as `{ command: 'hint', options: { date, step } }`. */
export function actionOn(
  namedBoard: Pick<NamedBoard, 'options'>,
  command: string,
  options: Readonly<Record<string, OptionValue>> = {},
): Action {
  return { command, options: { ...namedBoard.options, ...options } };
}

export function buttonOn(
  namedBoard: Pick<NamedBoard, 'options'>,
  label: string,
  command: string,
  { options, look }: { readonly options?: Action['options']; readonly look?: Button['look'] } = {},
): Button {
  return { label, action: actionOn(namedBoard, command, options), look };
}

/** The option that repeats typed words. */
export function wordsOption(words: readonly string[] | undefined): Record<string, OptionValue> {
  return words === undefined || words.length === 0 ? {} : { words: words.join(',') };
}

/** The options that repeat a search: the words it continues from, and its tier. */
export function searchOption({ options }: Pick<Search, 'options'>): Record<string, OptionValue> {
  return { ...wordsOption(options.played), ...(options.tier === 'everyday' && { everyday: true }) };
}

/** A picture of the board that can be played in place, where the door supports that. */
export function boardToPlay({ board, options }: NamedBoard): Block {
  return { kind: 'picture', picture: { board, wide: true }, alt: altText(board, {}), play: options };
}

/**
 * A picture of the board, with words drawn over it if there are any. `spoiler` hides words that reveal something. The
 * picture itself lists them below the board, so they are hidden with it.
 *
 * @param drawn `beside`: other words, on a board of their own
 */
export function pictureOf(
  board: Board,
  drawn: {
    readonly words?: readonly string[];
    readonly beside?: readonly string[] | undefined;
    readonly spoiler?: BoardFacts;
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
    ...(drawn.spoiler && { spoiler: true, reveals: drawn.spoiler }),
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
 * A page of a list. A number beyond the last page gives the last page, since a list may shrink between two presses of a
 * button.
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

/** How many items of a list come before a page of this size. */
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
function pageLine(
  noun: string,
  { number, from, to, hasMore, total }: Omit<Page<unknown>, 'items'>,
): string | undefined {
  if ((number === 1 && !hasMore) || to < from) return undefined;
  const part = from === to ? `${noun} ${grouped(from)}` : `${noun}s ${grouped(from)} to ${grouped(to)}`;
  return `${part}${total === undefined ? '' : ` of ${grouped(total)}`}.`;
}
