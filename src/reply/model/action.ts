import { LIMITS } from '../../config/limits.ts';
import { type ChannelRef, channelKey, identityScope } from '../../core/channel-ref.ts';
import { type Clock, DAY } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import type { Store } from '../../store/store.ts';
import type { ActionOwner } from '../../store/tables/short-lived.ts';
import type { Action, OptionValue } from './types.ts';

/** Another format needs another number: the buttons of old messages are then refused instead of misread. */
const VERSION = '2';
/** Characters; longer text is not parsed at all. */
const MAX_ACTION_LENGTH = 8000;

/**
 * An action as compact text, for button values. Equal actions give equal text, whatever the order of their options.
 *
 * @example makeAction({ command: 'hint', options: { step: 'lengths', date: '2026-11-20' } }) // '2|hint|date=2026-11-20&step=lengths'
 */
export function makeAction({ command, options }: Action): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) query.set(name, String(value));
  query.sort();
  // Lists of words and of hints are full of commas, which need not be escaped, and a button's value is short.
  return `${VERSION}|${command}|${String(query).replaceAll('%2C', ',')}`;
}

/**
 * Reads what `makeAction` wrote. Throws a UserError for another format: the text arrives from outside and may be forged. Text
 * that looks like a number or a boolean becomes one; each option is read by its kind later.
 */
export function parseAction(text: string): Action {
  const [, command, query] = (text.length <= MAX_ACTION_LENGTH ? ACTION.exec(text) : null) ?? [];
  if (command === undefined)
    throw new UserError(
      'action.text',
      'This button is from another version of the bot. Type the command instead. For a list, type help.',
    );
  const options = Array.from(new URLSearchParams(query), ([name, value]) => [name, readValue(value)]);
  return { command, options: Object.fromEntries(options) };
}

const ACTION = new RegExp(`^${VERSION}\\|([^|]+)\\|(.*)$`, 's');

function readValue(text: string): OptionValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : text;
}

/** Characters. Discord's limit for a button's value, the lowest of all doors. */
const MAX_BUTTON_VALUE = 100;
/** No text of an action begins like this. */
const STORED_PREFIX = '@';
const STORED_MS = 60 * DAY;

/** Where long actions are stored. */
export interface ActionStore {
  readonly store: Pick<Store, 'actions'>;
  readonly clock: Clock;
}

/** The person for whom a message is made or a job runs, and where: as much of a request as these need. */
export interface AskerRef {
  readonly who: { readonly id: string };
  readonly where: ChannelRef;
}

/**
 * An action as a button's value. A long action is stored once for each owner: an erasure by one of them, or their limit, then leaves
 * the buttons of others alone. The value is a digest, so a message that is made again has the same one.
 */
export async function packAction(
  action: Action,
  { store, clock }: ActionStore,
  asker?: AskerRef,
): Promise<string> {
  const text = makeAction(action);
  if (text.length <= MAX_BUTTON_VALUE) return text;
  const owner = await ownerOf(asker);
  const key = await digestOf(`${owner?.id ?? ''} ${text}`);
  await store.actions.put(key, text, clock.now() + STORED_MS, owner);
  return STORED_PREFIX + key;
}

/** Packs actions for the messages of one app. */
export function packerOf(kept: ActionStore) {
  return (action: Action, asker?: AskerRef): Promise<string> => packAction(action, kept, asker);
}

/** The owner of stored button actions. Each person has a limit in each channel, and the oldest are dropped first. */
export async function ownerOf(asker: AskerRef | undefined): Promise<ActionOwner | undefined> {
  if (asker === undefined) return undefined;
  const id = `${await personCode(asker)} ${await digestOf(channelKey(asker.where))}`;
  return { id, tenant: asker.where.tenant, most: LIMITS.buttonsPerPerson };
}

/** A checksum of a person's id, under which the actions of their buttons are found when they want them erased. */
export function personCode(asker: AskerRef): Promise<string> {
  return digestOf(identityOf(asker));
}

/** A person's id within its scope: the same text in all tenants in which the id means this person. */
export function identityOf({ who, where }: AskerRef): string {
  return `${identityScope(where.tenant)}:${who.id}`;
}

export async function digestOf(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64url');
}

/** Reads what `packAction` made. Throws a UserError for buttons that are too old, or of another version. */
export async function unpackAction(text: string, { store, clock }: ActionStore): Promise<Action> {
  if (!text.startsWith(STORED_PREFIX)) return parseAction(text);
  const stored = await store.actions.get(text.slice(STORED_PREFIX.length, MAX_BUTTON_VALUE), clock.now());
  if (stored !== undefined) return parseAction(stored);
  throw new UserError(
    'action.expired',
    'This button is more than 60 days old and has expired. Type the command instead. For a list, type help.',
  );
}
