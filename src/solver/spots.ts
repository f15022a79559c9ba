import type { Board } from './types.ts';

/** A bit for each spot. */
export type Spots = number;

/**
 * The spots that each step of a walk may stand on, after the steps before it: sets of bits, so that a long
 * text costs no more than its length. Ends with an empty set where the walk can't go on.
 *
 * @param wanted the spots that each step may be on, whatever comes before it
 */
export function reached(board: Board, wanted: Iterable<Spots>, from: Spots = board.full): Spots[] {
  const sets: Spots[] = [];
  let open = from;
  for (const step of wanted) {
    const spots = step & open;
    sets.push(spots);
    if (spots === 0) break;
    open = reachable(board, spots);
  }
  return sets;
}

/** The spots a text ends on when it begins on one of some; 0 if it can't be walked. */
export function endsOf(board: Board, letters: readonly string[], from: Spots = board.full): Spots {
  return reached(board, wantedBy(board, letters), from).at(-1) ?? 0;
}

/** The position of the letter that can't be reached from anywhere; undefined when all can. */
export function stuckAt(board: Board, letters: readonly string[]): number | undefined {
  const sets = reached(board, wantedBy(board, letters));
  return sets.at(-1) === 0 ? sets.length - 1 : undefined;
}

/** All spots that some way to walk a text touches. */
export function touchable(board: Board, letters: readonly string[]): Spots {
  return walked(board, reached(board, wantedBy(board, letters))).reduce(
    (touched, spots) => touched | spots,
    0,
  );
}

/** What `reached` found, without the spots from which the rest of the walk can't be reached. */
export function walked(board: Board, sets: readonly Spots[]): Spots[] {
  let open = board.full;
  return sets
    .toReversed()
    .map((set) => {
      const spots = set & open;
      open = reachable(board, spots);
      return spots;
    })
    .reverse();
}

/** The spots of each letter of a text. */
export function wantedBy(board: Board, letters: Iterable<string>): Spots[] {
  return Array.from(letters, (letter) => spotsOf(board, letter));
}

export function spotsOf(board: Board, letter: string): Spots {
  let spots = 0;
  for (let spot = 0; spot < board.letters.length; spot++)
    if (board.letters[spot] === letter) spots |= 1 << spot;
  return spots;
}

/** All spots that lie on another side than one of these. */
export function reachable({ full, sideOf }: Board, spots: Spots): Spots {
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
