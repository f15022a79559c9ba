import type { Reply } from '../../reply/model/types.ts';
import { HINT_STEPS, type HintStep } from '../../solver/hints.ts';
import type { App, Request } from '../contract.ts';
import type { Topic } from './topic.ts';

/** A whole solution gives away what every hint tells. */
export const WHOLE_SOLUTION: readonly HintStep[] = HINT_STEPS;
/** The way on from somebody's own words tells how many more it takes, and a word; the other hints remain. */
export const WAY_ON: readonly HintStep[] = ['count', 'first'];

/** Records that the asker has seen these steps of a board, if the reply shows anything at all. */
export async function recordShown(
  request: Pick<Request, 'who' | 'where' | 'recordsHints'>,
  app: Pick<App, 'store' | 'clock'>,
  { key }: Pick<Topic, 'key'>,
  steps: readonly HintStep[],
  reply: Reply,
): Promise<void> {
  if (reply.blocks.some(({ kind }) => kind === 'spoiler')) await recordSeen(request, app, key, steps);
}

/** Every hint that counts as seen is recorded here, unless the request says not to. */
export async function recordSeen(
  { who, where, recordsHints = true }: Pick<Request, 'who' | 'where' | 'recordsHints'>,
  { store, clock }: Pick<App, 'store' | 'clock'>,
  key: string,
  steps: readonly string[],
): Promise<void> {
  if (!recordsHints) return;
  const { hints } = store.tenant(where.tenant);
  const now = clock.now();
  for (const step of steps) await hints.see(who.id, key, step, now);
}
