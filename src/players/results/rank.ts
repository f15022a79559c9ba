import type { App, Request } from '../../dispatch/contract.ts';
import type { Period } from './period.ts';
import { standingsOf } from './standings.ts';

/** The asker's place on the leaderboard of where they ask; undefined for who isn't on it, or alone on it. */
export async function rankIn(
  { store }: Pick<App, 'store'>,
  { who, where }: Pick<Request, 'who' | 'where'>,
  { from, to }: Period,
): Promise<{ rank: number; of: number } | undefined> {
  const standings = standingsOf(await store.tenant(where.tenant).results.sums(where.channel, from, to));
  const own = standings.find(({ person }) => person === who.id);
  if (own === undefined || standings.length === 1) return undefined;
  return { rank: own.rank, of: standings.length };
}
