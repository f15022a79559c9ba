/** Which solutions are shown, and in which order. `solution-lists.ts` shows them. */

import { Random } from '../../core/random.ts';
import { hardestLetters, type StartLetter, startLetters } from '../../solver/hints.ts';
import { type Listing, makeSearch, type Search } from '../../solver/search.ts';
import type { Board, Solution } from '../../solver/types.ts';
import { isOffensive } from '../../wordlists/offensive-words.ts';
import type { Reply } from '../model/types.ts';
import { pathOf } from '../picture/path.ts';

/** The most offensive solutions to hold back before searching without such words. */
const MAX_HELD_BACK = 50;

/** The solutions of a search, optionally of one length. */
type ListOf = (search: Search, exactly?: number) => IteratorObject<Solution>;

/**
 * A list of solutions in which those with an offensive word come last or, `byLength` in a list ordered by length, last among
 * those of their length. They are right, so none is left out. Words that the asker requires don't count as offensive.
 *
 * @param listOf the list of either this search or the same one without the offensive words
 * @example inoffensiveFirst(search, (either) => either.solutions('safest'), { byLength: false }).take(3)
 */
export function* inoffensiveFirst(
  search: Search,
  listOf: ListOf,
  { byLength = true } = {},
): Generator<Solution> {
  /** Offensive solutions of this length, to be shown after the others. */
  let held: Solution[] = [];
  /** How many others were shown, and whether all of them were. */
  let shown = 0;
  let areOthersShown = false;
  let length: number | undefined;
  for (const solution of listOf(search)) {
    const { words, betterMayExist = false } = solution;
    if (byLength && words.length !== length) {
      yield* held;
      held = [];
      shown = 0;
      areOthersShown = false;
      length = words.length;
    }
    if (!offends(search, words)) {
      if (areOthersShown) continue;
      shown++;
      yield solution;
    } else if (areOthersShown) yield solution;
    else {
      held.push(solution);
      // The list of a search that was cut is short, and another search would be cut elsewhere.
      if (held.length < MAX_HELD_BACK || betterMayExist) continue;
      // If nearly every solution has an offensive word, the others may be millions of solutions away. A search without these words
      // lists them in the same order.
      yield* listOf(withoutOffensive(search), length).drop(shown);
      yield* held;
      held = [];
      areOthersShown = true;
    }
  }
  yield* held;
}

/**
 * Solutions, the shortest first and of these the likeliest, or with `oneEach` only the best one for each first word. Hints,
 * answers and the day's thread all use this order.
 *
 * @example shortestOf(search, { oneEach: true }).take(3)
 */
export function shortestOf(search: Search, listing: Listing = {}): IteratorObject<Solution> {
  if (listing.oneEach) return onePerFirstWord(search, listing.exactly);
  return inoffensiveFirst(search, (either, exactly = listing.exactly) =>
    either.solutions('shortest', { exactly, upTo: either.maxWords, limit: Number.POSITIVE_INFINITY }),
  );
}

export const SOLUTION_SORTS = ['likely', 'alpha', 'length'] as const;
export type SolutionSort = (typeof SOLUTION_SORTS)[number];

/** The most solutions to sort: of a longer list, the first ones in the order of `shortestOf`. */
export const MAX_SORTED = 100_000;

/** The solutions that `shortestOf` lists, in another order. */
export function sortedOf(
  search: Search,
  sort: Exclude<SolutionSort, 'likely'>,
  listing: Listing,
): IteratorObject<Solution> {
  const sorted = shortestOf(search, listing)
    .take(MAX_SORTED)
    .map((solution) => ({
      solution,
      text: solution.words.join(' '),
      letters: solution.words.join('').length,
    }))
    .toArray()
    .sort((a, b) => (sort === 'length' ? a.letters - b.letters : 0) || (a.text < b.text ? -1 : 1));
  return Iterator.from(sorted).map(({ solution }) => solution);
}

/**
 * The solution that hints are about: the source's own if it is known, else the likeliest of the shortest ones. If all of
 * these have an offensive word, one of the next length is chosen; only if every solution has one, it is such a solution.
 */
export function bestOf(search: Search): Solution | undefined {
  const preferred = preferredOf(search);
  if (preferred !== undefined) return preferred;
  const [best] = shortestOf(search).take(1);
  if (best === undefined || !offends(search, best.words)) return best;
  const [other = best] = shortestOf(withoutOffensive(search)).take(1);
  return other;
}

