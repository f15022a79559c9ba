import { capitalized, counted, grouped, listed, spelled } from '../../core/text.ts';
import type { Judge } from '../../puzzle/types.ts';
import { type Listing, MAX_WORDS, type Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { type Fact, factsAbout, solutionFacts } from '../model/facts.ts';
import { actionOn, buttonOn, type NamedBoard, nameAfter } from '../model/named-board.ts';
import { aboutPage, itemsBefore, pageButtons, pageNote, takePage } from '../model/page.ts';
import { buttonsBlock, factsBlock, type Maybe, notes, present, textBlock, toAsker } from '../model/text.ts';
import { type Action, type Block, type BoardReply, dataReply, type TerminalFlags } from '../model/types.ts';
import {
  bestOf,
  inoffensiveFirst,
  MAX_SORTED,
  notFoundReason,
  offends,
  quickOf,
  type SolutionSort,
  safestOf,
  shortestOf,
  sortedOf,
} from './chosen-solutions.ts';
import { NO_PRICES, type Prices, priceNote, pricesOf } from './hint-steps.ts';
import { listedBlocks, safestLabel, unprovenBlocks } from './solution-lists.ts';

const SOLUTIONS_PER_PAGE = 5;
/** Pages of one long list have room for more. */
const SOLUTIONS_PER_FULL_PAGE = 15;

export interface SolveRequest extends Pick<Judge, 'isListExact'> {
  readonly namedBoard: NamedBoard;
  readonly search: Search;
  /** Like `search`, but with all words; set if `search` is of everyday words alone. */
  readonly wide?: Search;
  readonly exactly?: number;
  /** Every solution with the fewest words (or `exactly` as many), page by page, instead of the best of two kinds. */
  readonly all?: boolean;
  /** Only the best solution for each first word. */
  readonly each?: boolean;
  /** Lists all, as `all` does, but in this order. */
  readonly sort?: SolutionSort;
  /** Solutions with this many words are counted, even if that takes long. */
  readonly lengthToCount?: number;
  readonly terminal?: TerminalFlags;
  readonly prices?: Prices;
  /** Set by paging buttons, whose answer changes their own message. */
  readonly page?: number;
  /** The other options (`exclude`, `require`, …), which the buttons repeat. */
  readonly options?: Action['options'];
}

/** The answer about a board's solutions: counts in the open, the best solutions hidden, page by page. */
export function solveReply(request: SolveRequest): BoardReply {
  const { namedBoard, search, isListExact, exactly, page = 1, options = {}, terminal } = request;
  const pageSize = terminal && terminalPageSize(request);
  // Throws for the second page of a list that has only one.
  if (pageSize !== undefined) itemsBefore(page, pageSize);
  const isOfAll = pageSize === Number.POSITIVE_INFINITY;
  const terminalSize = isOfAll ? MAX_SORTED : pageSize;
  const name = nameAfter(namedBoard, search);
  if (search.fewest === 0) {
    const done = 'Every letter is used already: nothing is left.';
    return toAsker(`Solved: ${name}`, textBlock([done]), { reveals: [] });
  }
  const asked = actionOn(namedBoard, 'solve', options);
  const lists = listsOf(request).map(({ label, solutions, size = SOLUTIONS_PER_FULL_PAGE }) => ({
    label,
    page: takePage(solutions, page, terminalSize ?? size),
  }));
  const open = factOf(search, 'count');
  const isListed = lists.some(({ page: { items } }) => items.length > 0);
  const mayShowAnother = page === 1 && (wider(request) !== undefined || search.cut !== undefined);
  const hidden: Fact[] = isListed || mayShowAnother ? ['solution'] : [];
  const { points, priceLabel } = pricesOf(request.prices ?? NO_PRICES, { open: [open], hidden });
  const longest = lists.find((list) => list.page.hasMore)?.page ?? lists[0]!.page;
  const unproven =
    !isListed && page === 1 && exactly === undefined
      ? unprovenBlocks({ namedBoard, search, isListExact, priceLabel })
      : [];
  const isNothing = !isListed && unproven.length === 0;
  const blocks = [
    ...factsBlock(factsOf(request)),
    ...listedBlocks(
      { namedBoard, search, isListExact, priceLabel },
      lists.map(({ label, page: { items } }) => ({ label, solutions: items })),
    ),
    ...unproven,
    ...textBlock([isNothing && nothingFoundText(request)]),
    ...(page === 1 ? widerBlocks(request, priceLabel) : []),
    ...listedBlocks({ namedBoard, search: request.wide ?? search, isListExact }, [
      { label: 'With both word lists', solutions: besideOf(request) },
    ]),
    ...pageNote('Solution', longest),
    ...notes(
      isOfAll && longest.hasMore && 'Add --plain to print all of them.',
      search.cut,
      uncountedNote(request),
      priceNote(points),
    ),
    ...buttonsBlock([
      ...(terminalSize === undefined ? pageButtons(asked, longest) : []),
      page === 1 && search.words.length > 0 && buttonOn(namedBoard, 'Playable words', 'words'),
    ]),
  ];
  const title = `${isNothing && page === 1 ? 'No solution found' : 'Solutions'}: ${name}`;
  return toAsker(title, blocks, {
    reveals: [factsAbout(namedBoard, open)],
    ...(page === 1 && isNothing && { notFound: notFoundReason(search, besideOf(request).length > 0) }),
    ...aboutPage(asked, { number: page }, request.page !== undefined),
  });
}

/** The best solution with all words, if everyday words alone need more words. */
function wider({ search, wide, exactly }: SolveRequest): Solution | undefined {
  const found = wide && exactly === undefined ? bestOf(wide) : undefined;
  if (wide === undefined || found === undefined || search.cut !== undefined) return;
  const isShorter = found.words.length < (search.fewest ?? Number.POSITIVE_INFINITY);
  return isShorter && !offends(wide, found.words) ? found : undefined;
}

/** The shortest solutions of both word lists together, see `TerminalFlags.beside`. */
function besideOf({ terminal, wide, exactly }: SolveRequest): Solution[] {
  if (!terminal?.beside || wide === undefined) return [];
  return [...shortestOf(wide, { exactly }).take(terminal.limit ?? SOLUTIONS_PER_PAGE)];
}

function widerBlocks(request: SolveRequest, priceLabel: string): Block[] {
  const { namedBoard, search, terminal } = request;
  const found = terminal?.beside ? undefined : wider(request);
  if (found === undefined) return [];
  const known = new Set(search.words.filter(({ tier }) => tier === 'everyday').map(({ word }) => word));
  const rare = found.words.filter((word) => !known.has(word)).map((word) => word.toUpperCase());
  const own = search.fewest === undefined ? 'Nothing' : counted(search.fewest, 'word');
  const line = `${own} with well-known words, but ${found.words.length} with ${listed(rare, 'and')}.`;
  const reveals = solutionFacts(namedBoard, [found.words], search.options.played);
  return [{ kind: 'spoiler', label: `With all words${priceLabel}`, hidden: [line], reveals }];
}

/**
 * What numbers about the shortest solutions reveal: `fact`. If the search plays, requires or excludes words, they reveal a
 * whole solution, because a person who asks with one word after the other finds one from the numbers.
 */
export function factOf({ options: { exclude = [], require = [], played = [] } }: Search, fact: Fact): Fact {
  return exclude.length + require.length + played.length > 0 ? 'solution' : fact;
}

/** Solutions of each kind for a program that asks for no other number. */
const DEFAULT_DATA_LIMIT = 10;
/** Solutions are counted up to this many words, and always for the fewest. */
const COUNTED_WORDS = 3;

const PRINTED_TOGETHER = 2_000;
/** The most solutions of a printed list that are tried on other boards that are on: they may solve one (`factsOfDays`). */
const MAX_TOLD = 1_000;

/** The shortest solutions alone, each printed as it is found: a list of millions takes no more memory than a short one. */
export async function printSolutions(
  request: SolveRequest,
  print: NonNullable<TerminalFlags['print']>,
): Promise<BoardReply> {
  const { search, page = 1, terminal } = request;
  const limit = terminalPageSize(request);
  let batch: Solution[] = [];
  const first: Solution[] = [];
  const solutions = search.fewest === 0 ? Iterator.from<Solution>([]) : listedOf(request);
  for (const solution of solutions.drop(itemsBefore(page, limit)).take(limit)) {
    if (first.length < MAX_TOLD) first.push(solution);
    batch.push(solution);
    if (batch.length < PRINTED_TOGETHER) continue;
    await print(batch);
    batch = [];
  }
  // An empty list is printed, too, but nothing after a full one.
  if (batch.length > 0 || first.length === 0) await print(batch);
  if (terminal?.asData) return dataAbout(request, first);
  const unproven = unprovenOf(request, first);
  if (unproven !== undefined) await print([unproven]);
  return solutionsData(request, [...first, ...present([unproven])], { cut: search.cut });
}

/** The solutions that are asked for, the shortest first or in the order asked for. */
function listedOf(request: SolveRequest): IteratorObject<Solution> {
  const { search, sort } = request;
  const listing = listingOf({ ...request, all: request.all || sort !== undefined });
  return isOrdered(sort) ? sortedOf(search, sort, listing) : shortestOf(search, listing);
}

/** "All" of an open-ended list would never end: it means all with the fewest words, or as many as are asked for. */
function listingOf({ search, exactly, all, each: oneEach }: SolveRequest): Listing {
  const isOpenEnded = search.options.maxWords === undefined;
  return { oneEach, exactly: exactly ?? (all && isOpenEnded && search.fewest ? search.fewest : undefined) };
}

/** Whether solutions must be sorted. A search finds the likeliest first. */
function isOrdered(sort: SolutionSort | undefined): sort is Exclude<SolutionSort, 'likely'> {
  return sort !== undefined && sort !== 'likely';
}

export function solveData(request: SolveRequest): BoardReply {
  const { search, page = 1 } = request;
  const limit = terminalPageSize(request);
  const before = itemsBefore(page, limit);
  const take = (solutions: IteratorObject<Solution>): Solution[] =>
    search.fewest === 0 ? [] : [...solutions.drop(before).take(limit)];
  // Solutions come first, so that only counts are missing if the time runs out.
  const shortest = take(listedOf(request));
  // Unlike `safestOf`, with solutions that only add a word to a shorter one: a program filters them itself.
  const safest = take(
    inoffensiveFirst(
      search,
      (either) => either.solutions('safest', { ...listingOf(request), limit: Number.POSITIVE_INFINITY }),
      { byLength: false },
    ),
  );
  return dataAbout(request, [...shortest, ...safest], { shortest, safest });
}

/** All data about a board, with lists of solutions unless they were printed. */
function dataAbout(
  request: SolveRequest,
  shown: readonly Solution[],
  lists?: { readonly shortest: readonly Solution[]; readonly safest: readonly Solution[] },
): BoardReply {
  const { search, terminal } = request;
  const { fewest, board, words } = search;
  const unproven = unprovenOf(request, shown);
  const beside = besideOf(request);
  const { counts, atLeast } = fewest === 0 ? { counts: {}, atLeast: undefined } : countsOf(request);
  const better = wider(request);
  const data = {
    sides: board.sides,
    playable: words.length,
    fewest: fewest ?? null,
    counts,
    atLeast,
    ...lists,
    wider: better?.words,
    ...(terminal?.beside && { beside }),
    // Read last: the time may have run out while any of the above was searched for.
    cut: search.cut,
    unproven,
  };
  return solutionsData(request, [...shown, ...beside, ...present([unproven])], data, better);
}

/**
 * @param shown solutions in the data, or printed before it
 * @param better a solution that is in the data, too, although nobody asked for it
 */
function solutionsData(
  { namedBoard, search, page = 1 }: SolveRequest,
  shown: readonly Solution[],
  data: unknown,
  better?: Solution,
): BoardReply {
  const chains = [...shown, ...present([better])].map(({ words }) => words);
  const notFound = notFoundReason(search, shown.length > 0 || page > 1);
  return dataReply(data, [solutionFacts(namedBoard, chains, search.options.played)], { notFound });
}

/** A solution that may not be the shortest, if the time ran out before any other was found. */
function unprovenOf(
  { search, exactly, page = 1 }: SolveRequest,
  shown: readonly Solution[],
): Solution | undefined {
  const isHurried =
    notFoundReason(search, shown.length > 0 || page > 1) === 'unknown' && exactly === undefined;
  return isHurried ? quickOf(search) : undefined;
}

/** Numbers of solutions by their numbers of words; null where one is not known. */
type Counts = Record<string, number | bigint | null>;

/** `atLeast` has what was counted before the time ran out. */
function countsOf(request: SolveRequest): { readonly counts: Counts; readonly atLeast?: Counts } {
  const { search, exactly = 0, lengthToCount = 0 } = request;
  const longest = Math.max(COUNTED_WORDS, search.fewest ?? 0, exactly, lengthToCount);
  const counts: Counts = {};
  const atLeast: Counts = {};
  for (let words = 1; words <= longest; words++) {
    if (!isCounted(request, words)) continue;
    counts[words] = null;
    if (isSlowToCount(request, words)) continue;
    const { value, exact } = search.counted(words);
    if (exact) counts[words] = value;
    else if (value > 0) atLeast[words] = value;
  }
  return { counts, ...(Object.keys(atLeast).length > 0 && { atLeast }) };
}

/** Whether solutions of this length are counted: those that are searched for, and those to count. */
function isCounted({ search, lengthToCount }: SolveRequest, words: number): boolean {
  return words === lengthToCount || words <= Math.min(search.maxWords, MAX_WORDS);
}

/** Counting the solutions of four words takes ten seconds on a board of 24 letters. */
function isSlowToCount({ search, lengthToCount }: SolveRequest, words: number): boolean {
  return words !== lengthToCount && words >= 4 && search.board.letters.length > 16;
}

/** Explains how to have other solutions counted. */
function uncountedNote(request: SolveRequest): Maybe<string> {
  const words = request.exactly ?? request.search.fewest ?? 0;
  return (
    isCounted(request, words) &&
    isSlowToCount(request, words) &&
    `${solutionsOf(words)} aren’t counted on so large a board. Add count:${words} to count them.`
  );
}

/** Solutions of each kind on a page of the terminal. */
function terminalPageSize({ terminal, all, sort }: SolveRequest): number {
  return terminal?.limit ?? (all || sort ? Number.POSITIVE_INFINITY : DEFAULT_DATA_LIMIT);
}

interface List {
  readonly label: string;
  readonly solutions: IteratorObject<Solution>;
  /** The size of a page; by default that of one long list. */
  readonly size?: number;
}

/** One list of what is asked for, or else the best of two kinds. */
function listsOf(request: SolveRequest): List[] {
  const { search, exactly, all, each: oneEach, sort, isListExact } = request;
  if (all || oneEach || sort || exactly !== undefined) return [listAskedFor(request)];
  return [
    { label: 'Shortest', solutions: shortestOf(search), size: SOLUTIONS_PER_PAGE },
    { label: safestLabel(isListExact), solutions: safestOf(search), size: SOLUTIONS_PER_PAGE },
  ];
}

/** The list is named by its order, or else by how much of it there is. */
function listAskedFor(request: SolveRequest): List {
  const { search, exactly, all, each, sort, isListExact } = request;
  const solutions = listedOf(request);
  if (!all && !sort) {
    const label = exactly === undefined ? EACH_LABEL : `With ${counted(exactly, 'word')}`;
    return { label, solutions };
  }
  const { maxWords = 0 } = search.options;
  const upTo = maxWords > 0 && exactly === undefined ? ` with up to ${counted(maxWords, 'word')}` : '';
  const labelOf = (which: string, order: string) => `${each ? EACH_LABEL : which + upTo}, ${order}`;
  if (!isOrdered(sort)) {
    const order = `${isListExact ? 'best known' : 'likeliest'} first`;
    return { label: labelOf('All solutions', order), solutions };
  }
  const sorted = solutions.toArray();
  const which = sorted.length < MAX_SORTED ? 'All solutions' : `The ${grouped(MAX_SORTED)} best solutions`;
  const order = sort === 'alpha' ? 'by the alphabet' : 'fewest letters first';
  return { label: labelOf(which, order), solutions: sorted.values() };
}

const EACH_LABEL = 'One for each first word';

function factsOf(request: SolveRequest): Record<string, Maybe<string>> {
  const { search, exactly = 0, lengthToCount = 0 } = request;
  const { fewest = 0 } = search;
  const facts = { 'Playable words': grouped(search.words.length), 'Fewest words': fewestText(search) };
  const counts = [...(fewest > 0 ? [fewest, fewest + 1] : []), exactly, lengthToCount]
    .filter((words) => words > 0 && isCounted(request, words) && !isSlowToCount(request, words))
    .map((words) => [
      solutionsOf(words),
      // A number that somebody asked for is shown even if it is not known.
      countText(search, words) || (words === lengthToCount && 'not counted in the time there was'),
    ]);
  return { ...facts, ...Object.fromEntries(counts) };
}

/** @example solutionsOf(2) // 'Two-word solutions' */
function solutionsOf(words: number): string {
  return `${capitalized(spelled(words))}-word solutions`;
}

/** The fewest words, or their bounds if the time ran out before they were certain. */
function fewestText({ fewest, fewestBounds: { atLeast, atMost }, cut }: Search): Maybe<string> {
  if (fewest !== undefined) return String(fewest);
  return cut !== undefined && `at least ${atLeast}${atMost === undefined ? '' : `, at most ${atMost}`}`;
}

function countText(search: Search, words: number): Maybe<string> {
  const { value, exact } = search.counted(words);
  if (exact) return grouped(value);
  return Number(value) > 0 && `at least ${grouped(value)}`;
}

function nothingFoundText({ search, exactly, page = 1, terminal }: SolveRequest): string {
  if (page > 1) return 'There are no more solutions.';
  if (search.cut !== undefined) return 'No solution was found in the time there was.';
  if (terminal?.beside) return 'The first word list has no solution.';
  const { exclude, require, tier } = search.options;
  const narrowed = exclude || require || tier ? ' with these options' : '';
  if (search.words.length === 0 && narrowed === '')
    return 'No word in the word list can be played on this board.';
  if (exactly !== undefined) return `No solution has exactly ${counted(exactly, 'word')}${narrowed}.`;
  const most = search.maxWords === 1 ? 'one word' : `${search.maxWords} words or fewer`;
  return `The word list has no solution in ${most}${narrowed}.`;
}
