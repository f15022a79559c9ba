import type { Board } from './types.ts';

/** A bit for each spot. */
export type Spots = number;

/** The spots a text ends on when it begins on one of some; 0 if it can't be walked. */
export function endsOf(board: Board, letters: readonly string[], from: Spots = board.full): Spots {
  let spots = from;
  for (let at = 0; at < letters.length && spots !== 0; at++)
    spots = spotsOf(board, letters[at]!) & (at === 0 ? from : reachable(board, spots));
  return spots;
}

/** The position of the letter that can't be reached from these spots; undefined when all can. */
export function stuckAt(
  board: Board,
  letters: readonly string[],
  from: Spots = board.full,
): number | undefined {
  let spots = from;
  for (const [position, letter] of letters.entries()) {
    spots = spotsOf(board, letter) & (position === 0 ? from : reachable(board, spots));
    if (spots === 0) return position;
  }
  return undefined;
}

export function spotsOf(board: Board, letter: string): Spots {
  let spots = 0;
  for (let spot = 0; spot < board.letters.length; spot++)
    if (board.letters[spot] === letter) spots |= 1 << spot;
  return spots;
}

/** All spots that lie on another side than one of these. */
function reachable(board: Board, spots: Spots): Spots {
  const sides = new Set<number>();
  let own = 0;
  board.sideOf.forEach((side, spot) => {
    if (spots & (1 << spot)) sides.add(side);
  });
  if (sides.size > 1) return board.full;
  board.sideOf.forEach((side, spot) => {
    if (sides.has(side)) own |= 1 << spot;
  });
  return board.full & ~own;
}