/**
 * The rest of the source's own solution after the words played, if it is one of the shortest on these terms and not
 * offensive.
 */
function preferredOf(search: Search): Solution | undefined {
  const { preferred = [], played = [], require = [] } = search.options;
  if (require.length > 0 || played.some((word, index) => word.toLowerCase() !== preferred[index])) return;
  const words = preferred.slice(played.length);
  if (words.length === 0 || words.length !== search.fewest || offends(search, words)) return;
  let likelihood = 1;
  for (const word of words) {
    const known = search.words.find((one) => one.word === word);
    // The search has only words that its options allow.
    if (known === undefined) return;
    likelihood *= known.likelihood;
  }
  return { words, likelihood };
}

/** The letters that good solutions begin with, as `startLetters` orders them, after that of the source's own solution. */
export function goodStarts(search: Search): readonly StartLetter[] {
  const starts = startLetters(search);
  const letter = preferredOf(search)?.words[0]?.[0];
  return starts.toSorted((a, b) => Number(b.letter === letter) - Number(a.letter === letter));
}

/** `search.anySolution()`, searched again without offensive words if the first solution has one. */
export function quickOf(search: Search): Solution | undefined {
  const found = search.anySolution();
  if (found === undefined || !offends(search, found.words)) return found;
  return withoutOffensive(search).anySolution() ?? found;
}

/**
 * One solution for each first word, the best one. If the best one of a first word continues with an offensive word, the next
 * best one with that first word is used.
 */
function* onePerFirstWord(search: Search, exactly: number | undefined): Generator<Solution> {
  const { fewest } = search;
  if (fewest === undefined) return;
  const inoffensive = withoutOffensive(search);
  const shown = new Set<string>();
  const preferred = preferredOf(search);
  if (preferred !== undefined && (exactly ?? fewest) === fewest) {
    shown.add(preferred.words[0] ?? '');
    yield preferred;
  }
  for (let length = exactly ?? fewest; length <= (exactly ?? search.maxWords); length++) {
    for (const source of inoffensive === search ? [search] : [inoffensive, search]) {
      for (const solution of source.solutions('shortest', {
        oneEach: true,
        exactly: length,
        limit: Number.POSITIVE_INFINITY,
      })) {
        const first = solution.words[0] ?? '';
        if (shown.has(first)) continue;
        shown.add(first);
        yield solution;
      }
    }
  }
}

/** Searches of some words of others, kept with these: packing a board's words takes milliseconds. One that was cut is made again. */
function keptSearch(make: (search: Search) => Search): (search: Search) => Search {
  const kept = new WeakMap<Search, Search>();
  return (search) => {
    const known = kept.get(search);
    if (known !== undefined && known.cut === undefined) return known;
    const made = make(search);
    kept.set(search, made);
    return made;
  };
}

const withoutOffensive = keptSearch((search) => {
  const { board, words, options } = search;
  const inoffensive = words.filter(({ word }) => !offends(search, [word]));
  return inoffensive.length === words.length ? search : makeSearch(board, inoffensive, options);
});

/** The search for solutions of well-known words alone. */
export const everydayOf = keptSearch(({ board, words, options }) =>
  makeSearch(board, words, { ...options, tier: 'everyday' }),
);

/** Whether one of the words may offend: people are warned before they see it. Words that they require don't count. */
export function offends({ options: { require = [] } }: Search, words: readonly string[]): boolean {
  return words.some((word) => isOffensive(word) && !require.some((wanted) => wanted.toLowerCase() === word));
}

/** The search for unpadded solutions ends here: on some boards, hundreds of likely ones only add a word to a shorter one. */
const MAX_CONSIDERED = 1000;

/** Solutions, the likeliest to be accepted first, of at most one word more than the fewest. Padded ones are left out. */
export function safestOf(search: Search): IteratorObject<Solution> {
  const { fewest } = search;
  const unpadded = (either: Search) =>
    either
      .solutions('safest')
      .take(MAX_CONSIDERED)
      .filter(({ words }) => words.length === fewest || !isPadded(either.board, words));
  return inoffensiveFirst(search, unpadded, { byLength: false });
}

