import { type Listing, makeSearch, type Search } from '../../solver/search.ts';
import type { Board, Solution } from '../../solver/types.ts';
import { isOffensive } from '../../wordlists/offensive-words.ts';
import type { Block, Reply } from '../model/types.ts';
import { pathOf } from '../picture/layout.ts';

/** Solutions held back in a row, after which they are shown, so that the search of such a board ends. */
const MAX_HELD = 500;

/**
 * A list of solutions in which those with an offensive word come last, or, in a list ordered by length, last
 * among those of their length. They are right, so none is left out. Words that the asker requires don't count
 * as offensive.
 *
 * @example inoffensiveFirst(search, search.solutions('safest'), { byLength: false }).take(3)
 */
export function inoffensiveFirst(
  { options }: Search,
  solutions: Iterable<Solution>,
  { byLength = true } = {},
): IteratorObject<Solution> {
  const isHeld = offensiveExcept(options.require);
  return holdBack(solutions, ({ words }) => words.some(isHeld), byLength);
}

/**
 * The shortest solutions, the likeliest first. Hints, answers and the day's thread all use this order.
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

/** Like `search.quick()`, searched again without offensive words if the first solution has one. */
export function quickOf(search: Search): Solution | undefined {
  const found = search.quick();
  if (found === undefined || !found.words.some(offensiveExcept(search.options.require))) return found;
  return withoutOffensive(search).quick() ?? found;
}

/** When the best solution of a first word has an offensive word further on, its next best one is used. */
function* oneEach(search: Search, listing: Listing): Generator<Solution> {
  const { exactly, ...rest } = listing;
  const inoffensive = withoutOffensive(search);
  const shown = new Set<string>();
  const { fewest } = search;
  if (fewest === undefined) return;
  for (let length = exactly ?? fewest; length <= (exactly ?? search.maxWords); length++) {
    for (const source of inoffensive === search ? [search] : [inoffensive, search]) {
      for (const solution of source.solutions('shortest', { ...rest, exactly: length })) {
        const first = solution.words[0] ?? '';
        if (shown.has(first)) continue;
        shown.add(first);
        yield solution;
      }
    }
  }
}

function withoutOffensive(search: Search): Search {
  const { board, words, options } = search;
  const isUnwanted = offensiveExcept(options.require);
  const inoffensive = words.filter(({ word }) => !isUnwanted(word));
  return inoffensive.length === words.length ? search : makeSearch(board, inoffensive, options);
}

function offensiveExcept(required: readonly string[] = []): (word: string) => boolean {
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
    if (isNextLength || held.length >= MAX_HELD) {
      yield* held;
      held = [];
    }
    if (isHeld(solution)) held.push(solution);
    else yield solution;
  }
  yield* held;
}

/** On some boards hundreds of likely solutions are a shorter one with a word added: the search for others ends here. */
const MAX_CONSIDERED = 1000;

/**
 * The safest solutions, best first. A solution that only adds a word to a shorter one is left out.
 */
export function safestOf(search: Search): IteratorObject<Solution> {
  const unpadded = search
    .solutions('safest')
    .take(MAX_CONSIDERED)
    .filter(({ words }) => words.length === search.fewest || !isPadded(search.board, words));
  return inoffensiveFirst(search, unpadded, { byLength: false });
}

/** True when the words still solve the board with one of them left out. */
export function isPadded(board: Board, words: readonly string[]): boolean {
  const letters = new Set(board.letters).size;
  return words.some((_, left) => {
    const rest = words.filter((_, index) => index !== left);
    // Nearly always a letter is missing, which is found sooner than a path.
    if (new Set(rest.join('')).size < letters) return false;
    const path = pathOf(board, rest).words;
    return path.length === rest.length && new Set(path.flat()).size === board.letters.length;
  });
}

/** Why a search found nothing; undefined when it found something or the board is solved already. */
export function notFoundBy(search: Search, isFound: boolean): Reply['notFound'] {
  if (isFound || search.fewest === 0) return undefined;
  return search.cut === undefined ? 'none' : 'unknown';
}

/**
 * The same as a part of a reply with these blocks. What a search found is always in a spoiler.
 *
 * @example notFoundIn(search, [{ kind: 'text', lines: ['No solution.'] }]) // { notFound: 'none' }
 */
export function notFoundIn(search: Search, blocks: readonly Block[]): Pick<Reply, 'notFound'> {
  const notFound = notFoundBy(
    search,
    blocks.some(({ kind }) => kind === 'spoiler'),
  );
  return notFound === undefined ? {} : { notFound };
}
