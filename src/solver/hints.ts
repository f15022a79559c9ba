import { UserError } from '../core/errors.ts';
import { lettersIn, placesIn } from './bits.ts';
import { reachable, type Spots, spotsOf } from './board.ts';
import { edgesFrom, familiarityOf, type Lexicon, tierOf, WORD_END } from './lexicon.ts';
import { findPlayable } from './playable.ts';
import { makeSearch, type Search, type SearchOptions } from './search.ts';
import type { Board, PlayableWord } from './types.ts';

export interface StartLetter {
  readonly letter: string;
  /** Fewest-word solutions that begin with it, exactly. */
  readonly solutions: number | bigint;
  /** How familiar the words of the best of them are: 0 for unheard of, 1 for everyday words we are sure of. */
  readonly familiarity: number;
}

export interface HardLetter {
  readonly letter: string;
  readonly spot: number;
  /** Playable words that touch it. */
  readonly words: number;
}

export interface EdgeLetter {
  readonly letter: string;
  /** Playable words that have it at this end. */
  readonly words: number;
  /** Fewest-word solutions that have it at this end, exactly. */
  readonly solutions: number | bigint;
}

interface EdgeLetters {
  readonly first: readonly EdgeLetter[];
  readonly last: readonly EdgeLetter[];
  readonly cut: string | undefined;
}

/**
 * Solutions of as many words are listed by likelihood, and the most familiar one is among the first few. The search finds
 * solutions in batches, and its first batch has this many.
 */
const MAX_SOLUTIONS_RANKED = 10;

/**
 * The letters that fewest-word solutions begin with, best first: the most familiar (to a tenth), then the
 * most solutions. Empty when there is no solution, or when a count was cut.
 *
 * @example startLetters(search)[0] // { letter: 'm', solutions: 4, familiarity: 0.97 }
 */
export function startLetters(search: Search): readonly StartLetter[] {
  const known = startLettersKnown.get(search);
  if (known !== undefined) return known;
  const starts = findStartLetters(search);
  // Empty after a cut: the next hint may have more time.
  if (starts.length > 0) startLettersKnown.set(search, starts);
  return starts;
}

/** Each hint about a board asks for them, and each letter takes a search of its own. */
const startLettersKnown = new WeakMap<Search, readonly StartLetter[]>();

function findStartLetters(search: Search): StartLetter[] {
  const { fewest } = search;
  if (!fewest) return [];
  const familiarities = new Map(search.words.map((one) => [one.word, familiarityOf(one)]));
  const starts: StartLetter[] = [];
  for (const letter of lettersOf(search.board)) {
    const own = search.startingWith(letter);
    const solutions = own.count(fewest);
    if (solutions === undefined) return [];
    if (solutions === 0) continue;
    let familiarity = 0;
    for (const { words } of own.solutions('shortest', { exactly: fewest, limit: MAX_SOLUTIONS_RANKED })) {
      familiarity = Math.max(
        familiarity,
        words.reduce((product, word) => product * familiarities.get(word)!, 1),
      );
    }
    starts.push({ letter, solutions, familiarity });
  }
  const tenths = ({ familiarity }: StartLetter) => Math.round(familiarity * 10);
  return starts.sort((a, b) => tenths(b) - tenths(a) || bySolutions(a, b) || byLetter(a, b));
}

/** Every spot of the board; the spots that the fewest words touch come first. */
export function hardestLetters(search: Pick<Search, 'board' | 'words'>): HardLetter[] {
  const { letters } = search.board;
  const words = new Array<number>(letters.length).fill(0);
  for (const { walks } of search.words) {
    const touched = walks.reduce((spots, { mask }) => spots | mask, 0);
    for (const spot of placesIn(touched)) words[spot]!++;
  }
  return words
    .map((count, spot) => ({ letter: letters[spot]!, spot, words: count }))
    .sort((a, b) => a.words - b.words || a.spot - b.spot);
}

/** How many words of a search start with a letter, and how many end in it. */
export function wordsAt(search: Pick<Search, 'words'>, letter: string): { starting: number; ending: number } {
  const starting = search.words.filter(({ word }) => word[0] === letter).length;
  return { starting, ending: search.words.filter(({ word }) => word.at(-1) === letter).length };
}

/** The letters that the words touching a spot start with, in the order of the alphabet. */
export function startsThrough(search: Pick<Search, 'words'>, spot: number): string[] {
  const through = search.words.filter(({ walks }) => walks.some(({ mask }) => (mask & (1 << spot)) !== 0));
  return [...new Set(through.map(({ word }) => word[0]!))].sort();
}

/**
 * Every letter of the board as the first and as the last of a fewest-word solution: the good ones first,
 * the hopeless ones at the end. For a search of a whole board, with nothing played. When the search was
 * cut, both lists are empty and `cut` says where.
 */
export function edgeLetters(search: Search): EdgeLetters {
  const { board, fewest, words, options } = search;
  if (options.played?.length)
    throw new UserError(
      'search.played',
      'First and last letters are about a whole board. Leave out the words played.',
    );
  // Read from its end, a solution is a chain of reversed words: its first letter is our last.
  const { require = [], stop } = options;
  const reversed = makeSearch(board, words.map(reverse), {
    require: require.map(backwards),
    ...(stop && { stop }),
  });
  const first = startsOf(search, fewest);
  const last = startsOf(reversed, fewest);
  const cut = search.cut ?? first.cut ?? last.cut;
  return cut === undefined ? { first: first.letters, last: last.letters, cut } : { first: [], last: [], cut };
}

