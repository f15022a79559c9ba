import { lowest } from '../solver/bits.ts';
import { type Spots, spotsOf } from '../solver/board.ts';
import type { Board } from '../solver/types.ts';

/**
 * A word as it was entered, one character for each letter: a small letter was typed, and a capital stands
 * for a spot that was tapped (`A` is spot 0). Only spots whose letter is on the board more than once are
 * written as capitals, so that on the newspaper's boards an entry is the word itself.
 */
export type Entry = string;

const FIRST_SPOT = 'A'.charCodeAt(0);

/** The character of a tapped spot in an entry. */
export function spotEntry(board: Board, spot: number): Entry {
  const letter = board.letters[spot]!;
  const isOnlyOne = spotsOf(board, letter) === 1 << spot;
  return isOnlyOne ? letter : String.fromCharCode(FIRST_SPOT + spot);
}

/** The spots that each character of an entry may mean, before any rule; none for what is not on the board. */
export function wantedSpots(board: Board, entry: Entry): Spots[] {
  return Array.from(entry, (character) => {
    const spot = spotOf(character);
    return spot === undefined ? spotsOf(board, character) : (1 << spot) & board.full;
  });
}

/**
 * The word that was entered.
 *
 * @example textOf(parseBoard('abc def gha ijk'), 'dIb') // 'dab'
 */
export function textOf(board: Board, entry: Entry): string {
  return wantedSpots(board, entry)
    .map((spots) => (spots === 0 ? '' : board.letters[lowest(spots)]))
    .join('');
}

function spotOf(character: string): number | undefined {
  const spot = character.charCodeAt(0) - FIRST_SPOT;
  return spot >= 0 && spot < 26 ? spot : undefined;
}
