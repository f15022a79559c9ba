import type { App } from '../../dispatch/contract.ts';
import type { ChallengeShown } from '../../reply/replies/challenge.ts';
import type { Store } from '../../store/store.ts';
import { type Challenge, endOf } from './challenge.ts';

export function shownOf(
  { clock, publicPage }: Pick<App, 'clock' | 'publicPage'>,
  challenge: Challenge,
): ChallengeShown {
  const { name, board, appraisal, madeBy, sides } = challenge;
  const until = endOf(challenge);
  return { name, board, appraisal, madeBy, until, isOpen: clock.now() < until, page: publicPage({ sides }) };
}

/** The same boards, without the makers who hide from leaderboards. */
export async function withoutHiddenMakers<Board extends { readonly madeBy: string | null }>(
  { store }: { readonly store: Pick<Store, 'tenant'> },
  tenant: string,
  boards: readonly Board[],
): Promise<Board[]> {
  const makers = new Set(boards.flatMap(({ madeBy }) => madeBy ?? []));
  const hidden = await store.tenant(tenant).people.hiddenAmong([...makers]);
  return boards.map((board) =>
    board.madeBy !== null && hidden.has(board.madeBy) ? { ...board, madeBy: null } : board,
  );
}
