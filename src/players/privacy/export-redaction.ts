import type { PersonExport } from '../../store/types.ts';
import type { Relay } from '../relay/game.ts';

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
