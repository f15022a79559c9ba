import type { Search } from '../solver/search.ts';
import { makeSearch } from '../solver/search.ts';
import type { Solution } from '../solver/types.ts';
import { isUnseemly } from '../wordlists/unseemly.ts';

/** A board that lives off such words shows them, rather than be searched for ever. */
const MOST_HELD = 500;

/**
 * A list of solutions with those that hold a slur or a crude word at its end, or, where it goes from shorter
 * to longer ones, at the end of their length. Nothing is left out of it: they are right, only not put forward.
 * Words the asker requires are their own choice.
 *
 * @example seemlyFirst(search, search.solutions('shortest')).take(3)
 */
export function seemlyFirst(
  { options }: Search,
  solutions: Iterable<Solution>,
  { byLength = true } = {},
): IteratorObject<Solution> {
  const required = new Set(options.require?.map((word) => word.toLowerCase()));
  return holdBack(
    solutions,
    ({ words }) => words.some((word) => isUnseemly(word) && !required.has(word)),
    byLength,
  );
}

/** The likeliest of the shortest solutions: the one that hints are about. */
export function bestOf(search: Search): Solution | undefined {
  const [best] = seemlyFirst(search, search.solutions('shortest')).take(1);
  return best;
}

/** As `search.quick()`: in the few cases where that has such a word, once more without any. */
export function quickOf(search: Search): Solution | undefined {
  const found = search.quick();
  if (found === undefined || !found.words.some(isUnseemly)) return found;
  const { board, words, options } = search;
  const others = words.filter(({ word }) => !isUnseemly(word) || options.require?.includes(word));
  return makeSearch(board, others, options).quick() ?? found;
}

function* holdBack(
  solutions: Iterable<Solution>,
  isHeld: (solution: Solution) => boolean,
  byLength: boolean,
): Generator<Solution> {
  let held: Solution[] = [];
  for (const solution of solutions) {
    const isNextLength = byLength && held[0] !== undefined && solution.words.length !== held[0].words.length;
    if (isNextLength || held.length >= MOST_HELD) {
      yield* held;
      held = [];
    }
    if (isHeld(solution)) held.push(solution);
    else yield solution;
  }
  yield* held;
}
