import type { People, PersonExport, Store } from '../store/types.ts';
import type { Relay } from './relay/game.ts';

/**
 * Off the leaderboards, or back on them: in this tenant and in all others at the door where something of
 * the person's is stored.
 */
export async function setHiddenEverywhere(
  store: Pick<Store, 'tenant' | 'allTenants'>,
  { door, tenant, person }: { readonly door: string; readonly tenant: string; readonly person: string },
  hidden: boolean,
): Promise<void> {
  const stored = await store.allTenants.exportPerson(door, person);
  for (const one of new Set([tenant, ...stored.map((part) => part.tenant)])) {
    await store.tenant(one).people.setHidden(person, hidden);
  }
}

/** Who stays off the board elsewhere stays off it too where they play for the first time. */
export async function inheritHiding(
  people: Pick<People, 'setHidden'>,
  { tenant, person }: { readonly tenant: string; readonly person: string },
  stored: readonly PersonExport[],
): Promise<void> {
  const here = stored.find((part) => part.tenant === tenant);
  if ((here === undefined || here.results.length === 0) && isHiddenAnywhere(stored))
    await people.setHidden(person, true);
}

export function isHiddenAnywhere(stored: readonly PersonExport[]): boolean {
  return stored.some(({ hidden }) => hidden);
}

/**
 * What an export shows of one tenant. Games hold what others played too: of those, only the person's own
 * words are theirs to have.
 */
export function redactExport(part: PersonExport, person: string): object {
  return { ...part, games: part.games.map(({ thread, state }) => ({ thread, ...ownMoves(state, person) })) };
}

function ownMoves(state: unknown, person: string): object {
  const { relay } = state as { relay?: Relay };
  if (relay === undefined) return {};
  return {
    about: relay.about,
    started: relay.startedBy === person,
    words: relay.legs.filter(({ by }) => by === person).map(({ word }) => word),
  };
}
