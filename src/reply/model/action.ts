import type { Limits } from '../../config/settings.ts';
import { type ChannelRef, channelKey, peopleScope } from '../../core/channel-ref.ts';
import { type Clock, DAY } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import type { Store } from '../../store/store.ts';
import type { ActionOwner } from '../../store/tables/short-lived.ts';
import type { JobAsker } from '../../work/job.ts';
import type { Action, OptionValue } from './types.ts';

/** Old messages keep their buttons, so a later format gets a new number and this one stays readable. */
const VERSION = '1';
/** Characters; longer text is not parsed at all. */
const LONGEST = 8000;
/** Characters with a meaning in the format, written as `%` and two hexadecimal digits. */
const RESERVED = /[%|=#!\p{Cc}]/gu;
const ESCAPED = /%([0-9A-F]{2})/g;
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
  const [version, command = '', ...rest] = text.length > LONGEST ? [] : text.split('|');
  if (version !== VERSION || command === '') throw unreadable();
  const options = new Map<string, OptionValue>();
  for (const part of rest) {
    const [name, value] = parseOption(part);
    if (options.has(name)) throw unreadable();
    options.set(name, value);
  }
  return { command: decode(command), options: Object.fromEntries(options) };
}

/** Options that say how a button's answer is shown. The commands declare them as internal. */
export const BUTTON_OPTIONS: readonly string[] = ['private', 'shown'];

/**
 * An action as a person would type it, without the leading `/letterboxed`, to show it in a text. Options that only buttons
 * have are left out, and so is the first page.
 *
 * @example typeAction({ command: 'hint', options: { step: 'lengths', shown: 'start' } }) // 'hint step:lengths'
 */
export function typeAction({ command, options }: Action): string {
  const typed = Object.entries(options)
    .filter(([name, value]) => value !== false && !BUTTON_OPTIONS.includes(name))
    .filter(([name, value]) => name !== 'page' || value !== 1)
    .map(([name, value]) => {
      return value === true ? name : typeOption(name, String(value));
    });
  return [command, ...typed].join(' ');
}

/**
 * An option as a person types it. Values that are empty or have spaces, quotation marks or invisible characters are quoted.
 *
 * @example typeOption('seed', 'a quiet evening') // 'seed:"a quiet evening"'
 */
export function typeOption(name: string, value: string): string {
  const isPlain = value !== '' && !/[\s\p{C}"“”„]|,$/u.test(value);
  return isPlain ? `${name}:${value}` : `${name}:"${value.replace(/["“”\\]/g, '\\$&')}"`;
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
  throw unreadable();
}

function encode(text: string): string {
  return text.replace(
    RESERVED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function decode(text: string): string {
  if (text.replace(ESCAPED, '').includes('%')) throw unreadable();
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function unreadable(): UserError {
  return new UserError(
    'action.text',
    'This button is from another version of the bot. Type the command instead. For a list, type help.',
  );
}

/** Characters. Discord's limit for a button's value, the lowest of all doors. */
const MAX_BUTTON_VALUE = 100;
/** No text of an action begins like this. */
const STORED_PREFIX = '@';
/** Milliseconds. */
const STORED_FOR = 60 * DAY;

/** Where long actions are kept, and how many of them. */
export interface ActionStore {
  readonly store: Pick<Store, 'actions'>;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'buttonsPerPerson'>;
}

/** The person for whom a message is made, and where it is shown. */
export interface ActionAsker {
  readonly door: string;
  readonly person: string;
  readonly channel: ChannelRef;
}

/** The keys of the person for whom a job runs. A person has one budget across all channels. */
export function jobKeysOf({ door, person, channel }: ActionAsker): JobAsker {
  return { channel: channelKey(channel), person: `${door}:${person}` };
}

/** An action as a button's value. A long one is stored, and its value is a digest of its text: the same each time. */
export async function packAction(action: Action, kept: ActionStore, asker?: ActionAsker): Promise<string> {
  const text = makeAction(action);
  if (text.length <= MAX_BUTTON_VALUE) return text;
  const key = await digestOf(text);
  const { store, clock } = kept;
  await store.actions.put(key, text, clock.now() + STORED_FOR, await ownerOf(kept, asker));
  return STORED_PREFIX + key;
}

/** The owner of actions that are kept for buttons. A person has a limit in each channel, and the oldest go first. */
export async function ownerOf(
  { limits }: Pick<ActionStore, 'limits'>,
  asker: ActionAsker | undefined,
): Promise<ActionOwner | undefined> {
  if (asker === undefined) return undefined;
  const id = `${await personCode(asker)} ${await digestOf(channelKey(asker.channel))}`;
  return { id, most: limits.buttonsPerPerson };
}

/** A checksum of a person's id, under which the actions of their buttons are found when they want them erased. */
export function personCode({ person, channel }: Pick<ActionAsker, 'person' | 'channel'>): Promise<string> {
  return digestOf(`${peopleScope(channel.tenant)}:${person}`);
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