/** True when the words still solve the board with one of them left out. */
export function isPadded(board: Board, words: readonly string[]): boolean {
  const letters = new Set(board.letters).size;
  return words.some((_, left) => {
    const rest = words.filter((_, index) => index !== left);
    // Check the letters first: cheaper than searching for a path, and it rejects most words.
    if (new Set(rest.join('')).size < letters) return false;
    const path = pathOf(board, rest);
    return path.length === rest.length && new Set(path.flat()).size === board.letters.length;
  });
}

/** Why a search found nothing; undefined when it found something or the board is solved already. */
export function notFoundReason(search: Search, isFound: boolean): Reply['notFound'] {
  if (isFound || search.fewest === 0) return undefined;
  return search.cut === undefined ? 'none' : 'unknown';
}

/** Enough for a long hunt, and few enough that people can find them all. */
const HUNT_SIZE = { min: 10, max: 15 };
/** The most solutions to look through for the solutions of a hunt. */
const MAX_HUNT_CANDIDATES = 1_000;

/**
 * The solutions of a board that people hunt for, shortest first and then the likeliest. Solutions that only add a word to a
 * shorter one (padded ones) are left out, unless there would be too few: then those with one word more than the fewest follow.
 */
export function huntSolutions(search: Search): (readonly string[])[] {
  const { board, fewest = 0 } = search;
  const found: (readonly string[])[] = [];
  for (const { words } of shortestOf(search).take(MAX_HUNT_CANDIDATES)) {
    if (offends(search, words)) continue;
    // The search leaves out solutions whose first or last word is not needed, but not those with such a word between.
    if (words.length === fewest || !isPadded(board, words)) found.push(words);
    if (found.length === HUNT_SIZE.max) return found;
  }
  if (found.length >= HUNT_SIZE.min) return found;
  const padded = shortestOf(search.withPadded, { exactly: fewest + 1 })
    .filter(({ words }) => isPadded(board, words) && !offends(search, words))
    .map(({ words }) => words);
  return [...found, ...padded.take(HUNT_SIZE.min - found.length)].sort((a, b) => a.length - b.length);
}

/** The words that hints count: people think of well-known ones. Where a board has none, all of them. */
export function countedWords({ board, words }: Search) {
  const known = words.filter(({ tier }) => tier === 'everyday');
  return known.length === 0
    ? { board, words, name: 'word' }
    : { board, words: known, name: 'well-known word' };
}

/** Facts about a board that is over, beside what people have found. */
export interface Recap {
  /** The letter that the fewest well-known words use, or all such letters. */
  readonly hardest?: readonly string[];
  /** The solution that hints are about, unless it may offend. */
  readonly answer?: readonly string[];
  /** Whether the answer was picked among all solutions, rather than by the source of the board. */
  readonly isPick?: boolean;
  /** How many other solutions have as few words, if that is known. */
  readonly others?: number;
  /** The first of the other solutions, the shortest first, that nobody found and that does not offend. */
  readonly unfound?: readonly string[];
}

/** The most solutions to look through for one that nobody found. */
const MAX_UNFOUND_CANDIDATES = 200;
/** Letters and digits: enough to tell the solutions of one board apart. */
const CHECKSUM_LENGTH = 12;

/** @param found the checksums of the solutions that people found */
export function recapOf(search: Search, found: readonly string[]): Recap {
  const hardest = hardestLetters(countedWords(search)).filter(
    ({ words }, _, [first]) => words === first!.words,
  );
  const best = bestOf(search)?.words;
  const answer = best && !offends(search, best) ? best : undefined;
  // Solutions of two words are counted fast on any board; those of more may take long.
  const count = answer !== undefined && answer.length <= 2 ? search.count(answer.length) : undefined;
  const known = new Set([...found, ...(answer ? [solutionChecksum(answer)] : [])]);
  const unfound = shortestOf(search)
    .take(MAX_UNFOUND_CANDIDATES)
    .find(({ words }) => !known.has(solutionChecksum(words)) && !offends(search, words));
  return {
    hardest: [...new Set(hardest.map(({ letter }) => letter))],
    ...(answer && { answer, isPick: answer.join(' ') !== search.options.preferred?.join(' ') }),
    ...(count !== undefined && { others: Number(count) - 1 }),
    unfound: unfound?.words,
  };
}

/** A checksum of the words of a solution: the words themselves are not stored with results. */
export function solutionChecksum(words: readonly string[]): string {
  const random = new Random(words.join(' '));
  return Array.from({ length: CHECKSUM_LENGTH }, () => random.below(36).toString(36)).join('');
}
