import { counted, grouped, listed } from '../../core/text.ts';
import type { Source } from '../../puzzle/types.ts';
import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import {
  actionOn,
  buttonOn,
  itemsBefore,
  type NamedBoard,
  nameAfter,
  pageButtons,
  pageNote,
  pictureOf,
  sidesOption,
  takePage,
} from '../model/action.ts';
import { type Fact, factsAbout } from '../model/facts.ts';
import {
  bold,
  buttonsBlock,
  chainText,
  factsBlock,
  type Maybe,
  notes,
  replyTo,
  textBlock,
  toAsker,
} from '../model/text.ts';
import {
  type Action,
  type Block,
  type BoardReply,
  dataReply,
  type Inline,
  type Line,
  type Reply,
  type TerminalFlags,
} from '../model/types.ts';
import {
  bestOf,
  inoffensiveFirst,
  MAX_SORTED,
  notFoundField,
  notFoundReason,
  offends,
  quickOf,
  type SolutionSort,
  safestOf,
  shortestOf,
  sortedOf,
  withWarning,
} from './chosen-solutions.ts';
import { REVIEW_LABEL } from './game.ts';
import { ALL_HINT_POINTS } from './hint-steps.ts';

const SOLUTIONS_PER_PAGE = 5;
/** Pages of one long list have room for more. */
const SOLUTIONS_PER_FULL_PAGE = 15;

export interface SolvedRequest {
  readonly namedBoard: NamedBoard;
  readonly search: Search;
  /** The same search with all words, if only everyday words are searched. */
  readonly wide?: Search;
  readonly isListExact: boolean;
  /** Only solutions with this many words. */
  readonly exactly?: number;
  /** Every solution with the fewest words (or `exactly` as many), page by page, instead of the best of two kinds. */
  readonly all?: boolean;
  /** Only the best solution for each first word. */
  readonly each?: boolean;
  /** Lists all, as `all` does, but in this order. */
  readonly sort?: SolutionSort;
  /** Solutions with this many words are counted, even if that takes long. */
  readonly counts?: number;
  readonly terminal?: TerminalFlags;
  /** Set by paging buttons, whose answer changes their own message. */
  readonly page?: number;
  /** The other options (`exclude`, `require`, …), which the buttons repeat. */
  readonly options?: Action['options'];
}

/** The answer about a board's solutions: counts in the open, the best solutions hidden, page by page. */
export function solvedReply(request: SolvedRequest): BoardReply {
  const { namedBoard, search, isListExact, exactly, counts, page = 1, options = {}, terminal } = request;
  const ownSize = terminal && sizeFor(request);
  if (ownSize !== undefined) itemsBefore(page, ownSize);
  const name = nameAfter(namedBoard, search);
  if (search.fewest === 0) {
    const done = 'Every letter is used already: nothing is left.';
    return toAsker(`Solved: ${name}`, textBlock([done]), { reveals: [] });
  }
  const asked = actionOn(namedBoard, 'solve', options);
  const lists = listsOf(search, request).map(({ label, solutions, size = SOLUTIONS_PER_FULL_PAGE }) => ({
    label,
    page: takePage(solutions, page, ownSize ?? size),
  }));
  const longest = lists.find((list) => list.page.hasMore)?.page ?? lists[0]!.page;
  const isEmpty = lists.every((list) => list.page.items.length === 0);
  const unproven =
    isEmpty && page === 1 && exactly === undefined ? unprovenBlocks({ namedBoard, search, isListExact }) : [];
  const isNothing = isEmpty && unproven.length === 0;
  const blocks = [
    ...factsBlock(factsOf(search, exactly, counts)),
    ...listedBlocks(
      { namedBoard, search, isListExact },
      lists.map(({ label, page: { items } }) => ({ label, solutions: items })),
    ),
    ...unproven,
    ...textBlock([isNothing && nothing(search, exactly, page)]),
    ...(page === 1 ? widerBlocks(request) : []),
    ...pageNote('Solution', longest),
    ...notes(search.cut, uncountedNote(search, exactly, counts)),
    ...buttonsBlock([
      ...(ownSize === undefined ? pageButtons(asked, longest) : []),
      page === 1 && search.words.length > 0 && buttonOn(namedBoard, 'Playable words', 'words'),
    ]),
  ];
  const title = `${isNothing && page === 1 ? 'No solution found' : 'Solutions'}: ${name}`;
  return toAsker(title, blocks, {
    reveals: [factsAbout(namedBoard, factOf(search, 'count'))],
    ...(page === 1 && isNothing && { notFound: notFoundReason(search, false) }),
    rerun: { command: asked.command, options: { ...asked.options, page } },
    replaces: request.page === undefined ? undefined : true,
  });
}

