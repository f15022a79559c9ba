import type { Board } from './types.ts';

/** A bit for each spot. */
export type Spots = number;

/**
 * The spots that each letter of a text may stand on, after the letters before it: sets of bits, so that a
 * long text costs no more than its length. Ends with an empty set where the text can't be walked further.
 */
function reached(board: Board, letters: readonly string[], from: Spots): Spots[] {
  const sets: Spots[] = [];
  let open = from;
  for (const letter of letters) {
    const spots = spotsOf(board, letter) & open;
    sets.push(spots);
    if (spots === 0) break;
    open = reachable(board, spots);
  }
  return sets;
}

/** The spots a text ends on when it begins on one of some; 0 if it can't be walked. */
export function endsOf(board: Board, letters: readonly string[], from: Spots = board.full): Spots {
  return reached(board, letters, from).at(-1) ?? 0;
}

/** The position of the letter that can't be reached from anywhere; undefined when all can. */
export function stuckAt(board: Board, letters: readonly string[]): number | undefined {
  const sets = reached(board, letters, board.full);
  return sets.at(-1) === 0 ? sets.length - 1 : undefined;
}

/** All spots that some way to walk a text touches. */
export function touchable(board: Board, letters: readonly string[]): Spots {
  const sets = reached(board, letters, board.full);
  let touched = 0;
  let open = board.full;
  for (let at = sets.length - 1; at >= 0; at--) {
    const spots = sets[at]! & open;
    touched |= spots;
    open = reachable(board, spots);
  }
  return touched;
}

export function spotsOf(board: Board, letter: string): Spots {
  let spots = 0;
  for (let spot = 0; spot < board.letters.length; spot++)
    if (board.letters[spot] === letter) spots |= 1 << spot;
  return spots;
}

/** All spots that lie on another side than one of these. */
function reachable({ full, sideOf }: Board, spots: Spots): Spots {
  let side = -1;
  let own = 0;
  for (let spot = 0; spot < sideOf.length; spot++) {
    if (!(spots & (1 << spot))) continue;
    if (side >= 0 && sideOf[spot] !== side) return full;
    side = sideOf[spot]!;
  }
  for (let spot = 0; spot < sideOf.length; spot++) if (sideOf[spot] === side) own |= 1 << spot;
  return full & ~own;
}
