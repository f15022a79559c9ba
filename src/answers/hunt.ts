import { isPadded, shortestOf } from '../reply/replies/chosen-solutions.ts';
import type { Search } from '../solver/search.ts';

/** Enough to go on for, and few enough that every board's can all be found. */
const TO_FIND = 15;
/** Solutions that are looked through for them. */
const MOST_SOLUTIONS = 1_000;

/**
 * The solutions of a board that people hunt for: those of the fewest words first, the likeliest first. One that only adds a
 * word to a shorter one is left out.
 */
export function toFind(search: Search): (readonly string[])[] {
  return shortestOf(search)
    .take(MOST_SOLUTIONS)
    .filter(({ words }) => words.length === search.fewest || !isPadded(search.board, words))
    .take(TO_FIND)
    .map(({ words }) => words)
    .toArray();
}
