import { savedWords } from '../play/saved-game.ts';
import type { Store } from '../store/store.ts';
import type { PersonExport } from '../store/tables/people.ts';
import { parseStoredRelay } from './relay/game-store.ts';

/**
 * The part of an export about one tenant that may be shown to the person. Games contain the words of
 * others too: of those, only the person's own are shown.
 */
export function redactExport(part: PersonExport, person: string): object {
  return {
    ...part,
    games: part.games.map(({ thread, state }) => ({ thread, ...ownMoves(state, person) })),
    soloGames: part.soloGames.map(({ board, state, at }) => ({ board, at, words: savedWords(state) ?? [] })),
  };
}

function ownMoves(state: unknown, person: string): object {
  const relay = parseStoredRelay(state)?.relay;
  if (relay === undefined) return {};
  return {
    about: relay.about,
    started: relay.startedBy === person,
    words: relay.legs.filter(({ by }) => by === person).map(({ word }) => word),
  };
}

/**
 * Takes a person off the leaderboards, or puts them back: in this tenant and in all others at the door
 * where something of theirs is stored.
 */
export async function setHiddenEverywhere(
  store: Pick<Store, 'tenant' | 'allPeople'>,
  { door, tenant, person }: { readonly door: string; readonly tenant: string; readonly person: string },
  hidden: boolean,
): Promise<void> {
  for (const one of new Set([tenant, ...(await store.allPeople.tenantsOf(door, person))])) {
    await store.tenant(one).people.setHidden(person, hidden);
  }
}

/** A person who is hidden in another tenant is hidden too where they enter their first result. */
export async function inheritHiding(
  store: Pick<Store, 'tenant' | 'allPeople'>,
  { door, tenant, person }: { readonly door: string; readonly tenant: string; readonly person: string },
): Promise<void> {
  if (!(await store.allPeople.isHidden(door, person))) return;
  const { people, results } = store.tenant(tenant);
  if ((await results.ofPerson(person)).length === 0) await people.setHidden(person, true);
}

export function isHiddenAnywhere(stored: readonly PersonExport[]): boolean {
  return stored.some(({ hidden }) => hidden);
}
