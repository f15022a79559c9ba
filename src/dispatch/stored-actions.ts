import { UserError } from '../core/errors.ts';
import { makeAction, parseAction } from '../reply/model/action.ts';
import type { Action } from '../reply/model/types.ts';
import type { App } from './contract.ts';

/** Discord's limit for a button's value, the tightest of all doors. */
const LONGEST = 100;
/** No text of an action begins like this. */
const PREFIX = '@';
const KEPT = 60 * 24 * 60 * 60_000;

/** An action as a button's value. A long one is kept in the store, under a key made from its own text: the same each time. */
export async function packAction(
  action: Action,
  { store, clock }: Pick<App, 'store' | 'clock'>,
): Promise<string> {
  const text = makeAction(action);
  if (text.length <= LONGEST) return text;
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(text));
  const key = Buffer.from(digest).toString('base64url');
  await store.actions.put(key, text, clock.now() + KEPT);
  return PREFIX + key;
}

/** Reads what `packAction` made. Throws a UserError for buttons that are too old, or of another version. */
export async function unpackAction(
  text: string,
  { store, clock }: Pick<App, 'store' | 'clock'>,
): Promise<Action> {
  if (!text.startsWith(PREFIX)) return parseAction(text);
  const kept = await store.actions.get(text.slice(PREFIX.length, LONGEST), clock.now());
  if (kept !== undefined) return parseAction(kept);
  throw new UserError(
    'action.expired',
    'This button is more than 60 days old and no longer remembers what it was for. Type the command instead; `help` lists them all.',
  );
}
