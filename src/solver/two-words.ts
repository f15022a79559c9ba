import { groupBy } from './group.ts';
import { joinTwo } from './join-two.ts';
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

/** Counts the two-word solutions of a small board of distinct letters, with every word of the list. */
export function countTwoWords(board: Board, lexicon: Lexicon): TwoWords {
  const words = walkBoard(board, lexicon);
  const bits = board.letters.length;
  const { from, items } = groupBy(words.starts, bits);
  const ends = new Uint8Array(items.length);
  const masks = new Int32Array(items.length);
  for (let edge = 0; edge < items.length; edge++) {
    ends[edge] = words.ends[items[edge]!]!;
    masks[edge] = words.masks[items[edge]!]!;
  }
  const { size } = joinTwo({ from, ends, masks, bits, full: board.full });
  return { playable: words.size, oneWord: masks.includes(board.full), solutions: size };
}
