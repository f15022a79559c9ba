import { createHash } from 'node:crypto';
import { makeAction, parseAction } from '../../src/reply/action.ts';
import type { Action } from '../../src/reply/types.ts';
import { Mistake } from '../../src/solver/mistake.ts';
import type { Store } from '../../src/store/types.ts';

/** What every platform takes as a button's value. */
export const LONGEST_VALUE = 100;
/** Begins no action's own text. */
const KEPT = '*';
const DAYS_KEPT = 60;
const DAY = 24 * 60 * 60 * 1000;

/** An action as a button's value: its own text, or, where that is too long, a key to it in the store. */
export async function packAction(
  action: Action,
  store: Pick<Store, 'actions'>,
  now: number,
): Promise<string> {
  const text = makeAction(action);
  if (text.length <= LONGEST_VALUE) return text;
  const key = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  await store.actions.put(key, text, now + DAYS_KEPT * DAY);
  return KEPT + key;
}

export async function unpackAction(
  value: string,
  store: Pick<Store, 'actions'>,
  now: number,
): Promise<Action> {
  if (!value.startsWith(KEPT)) return parseAction(value);
  const text = await store.actions.get(value.slice(KEPT.length), now);
  if (text !== undefined) return parseAction(text);
  throw new Mistake(
    'action.gone',
    `This button is more than ${DAYS_KEPT} days old and its contents are no longer kept. Type the command instead; \`help\` lists them all.`,
  );
}
