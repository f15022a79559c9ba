import type { Listing, Search } from '../../solver/search.ts';
import { makeSearch } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { isOffensive } from '../../wordlists/offensive-words.ts';

/** A board that lives off such words shows them, rather than be searched for ever. */
const MOST_HELD = 500;

/**
 * A list of solutions with those that hold a slur or a crude word at its end, or, where it goes from shorter
 * to longer ones, at the end of their length. Nothing is left out of it: they are right, only not put forward.
 * Words the asker requires are their own choice.
 *
 * @example seemlyFirst(search, search.solutions('surest'), { byLength: false }).take(3)
 */
export function inoffensiveFirst(
  { options }: Search,
  solutions: Iterable<Solution>,
  { byLength = true } = {},
): IteratorObject<Solution> {
  const isHeld = unseemlyBut(options.require);
  return holdBack(solutions, ({ words }) => words.some(isHeld), byLength);
}

/**
 * The shortest solutions, the likeliest first: the one order that hints, answers and the day's thread share.
 *
 * @example shortestOf(search, { oneEach: true }).take(3)
 */
export function shortestOf(search: Search, listing: Listing = {}): IteratorObject<Solution> {
  return listing.oneEach
    ? oneEach(search, listing)
    : inoffensiveFirst(search, search.solutions('shortest', listing));
}

/** The likeliest of the shortest solutions: the one that hints are about. */
export function bestOf(search: Search): Solution | undefined {
  const [best] = shortestOf(search).take(1);
  return best;
}

/** As `search.quick()`: in the few cases where that has such a word, once more without any. */
export function quickOf(search: Search): Solution | undefined {
  const found = search.quick();
  if (found === undefined || !found.words.some(unseemlyBut(search.options.require))) return found;
  return withoutUnseemly(search).quick() ?? found;
}

/** The best solution of a first word may hold a crude word further on: then the word's next best stands for it. */
function* oneEach(search: Search, listing: Listing): Generator<Solution> {
  const { exactly, ...rest } = listing;
  const seemly = withoutUnseemly(search);
  const served = new Set<string>();
  const { fewest } = search;
  if (fewest === undefined) return;
  for (let length = exactly ?? fewest; length <= (exactly ?? search.maxWords); length++) {
    for (const source of seemly === search ? [search] : [seemly, search]) {
      for (const solution of source.solutions('shortest', { ...rest, exactly: length })) {
        const first = solution.words[0] ?? '';
        if (served.has(first)) continue;
        served.add(first);
        yield solution;
      }
    }
  }
}

function withoutUnseemly(search: Search): Search {
  const { board, words, options } = search;
  const isUnwanted = unseemlyBut(options.require);
  const seemly = words.filter(({ word }) => !isUnwanted(word));
  return seemly.length === words.length ? search : makeSearch(board, seemly, options);
}

function unseemlyBut(required: readonly string[] = []): (word: string) => boolean {
  const wanted = new Set(required.map((word) => word.toLowerCase()));
  return (word) => isOffensive(word) && !wanted.has(word);
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
