import type { Command } from '../src/dispatch/contract.ts';
import { COUNTDOWN_MS, MAX_RACERS, RACE_TIMEOUT_MS } from '../src/players/race/game.ts';
import { DEFAULT_MOST_WORDS, raceHere } from '../src/players/race/moves.ts';
import { named } from './names.ts';

export const race: Command = {
  ...named('race'),
  options: [
    {
      name: 'words',
      description: 'Most words to win with',
      kind: 'integer',
      min: 2,
      max: 12,
      positional: true,
      example: String(DEFAULT_MOST_WORDS),
    },
    { name: 'do', description: 'Set by its buttons', kind: 'text', internal: true },
    {
      name: 'race',
      description: 'Set by its buttons, which know their race',
      kind: 'text',
      internal: true,
    },
  ],
  access: 'anyone-writes',
  // Only the answers: the race is a message that is posted beside them.
  private: true,
  more: `Up to ${MAX_RACERS} people race on a new board. It opens ${COUNTDOWN_MS / 1000} seconds after a racer presses Start, for all at once. The first solution with at most ${DEFAULT_MOST_WORDS} words, or as many as you say, wins; hints, and boards solved elsewhere, don’t count. A race counts for no stats, streak or leaderboard, and ends after ${RACE_TIMEOUT_MS / 60_000} minutes.`,
  examples: ['race', 'race 3'],
  run: raceHere,
};
