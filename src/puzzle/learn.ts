import type { Lexicon } from '../solver/lexicon.ts';
import { findPlayable } from '../solver/playable.ts';
import { verdictsOf } from '../wordlists/verdicts.ts';
import type { PuzzleLog } from './fetcher.ts';
import type { PuzzleRepository } from './repository.ts';
import type { Puzzle } from './types.ts';

/** A whole dictionary has nearly every word we are sure of. One without many of them was cut, and would teach wrongly. */
const SURE = 0.98;
const LEAST_SHARE = 0.8;

/**
 * Keeps what a fetched puzzle's dictionary teaches: its words are accepted, our other playable words are
 * not. Helps with boards typed by hand. Never fails a puzzle: what goes wrong is logged.
 */
export async function learnFrom(
  puzzle: Puzzle,
  lexicon: Lexicon,
  repository: Pick<PuzzleRepository, 'keepVerdicts'>,
  log: PuzzleLog,
): Promise<void> {
  const { board, date, dictionary } = puzzle;
  if (dictionary === undefined || puzzle.source !== 'newspaper') return;
  const playable = findPlayable(board, lexicon);
  const accepted = new Set(dictionary.map(({ word }) => word));
  const sure = playable.filter(({ likelihood }) => likelihood >= SURE);
  const present = sure.filter(({ word }) => accepted.has(word)).length;
  if (present < LEAST_SHARE * sure.length) {
    log.warn({ date, present, expected: sure.length }, 'learned nothing: the dictionary looks cut short');
    return;
  }
  try {
    const verdicts = verdictsOf(playable, accepted);
    await repository.keepVerdicts(date, verdicts);
    log.info({ date, verdicts: verdicts.size }, 'learned from the dictionary');
  } catch (err) {
    log.warn({ date, err }, 'could not keep what the dictionary teaches');
  }
}
