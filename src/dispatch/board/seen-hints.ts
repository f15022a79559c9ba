import type { Reply } from '../../reply/model/types.ts';
import { HINT_STEPS, type HintStep } from '../../solver/hints.ts';
import type { App, Request } from '../contract.ts';
import type { Topic } from './topic.ts';

/** Whoever read a whole solution knows what every hint tells. */
export const WHOLE_SOLUTION: readonly HintStep[] = HINT_STEPS;
/** Going on from one's own words tells how many more it takes, and a word: the rest of the ladder stays to be had. */
export const WAY_ON: readonly HintStep[] = ['count', 'first'];

/** Writes down that the asker has seen these steps of a board, if the reply tells anything at all. */
export async function noteSeen(
  { who, where }: Pick<Request, 'who' | 'where'>,
  { store, clock }: Pick<App, 'store' | 'clock'>,
  { key }: Pick<Topic, 'key'>,
  steps: readonly HintStep[],
  reply: Reply,
): Promise<void> {
  if (!reply.blocks.some(({ kind }) => kind === 'spoiler')) return;
  const { hints } = store.tenant(where.tenant);
  const now = clock.now();
  for (const step of steps) await hints.see(who.id, key, step, now);
}
