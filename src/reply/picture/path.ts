import { popcount } from '../../solver/bits.ts';
import type { Board } from '../../solver/types.ts';
import type { DrawnPath } from '../model/types.ts';

/** Ways kept for each spot while a word is walked: only boards with one letter all over have more. */
const MOST_WAYS = 16;

/** A way to have played so far: the spots of each word. */
interface Way {
  readonly words: readonly (readonly number[])[];
  readonly spot: number;
  readonly mask: number;
}

/**
 * The spots that words touch when they are played one after the other. Where letters repeat it is the way
 * that touches the most spots. Ends before the first word that can't be played there.
 *
 * @example pathOf(parseBoard('ozu nri lfa mbt'), ['fun']).words // [[7, 2, 3]]
 */
export function pathOf(board: Board, words: readonly string[]): DrawnPath {
  let ways: Way[] = [];
  for (const [index, word] of words.entries()) {
    const next = playWord(board, word.toLowerCase(), index === 0 ? undefined : ways);
    if (next.length === 0) break;
    ways = next;
  }
  const best = ways.reduce<Way | undefined>(
    (most, way) => (most === undefined || popcount(way.mask) > popcount(most.mask) ? way : most),
    undefined,
  );
  return { words: best?.words ?? [] };
}

function playWord(board: Board, word: string, before: readonly Way[] | undefined): Way[] {
  let ways: Way[] = [];
  for (const [position, letter] of [...word].entries()) {
    const reached: Way[] = [];
    for (let spot = 0; spot < board.letters.length; spot++) {
      if (board.letters[spot] !== letter) continue;
      const bit = 1 << spot;
      const arriving =
        position > 0
          ? ways
              .filter((way) => board.sideOf[way.spot] !== board.sideOf[spot])
              .map(({ words, mask }) => ({ words: extend(words, spot), spot, mask: mask | bit }))
          : before === undefined
            ? [{ words: [[spot]], spot, mask: bit }]
            : before
                .filter((way) => way.spot === spot)
                .map(({ words, mask }) => ({ words: [...words, [spot]], spot, mask }));
      reached.push(...fullest(arriving));
    }
    ways = reached;
  }
  return ways;
}

function extend(words: Way['words'], spot: number): Way['words'] {
  return [...words.slice(0, -1), [...words.at(-1)!, spot]];
}

/** One way for each set of spots, those that touch most first. */
function fullest(ways: readonly Way[]): Way[] {
  const bySpots = new Map(ways.map((way) => [way.mask, way]));
  return [...bySpots.values()].sort((a, b) => popcount(b.mask) - popcount(a.mask)).slice(0, MOST_WAYS);
}