/** The best solution with all words, if everyday words alone need more words. */
function wider({ search, wide, exactly }: SolvedRequest): Solution | undefined {
  const found = wide && exactly === undefined ? bestOf(wide) : undefined;
  if (wide === undefined || found === undefined || search.cut !== undefined) return;
  const isShorter = found.words.length < (search.fewest ?? Number.POSITIVE_INFINITY);
  return isShorter && !offends(wide, found.words) ? found : undefined;
}

function widerBlocks(request: SolvedRequest): Block[] {
  const { namedBoard, search, wide } = request;
  const found = wider(request);
  if (wide === undefined || found === undefined) return [];
  const known = new Set(search.words.filter(({ tier }) => tier === 'everyday').map(({ word }) => word));
  const rare = found.words.filter((word) => !known.has(word)).map((word) => word.toUpperCase());
  const own = search.fewest === undefined ? 'Nothing' : counted(search.fewest, 'word');
  const line = `${own} with everyday words; ${found.words.length} with ${listed(rare, 'and')}.`;
  return [
    { kind: 'spoiler', label: 'With all words', hidden: [line], reveals: factsAbout(namedBoard, 'solution') },
  ];
}

/**
 * The fact that figures of the shortest solutions reveal. Figures for certain words lead to a solution if they are asked for
 * with one word after the other, so they reveal as much.
 */
export function factOf({ options: { exclude = [], require = [], played = [] } }: Search, fact: Fact): Fact {
  return exclude.length + require.length + played.length > 0 ? 'solution' : fact;
}

/** Solutions of each kind for a program that asks for no other number. */
const DEFAULT_DATA_LIMIT = 10;
/** Solutions are counted up to this many words, and always for the fewest. */
const COUNTED_WORDS = 3;

/** The same answer as data for programs. */
export function solvedData(request: SolvedRequest): BoardReply {
  const { namedBoard, search, exactly, all, each: oneEach, sort, counts: asked, page = 1 } = request;
  const limit = sizeFor(request);
  const before = itemsBefore(page, limit);
  const { fewest, board, cut } = search;
  const isSolved = fewest === 0;
  // "All" of an open-ended list would never end: it means all with the fewest words, or with the number asked for.
  const listing = { oneEach, exactly: exactly ?? (all && fewest ? fewest : undefined) };
  const take = (solutions: IteratorObject<Solution>): Solution[] =>
    isSolved ? [] : [...solutions.drop(before).take(limit)];
  // Solutions come first, so that only counts are missing if the time runs out.
  const shortest = take(sort === undefined ? shortestOf(search, listing) : sortedOf(search, sort, listing));
  // If certainty took too long, a correct solution that may not be the shortest is better than none.
  const isListed = shortest.length > 0 || before > 0;
  const isHurried = notFoundReason(search, isListed) === 'unknown' && exactly === undefined;
  const unproven = isHurried ? quickOf(search) : undefined;
  const notFound = notFoundReason(search, isListed || unproven !== undefined);
  const safest = take(
    inoffensiveFirst(search, (one) => one.solutions('safest', listing), { byLength: false }),
  );
  const counts = isSolved ? {} : countsOf(search, exactly, asked);
  const playable = search.words.length;
  return dataReply(
    {
      sides: board.sides,
      playable,
      fewest: fewest ?? null,
      counts,
      shortest,
      safest,
      wider: wider(request)?.words,
      cut,
      unproven,
    },
    [factsAbout(namedBoard, 'solution')],
    { notFound },
  );
}

function countsOf(search: Search, exactly = 0, asked = 0): Record<string, number | bigint | null> {
  const most = Math.min(search.maxWords, Math.max(COUNTED_WORDS, search.fewest ?? 0, exactly, asked));
  const counts: Record<string, number | bigint | null> = {};
  for (let words = 1; words <= most; words++)
    counts[words] = words !== asked && takesLong(search, words) ? null : (search.count(words) ?? null);
  return counts;
}

