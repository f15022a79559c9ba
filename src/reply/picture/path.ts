import { popcount } from '../../solver/bits.ts';
import type { Board } from '../../solver/types.ts';
import type { DrawnPath } from '../model/types.ts';

/** Paths kept for each spot while a word is followed. Only boards that repeat one letter many times have more. */
const MAX_PATHS = 16;

/** One way in which the words so far can have been played: the spots of each word. */
interface PartialPath {
  readonly words: readonly (readonly number[])[];
  readonly spot: number;
  readonly mask: number;
}

/**
 * The spots that words touch when they are played one after the other. Where letters repeat it is the path
 * that touches the most spots. Ends before the first word that can't be played there.
 *
 * @example pathOf(parseBoard('ozu nri lfa mbt'), ['fun']).words // [[7, 2, 3]]
 */
export function pathOf(board: Board, words: readonly string[]): DrawnPath {
  let paths: PartialPath[] = [];
  for (const [index, word] of words.entries()) {
    const next = playWord(board, word.toLowerCase(), index === 0 ? undefined : paths);
    if (next.length === 0) break;
    paths = next;
  }
  const best = paths.reduce<PartialPath | undefined>(
    (most, path) => (most === undefined || popcount(path.mask) > popcount(most.mask) ? path : most),
    undefined,
  );
  return { words: best?.words ?? [] };
}

function playWord(board: Board, word: string, before: readonly PartialPath[] | undefined): PartialPath[] {
  let paths: PartialPath[] = [];
  for (const [position, letter] of [...word].entries()) {
    const reached: PartialPath[] = [];
    for (let spot = 0; spot < board.letters.length; spot++) {
      if (board.letters[spot] !== letter) continue;
      const bit = 1 << spot;
      const arriving =
        position > 0
          ? paths
              .filter((path) => board.sideOf[path.spot] !== board.sideOf[spot])
              .map(({ words, mask }) => ({ words: extend(words, spot), spot, mask: mask | bit }))
          : before === undefined
            ? [{ words: [[spot]], spot, mask: bit }]
            : before
                .filter((path) => path.spot === spot)
                .map(({ words, mask }) => ({ words: [...words, [spot]], spot, mask }));
      reached.push(...fullest(arriving));
    }
    paths = reached;
  }
  return paths;
}

function extend(words: PartialPath['words'], spot: number): PartialPath['words'] {
  return [...words.slice(0, -1), [...words.at(-1)!, spot]];
}

/** One path for each set of spots, those that touch most first. */
function fullest(paths: readonly PartialPath[]): PartialPath[] {
  const bySpots = new Map(paths.map((path) => [path.mask, path]));
  return [...bySpots.values()].sort((a, b) => popcount(b.mask) - popcount(a.mask)).slice(0, MAX_PATHS);
}
