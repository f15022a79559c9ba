import { type Entry, textOf, wantedSpots } from '../../play/game.ts';
import { popcount } from '../../solver/bits.ts';
import { type Spots, wantedBy } from '../../solver/board.ts';
import type { Board } from '../../solver/types.ts';
import type { DrawnPath } from '../model/types.ts';

/** The most paths to follow, divided among the spots of a letter: each repeated letter multiplies the ways to play a word. */
const MAX_PATHS = 64;
const MAX_PATHS_OF_SPOT = 16;

/** One way to play the words so far, as its last spot and the path before it. */
interface PartialPath {
  readonly spot: number;
  readonly mask: number;
  readonly before: PartialPath | undefined;
  /** Whether a word begins on this spot. */
  readonly isFirst: boolean;
}

/**
 * The spots that words touch when they are played one after the other. With repeated letters it is the path that touches the
 * most spots. Ends before the first word that can't be played there.
 *
 * @example pathOf(parseBoard('ozu nri lfa mbt'), ['fun']) // [[7, 2, 3]]
 */
export function pathOf(board: Board, words: readonly string[]): DrawnPath {
  return drawnPath(
    board,
    words.map((word) => wantedBy(board, word.toLowerCase())),
  );
}

/** The spots that no word touches when they are played one after the other. */
export function spotsLeft(board: Board, words: readonly string[]): number[] {
  const touched = new Set(pathOf(board, words).flat());
  return [...board.sideOf.keys()].filter((spot) => !touched.has(spot));
}

/** The letters of the spots that no word touches. */
export function lettersLeft(board: Board, words: readonly string[]): string[] {
  return spotsLeft(board, words).map((spot) => board.letters[spot]!);
}

/** The path of words as they were entered: over the tapped spots, unless another way to play the words touches more spots. */
export function pathOfEntries(board: Board, entries: readonly Entry[]): DrawnPath {
  const typed = entries.map((entry) => textOf(board, entry));
  const path = pathOf(board, typed);
  if (entries.every((entry, index) => entry === typed[index])) return path;
  const tapped = drawnPath(
    board,
    entries.map((entry) => wantedSpots(board, entry)),
  );
  const isWhole = tapped.length === path.length;
  return isWhole && new Set(tapped.flat()).size === new Set(path.flat()).size ? tapped : path;
}

function drawnPath(board: Board, words: readonly (readonly Spots[])[]): DrawnPath {
  let paths: PartialPath[] = [];
  for (const [index, word] of words.entries()) {
    const next = playWord(board, word, index === 0 ? undefined : paths);
    if (next.length === 0) break;
    paths = next;
  }
  const best = paths.reduce<PartialPath | undefined>(
    (most, path) => (most === undefined || popcount(path.mask) > popcount(most.mask) ? path : most),
    undefined,
  );
  return best === undefined ? [] : wordsOf(best);
}

function wordsOf(last: PartialPath): number[][] {
  const words: number[][] = [[]];
  for (let path: PartialPath | undefined = last; path !== undefined; path = path.before) {
    words[0]!.unshift(path.spot);
    if (path.isFirst && path.before !== undefined) words.unshift([]);
  }
  return words;
}

function playWord(
  board: Board,
  word: readonly Spots[],
  before: readonly PartialPath[] | undefined,
): PartialPath[] {
  let paths: readonly PartialPath[] = before ?? [];
  for (const [position, wanted] of word.entries()) {
    const isFirst = position === 0;
    const spots = [...board.letters].flatMap((_, spot) => (wanted & (1 << spot) ? [spot] : []));
    const most = Math.min(MAX_PATHS_OF_SPOT, Math.ceil(MAX_PATHS / Math.max(1, spots.length)));
    const reached: PartialPath[] = [];
    for (const spot of spots) {
      const bit = 1 << spot;
      if (isFirst && before === undefined) {
        reached.push({ spot, mask: bit, before: undefined, isFirst });
        continue;
      }
      const bySpots = new Map<number, PartialPath>();
      for (const path of paths) {
        const isReached = isFirst ? path.spot === spot : board.sideOf[path.spot] !== board.sideOf[spot];
        if (isReached) bySpots.set(path.mask | bit, { spot, mask: path.mask | bit, before: path, isFirst });
      }
      reached.push(...fullest(bySpots.values(), most));
    }
    paths = reached;
  }
  return [...paths];
}

/** The paths that touch the most spots. A path whose spots another one touches too can't become the best. */
function fullest(paths: Iterable<PartialPath>, most: number): PartialPath[] {
  const kept: PartialPath[] = [];
  for (const path of [...paths].sort((a, b) => popcount(b.mask) - popcount(a.mask))) {
    if (kept.length === most) break;
    if (kept.every(({ mask }) => (path.mask & ~mask) !== 0)) kept.push(path);
  }
  return kept;
}