/** How many words and solutions start with each letter, and where a count was cut. */
function startsOf(search: Search, fewest: number | undefined): { letters: EdgeLetter[]; cut?: string } {
  const starts = search.words.map(({ word }) => word[0]);
  let cut: string | undefined;
  const letters = lettersOf(search.board).map((letter) => {
    const own = search.startingWith(letter);
    const solutions = fewest === undefined ? 0 : (own.count(fewest) ?? 0);
    cut ??= own.cut;
    return { letter, words: starts.filter((start) => start === letter).length, solutions };
  });
  letters.sort((a, b) => bySolutions(a, b) || b.words - a.words || byLetter(a, b));
  return { letters, ...(cut !== undefined && { cut }) };
}

function lettersOf(board: Board): string[] {
  return [...new Set(board.letters)];
}

/** The word as it is read from its end: it begins where the word ends. */
function reverse({ word, walks, ...rest }: PlayableWord): PlayableWord {
  return {
    ...rest,
    word: backwards(word),
    walks: walks.map(({ start, end, mask }) => ({ start: end, end: start, mask })),
  };
}

function backwards(word: string): string {
  return Array.from(word).reverse().join('');
}

function bySolutions(a: Pick<EdgeLetter, 'solutions'>, b: Pick<EdgeLetter, 'solutions'>): number {
  return a.solutions === b.solutions ? 0 : a.solutions > b.solutions ? -1 : 1;
}

function byLetter(a: Pick<EdgeLetter, 'letter'>, b: Pick<EdgeLetter, 'letter'>): number {
  return a.letter < b.letter ? -1 : 1;
}

/** In the order in which words are left out. The last two only where they are asked for. */
export type FilterStage = 'list' | 'letters' | 'sides' | 'everyday' | 'exclude';

export interface FilteredWords {
  readonly stage: FilterStage;
  readonly left: number;
  /** The likeliest words that it let pass, and the likeliest that it left out. */
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
}

/**
 * What each stage of the filter leaves of a word list on a board: all words, words of the board's letters alone, words that
 * its sides allow, and words that a search on these terms uses.
 *
 * @example explainFilter(board, lexicon).map(({ stage, left }) => `${stage} ${left}`) // list 276720, letters 3000, sides 890
 */
export function explainFilter(
  board: Board,
  lexicon: Lexicon,
  { tier, exclude = [] }: Pick<SearchOptions, 'tier' | 'exclude'> = {},
  examples = 3,
): FilteredWords[] {
  // Words are known by their numbers: to spell them all would take a second.
  const { likelihoods, tiers, wordAt } = lexicon;
  const spelled = new Set(wordsOfLetters(lettersIn(board.letters), lexicon));
  const walked = new Set(findPlayable(board, lexicon).map(({ word }) => word));
  const unwanted = new Set(exclude.map((word) => word.toLowerCase()));
  const rules: [FilterStage, (number: number) => boolean][] = [
    ['list', () => true],
    ['letters', (number) => spelled.has(number)],
    ['sides', (number) => walked.has(wordAt(number))],
  ];
  if (tier === 'everyday') rules.push(['everyday', (number) => tierOf(tiers[number]!) === tier]);
  if (unwanted.size > 0) rules.push(['exclude', (number) => !unwanted.has(wordAt(number))]);
  let left = [...likelihoods.keys()];
  return rules.map(([stage, passes]) => {
    const kept = left.filter(passes);
    const dropped = left.filter((number) => !passes(number));
    left = kept;
    return {
      stage,
      left: kept.length,
      kept: likeliest(kept, lexicon, examples),
      dropped: likeliest(dropped, lexicon, examples),
    };
  });
}

/**
 * How much of the word graph a walk over the board visits: each beginning that can be walked is an edge that it follows. See
 * `Lexicon` for what a node and its edges are.
 */
export function walkedGraph(
  board: Board,
  lexicon: Lexicon,
): { readonly nodes: number; readonly edges: number } {
  const nodes = new Set([lexicon.root]);
  let edges = 0;
  const visit = (node: number, open: Spots) => {
    for (const { letter, to } of edgesFrom(lexicon, node)) {
      const spots = open & spotsOf(board, String.fromCharCode(97 + letter));
      if (spots === 0) continue;
      edges++;
      nodes.add(to);
      visit(to, reachable(board, spots));
    }
  };
  visit(lexicon.root, board.full);
  return { nodes: nodes.size, edges };
}

/** The numbers of the words that have these letters alone. */
function wordsOfLetters(letters: number, lexicon: Lexicon): number[] {
  const numbers: number[] = [];
  const visit = (node: number, number: number) => {
    if (lexicon.graph[node]! & WORD_END) numbers.push(number);
    for (const { to, before } of edgesFrom(lexicon, node, letters)) visit(to, number + before);
  };
  visit(lexicon.root, 0);
  return numbers;
}

/** Among equally likely words, the longest first, then the first in the alphabet, which is the order of the numbers. */
function likeliest(numbers: readonly number[], { likelihoods, wordAt }: Lexicon, count: number): string[] {
  // Only words that are likely enough to be among them are spelled.
  const sorted = Uint8Array.from(numbers, (number) => likelihoods[number]!).sort();
  const least = sorted.at(-count) ?? 0;
  return numbers
    .filter((number) => likelihoods[number]! >= least)
    .map((number) => ({ likelihood: likelihoods[number]!, word: wordAt(number) }))
    .sort((a, b) => b.likelihood - a.likelihood || b.word.length - a.word.length)
    .slice(0, count)
    .map(({ word }) => word);
}