/** Counting the solutions of four words takes ten seconds on a board of 24 letters. */
const LARGE_BOARD_LETTERS = 16;
const LONG_SOLUTION_WORDS = 4;

function takesLong({ board }: Search, words: number): boolean {
  return board.letters.length > LARGE_BOARD_LETTERS && words >= LONG_SOLUTION_WORDS;
}

/** Explains how to have other solutions counted. */
function uncountedNote(
  search: Search,
  exactly: number | undefined,
  asked: number | undefined,
): Maybe<string> {
  const words = exactly ?? search.fewest;
  return (
    words !== undefined &&
    words !== asked &&
    takesLong(search, words) &&
    `${solutionsOf(words)} aren’t counted on so large a board. Add count:${words} to count them.`
  );
}

/** Solutions of each kind on a page of the terminal. */
function sizeFor({ terminal, all, sort }: SolvedRequest): number {
  return terminal?.limit ?? (all || sort ? Number.POSITIVE_INFINITY : DEFAULT_DATA_LIMIT);
}

interface List {
  readonly label: string;
  readonly solutions: IteratorObject<Solution>;
  /** The size of a page; by default that of one long list. */
  readonly size?: number;
}

function listsOf(search: Search, { exactly, all, each: oneEach, sort, isListExact }: SolvedRequest): List[] {
  if (sort === 'alpha' || sort === 'length') {
    const { value } = search.counted(exactly ?? search.fewest ?? 0);
    const which = value > MAX_SORTED ? `The ${grouped(MAX_SORTED)} likeliest solutions` : 'All solutions';
    const label = `${which}, ${sort === 'alpha' ? 'by the alphabet' : 'fewest letters first'}`;
    return [{ label, solutions: sortedOf(search, sort, { oneEach, exactly }) }];
  }
  if (!all && !oneEach && !sort && exactly === undefined) {
    return [
      { label: 'Shortest', solutions: shortestOf(search), size: SOLUTIONS_PER_PAGE },
      { label: safestLabel(isListExact), solutions: safestOf(search), size: SOLUTIONS_PER_PAGE },
    ];
  }
  let label = exactly === undefined ? 'One for each first word' : `With ${counted(exactly, 'word')}`;
  if (all || sort) label = `All solutions, ${isListExact ? 'best known' : 'likeliest'} first`;
  const listing = { oneEach, exactly: exactly ?? (all || sort ? search.fewest : undefined) };
  return [{ label, solutions: shortestOf(search, listing) }];
}

function factsOf(
  search: Search,
  exactly: number | undefined,
  asked: number | undefined,
): Record<string, Maybe<string>> {
  const { fewest } = search;
  const most = Math.max(search.maxWords, exactly ?? 0, asked ?? 0);
  const usual = fewest === undefined ? [exactly] : [fewest, fewest + 1, exactly];
  const lengths = [...usual.filter((words) => words !== undefined && !takesLong(search, words)), asked];
  const facts = { 'Playable words': grouped(search.words.length), 'Fewest words': fewestText(search) };
  const counts = lengths
    .filter((words) => words !== undefined && words > 0 && words <= most)
    .map((words) => [solutionsOf(words!), countText(search, words!)]);
  return { ...facts, ...Object.fromEntries(counts) };
}

const NUMBERS = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

