import { popcount } from './bits.ts';
import type { Lexicon } from './lexicon.ts';
import { walkBoard } from './playable.ts';
import type { Board } from './types.ts';

export interface TwoWords {
  /** Words of the whole list that can be walked on the board. */
  readonly playable: number;
  /** Some word solves the board by itself. */
  readonly oneWord: boolean;
  /** Pairs of words that solve it. */
  readonly solutions: number;
}

/** Counts the two-word solutions of a board of distinct letters, with every word of the list. */
export function countTwoWords(board: Board, lexicon: Lexicon): TwoWords {
  const { size, starts, ends, masks } = walkBoard(board, lexicon);
  const spots = board.letters.length;
  const byWidth: number[][] = Array.from({ length: spots + 1 }, () => []);
  for (let word = 0; word < size; word++) byWidth[popcount(masks[word]!)]!.push(word);
  // By first spot, the masks of the words, those with the most letters first.
  const from: number[][] = Array.from({ length: spots }, () => []);
  // How many of them have at least so many letters.
  const reach = from.map(() => new Uint32Array(spots + 2));
  for (let width = spots; width >= 0; width--) {
    for (const word of byWidth[width]!) from[starts[word]!]!.push(masks[word]!);
    for (let spot = 0; spot < spots; spot++) reach[spot]![width] = from[spot]!.length;
  }
  let solutions = 0;
  for (let word = 0; word < size; word++) {
    const need = board.full & ~masks[word]!;
    const seconds = from[ends[word]!]!;
    const wideEnough = reach[ends[word]!]![popcount(need)]!;
    for (let index = 0; index < wideEnough; index++) if ((seconds[index]! & need) === need) solutions++;
  }
  return { playable: size, oneWord: byWidth[spots]!.length > 0, solutions };
}
