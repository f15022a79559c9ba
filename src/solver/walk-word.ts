import { hasRepeats } from './board.ts';
import type { Board, Walk } from './types.ts';
import { Walks } from './walks.ts';

const walksOf = new WeakMap<Board, Walks>();

/**
 * The walk of a word over the board; with repeated letters, the one that touches most spots. Empty if the
 * word can't be played.
 */
export function walkWord(board: Board, word: string): Walk[] {
  if (word.length === 0) return [];
  if (hasRepeats(board)) {
    let walks = walksOf.get(board);
    if (walks === undefined) {
      walks = new Walks(board, { interchangeable: false });
      walksOf.set(board, walks);
    }
    const standing = /^[a-z]+$/.test(word) ? walks.stand(word, undefined, 1000) : undefined;
    return standing === undefined ? [] : [walks.fullest(standing)];
  }
  const start = board.letters.indexOf(word[0]!);
  let end = start;
  let mask = start < 0 ? 0 : 1 << start;
  for (let at = 1; at < word.length && end >= 0; at++) {
    const spot = board.letters.indexOf(word[at]!);
    if (spot < 0 || board.sideOf[spot] === board.sideOf[end]) return [];
    end = spot;
    mask |= 1 << spot;
  }
  return end < 0 ? [] : [{ start, end, mask }];
}