/** @example solutionsOf(2) // 'Two-word solutions' */
function solutionsOf(words: number): string {
  return `${NUMBERS[words - 1] ?? words}-word solutions`;
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

function nothing(search: Search, exactly: number | undefined, page: number): string {
  if (page > 1) return 'There are no more solutions.';
  if (search.words.length === 0) return 'No word in the word list can be played on this board.';
  if (search.cut !== undefined) return 'No solution was found in the time there was.';
  const { exclude, require, tier } = search.options;
  const narrowed = exclude || require || tier ? ' with these options' : '';
  return exactly === undefined
    ? `The word list has no solution in ${search.maxWords} words or fewer${narrowed}.`
    : `No solution has exactly ${counted(exactly, 'word')}${narrowed}.`;
}

const SOLUTIONS_SHOWN = 3;

const OFFICIAL_LABELS: Readonly<Record<Source, string>> = {
  newspaper: 'The newspaper’s solution',
  house: 'The solution this board was made from',
  hand: 'The solution typed with the board',
};

export interface SolutionRequest {
  readonly namedBoard: NamedBoard;
  /** The fewest words for the whole board, with nothing played. */
  readonly search: Search;
  /** Whether the list that decides what counts as a word is known. */
  readonly isListExact: boolean;
  /** The source's own solution, when known. */
  readonly official?: { readonly words: readonly string[]; readonly source: Source };
  readonly audience: Reply['audience'];
  /** Shows the words openly to a person who has asked for exactly this. The picture stays hidden. */
  readonly open?: boolean;
  /** Where the board comes from. */
  readonly source?: Line;
}

/** What the solution costs, before it is shown. */
export function priceReply(namedBoard: NamedBoard): Reply {
  const price = `In your result, the solution counts as all hints: ${ALL_HINT_POINTS} hint points.`;
  return toAsker(`Show the solution? ${namedBoard.name}`, [
    textBlock([price]),
    buttonsBlock([
      buttonOn(namedBoard, 'Show the solution', 'reveal', { options: { open: true }, look: 'danger' }),
      buttonOn(namedBoard, 'A hint instead', 'hint', { look: 'primary' }),
    ]),
  ]);
}

/** The full solution: the source's own, our shortest, our safest, and a picture, hidden until opened. */
export function solutionReply(request: SolutionRequest): BoardReply {
  const { namedBoard, search, audience, source } = request;
  const blocks = solutionBlocks(request);
  const shown = [
    ...blocks,
    notes(source),
    buttonsBlock([
      { label: 'All solutions', action: { command: 'solve', options: sidesOption(namedBoard.board) } },
      buttonOn(namedBoard, REVIEW_LABEL, 'review'),
    ]),
  ];
  return replyTo(audience, `Solution: ${namedBoard.name}`, shown, {
    reveals: [],
    ...notFoundField(search, blocks),
    // People who open it from a message with only its cover have decided already, so the price is not repeated.
    rerun: actionOn(namedBoard, 'reveal', { open: true }),
  });
}

/** The solutions alone, for messages that merge several steps. */
export function solutionBlocks(request: SolutionRequest): Block[] {
  const { namedBoard, search, isListExact, official } = request;
  const { fewest } = search;
  const shortest =
    fewest === undefined ? [] : shortestOf(search, { exactly: fewest }).take(SOLUTIONS_SHOWN).toArray();
  const safest = safestOf(search).take(SOLUTIONS_SHOWN).toArray();
  const best = [official, ...shortest].find((one) => one && !offends(search, one.words));
  const none = search.cut ?? 'No solution found in the word list.';
  const lists = [
    { label: 'Shortest', solutions: shortest },
    { label: safestLabel(isListExact), solutions: safest },
  ];
  return [
    ...(official ? spoilersOf({ ...request, isListExact: true }, officialList(official)) : []),
    ...(shortest.length === 0
      ? [...textBlock([none]), ...unprovenBlocks(request)]
      : listedBlocks(request, lists)),
    ...(best
      ? [pictureOf(namedBoard.board, { words: best.words, spoiler: factsAbout(namedBoard, 'solution') })]
      : []),
  ];
}

function officialList({ words, source }: NonNullable<SolutionRequest['official']>): SolutionList {
  return { label: OFFICIAL_LABELS[source], solutions: [{ words, likelihood: 1 }] };
}

/** Lists of solutions of a board, or of continuations. */
interface ListedOn extends Pick<SolutionRequest, 'namedBoard' | 'search' | 'isListExact' | 'open'> {
  /** The fact that each list reveals; by default a solution. */
  readonly fact?: Fact;
}

/** One spoiler, and another for solutions that may offend, which never opens by default. */
function spoilersOf(
  { namedBoard, search, isListExact, open, fact = 'solution' }: ListedOn,
  { label, solutions }: SolutionList,
): Block[] {
  const [others = [], offensive = []] = [false, true].map((may) =>
    solutions.filter(({ words }) => offends(search, words) === may),
  );
  const lines = (some: readonly Listed[]) => some.map((solution) => solutionLine(solution, isListExact));
  const spoiler = { kind: 'spoiler', reveals: factsAbout(namedBoard, fact) } as const;
  return [
    ...(others.length > 0 ? [{ ...spoiler, label, hidden: lines(others), open: open || undefined }] : []),
    ...(offensive.length > 0 ? [{ ...spoiler, label: withWarning(label), hidden: lines(offensive) }] : []),
  ];
}

/** Words on a line of their own. */
function wordsLine(words: readonly string[]): Inline {
  return bold(chainText(words));
}

/** The label of the solutions with the likeliest words. If the deciding list is known, no word is safer than another. */
const safestLabel = (isListExact: boolean): string =>
  `${isListExact ? 'Best-known words' : 'Safest'} (may be longer)`;

/** The label of the shortest solutions if they are also the safest. */
const bothLabel = (isListExact: boolean): string => `Shortest and ${isListExact ? 'best known' : 'safest'}`;

/** `leaves`: the letters still unused after these words. */
type Listed = Pick<Solution, 'words' | 'likelihood'> & { readonly leaves?: readonly string[] };

/** Solutions listed under one label. */
export interface SolutionList {
  readonly label: string;
  readonly solutions: readonly Listed[];
}

/** The lists, followed by a note on their percentages. */
function listedBlocks(on: ListedOn, lists: readonly SolutionList[]): Block[] {
  return [
    ...listBlocks(on, lists),
    ...likelihoodNote(
      on.isListExact,
      lists.flatMap(({ solutions }) => solutions),
    ),
  ];
}

/** A spoiler for each list that is not empty; a single one if the shortest are also the safest. */
export function listBlocks(on: ListedOn, lists: readonly SolutionList[]): Block[] {
  const [first, second] = lists;
  const isOne = first !== undefined && second !== undefined && areSame(first.solutions, second.solutions);
  const shown = isOne ? [{ label: bothLabel(on.isListExact), solutions: first.solutions }] : lists;
  return shown.flatMap((list) => spoilersOf(on, list));
}

/** Whether two lists have the same solutions in the same order. */
function areSame(some: readonly Listed[], others: readonly Listed[]): boolean {
  const spell = (solutions: readonly Listed[]) => solutions.map(({ words }) => words.join(' ')).join('\n');
  return spell(some) === spell(others);
}

/** Solutions of at least this likelihood are as good as certain, and need no percentage. */
const SAFE_LIKELIHOOD = 0.95;

/** A solution and, if there is some doubt, the chance that the game accepts all its words. */
function solutionLine({ words, likelihood, leaves = [] }: Listed, isListExact: boolean): Line {
  return [
    wordsLine(words),
    isListExact || likelihood >= SAFE_LIKELIHOOD ? '' : `${NO_BREAK}(${percent(likelihood)})`,
    leaves.length === 0 ? '' : `, which leaves ${listed(leaves.map((letter) => letter.toUpperCase()))}`,
  ];
}

/** Stands between words and their percentage, which belong together. */
const NO_BREAK = '\u00A0';

/** Explains the percentages; empty if none is shown. */
export function likelihoodNote(
  isListExact: boolean,
  solutions: readonly Pick<Solution, 'likelihood'>[],
): Block[] {
  if (isListExact || solutions.every(({ likelihood }) => likelihood >= SAFE_LIKELIHOOD)) return [];
  const isMixed = solutions.some(({ likelihood }) => likelihood >= SAFE_LIKELIHOOD);
  const rest = isMixed ? ` No % means ${percent(SAFE_LIKELIHOOD)} or more.` : '';
  return notes(`${PERCENT_MEANS}.${rest}`);
}

export const PERCENT_MEANS = '% = chance that the game accepts the words';

/** Never 0% or 100% for an uncertain word. */
export function percent(likelihood: number): string {
  return `${likelihood === 1 ? 100 : Math.min(99, Math.max(1, Math.round(100 * likelihood)))}%`;
}

/**
 * A solution that may not be the shortest, for when the time ran out before anything was certain. Hints for such a board are
 * about the same solution.
 */
export function unprovenBlocks(on: ListedOn): Block[] {
  const { search, isListExact } = on;
  const solution = search.cut === undefined ? undefined : quickOf(search);
  if (solution === undefined) return [];
  return [
    ...spoilersOf(on, { label: 'A solution, maybe not the shortest', solutions: [solution] }),
    ...likelihoodNote(isListExact, [solution]),
  ];
}
