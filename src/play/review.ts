import { hasRepeats } from '../solver/board.ts';
import { coveredBy } from '../solver/check.ts';
import type { Search } from '../solver/search.ts';
import type { Walk } from '../solver/types.ts';

/** A word of a solution, as it stood when it was played. */
export interface ReviewedWord {
  readonly word: string;
  /** Letters of the board that it was the first to use. */
  readonly gained: readonly string[];
  /** The fewest words that could have followed, and in how many ways. Left out if the person needed no more. */
  readonly onwards?: { readonly words: number; readonly ways: number | bigint };
  /**
   * The number of better solutions that begin with the words up to this one: those in fewer words or, if the person's has the
   * fewest, those in as many words with fewer letters.
   */
  readonly better?: number;
}

/** How a solution compares with all others of its board. */
export interface SolutionReview {
  readonly words: readonly ReviewedWord[];
  readonly isSolved: boolean;
  readonly letters: number;
  /** Undefined where the time ran out before that was certain. */
  readonly fewest: number | undefined;
  /** The place among the solutions of as many words, by their letters. Undefined where they can't be counted by letters. */
  readonly place?: {
    readonly rank: number;
    readonly of: number;
    /** Letters of the shortest. */
    readonly shortest: number;
  };
}

/**
 * @param search the search of the whole board
 * @param words words that solve it, or begin to
 */
export function reviewOf(search: Search, words: readonly string[]): SolutionReview {
  const { board, fewest } = search;
  const letters = words.join('').length;
  /** For each word, the set of spots that it and the words before it cover, as bits. */
  const covered = words.map((_, index) => coveredBy(board, words.slice(0, index + 1)));
  const isSolved = covered.at(-1) === board.full;
  const place = isSolved ? placeOf(search, words.length, letters) : undefined;
  const reviewed = words.map((word, index): ReviewedWord => {
    const gainedSpots = covered[index]! & ~(covered[index - 1] ?? 0);
    const gained = Array.from(board.letters).filter((_, spot) => (gainedSpots & (1 << spot)) !== 0);
    const rest = isSolved ? words.slice(index + 1) : undefined;
    if (rest?.length === 0 || covered[index] === board.full) return { word, gained };
    const after = waysIn(search, words.length).after(words.slice(0, index + 1));
    const onwards = onwardsOf(after, rest?.length);
    const better =
      rest &&
      (words.length === fewest
        ? shorterThan(search, rest, board.full & ~covered[index]!)
        : betterOf(after, rest.length));
    return { word, gained, ...(onwards && { onwards }), ...(better !== undefined && { better }) };
  });
  return { words: reviewed, isSolved, letters, fewest, ...(place && { place }) };
}

function onwardsOf(search: Search, left = Number.POSITIVE_INFINITY): ReviewedWord['onwards'] {
  const { fewest } = search;
  if (fewest === undefined || fewest >= left) return undefined;
  const ways = search.count(fewest);
  return ways === undefined ? undefined : { words: fewest, ways };
}

/** The number of continuations of fewer words than are left; undefined where the time ran out. */
function betterOf(search: Search, left: number): number | undefined {
  let better = 0;
  for (let words = 1; words < left; words++) {
    const ways = search.count(words);
    if (ways === undefined) return undefined;
    better += Number(ways);
  }
  return better;
}

/**
 * The number of continuations of as many words as `rest` with fewer letters; undefined where `countByLetters` is.
 *
 * @param need the spots that they have to touch
 */
function shorterThan(search: Search, rest: readonly string[], need: number): number | undefined {
  const start = search.board.letters.indexOf(rest[0]![0]!);
  const letters = rest.join('').length - 1;
  return sumOf(countByLetters(search, { words: rest.length, letters, after: { start, need } }));
}

function sumOf(counts: ReadonlyMap<number, number> | undefined): number | undefined {
  return counts?.values().reduce((sum, count) => sum + count, 0);
}

/** A search that counts all ways to play this many words: with more than the fewest, also those with a needless word. */
function waysIn(search: Search, words: number): Search {
  return words === search.fewest ? search : search.withPadded;
}

function placeOf(search: Search, words: number, letters: number): SolutionReview['place'] {
  const byLetters = countByLetters(search, { words, letters });
  if (byLetters === undefined) return undefined;
  const of = waysIn(search, words).count(words);
  // None has as many words if the game has turned out not to accept one of the person's words.
  if (!of) return undefined;
  const rank = 1 + sumOf(byLetters)! - (byLetters.get(letters) ?? 0);
  return { rank, of: Number(of), shortest: Math.min(letters, ...byLetters.keys()) };
}

/** What a solution loses of 100 points: for each word more than the fewest, and for each letter more than the shortest. */
const POINTS_PER_WORD = 15;
const POINTS_PER_LETTER = 1;
/** Less than a word costs, so that a solution of fewer words is never worth less. */
const MAX_LETTER_POINTS = 10;

/** What is left of 100 points, and how many were lost for words, letters and hints. */
export interface LostPoints {
  readonly points: number;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
}

/** Undefined where the fewest words are not known. */
export function pointsOf(
  { words, isSolved, letters, fewest, place }: SolutionReview,
  hints: number,
): LostPoints | undefined {
  if (fewest === undefined || !isSolved) return undefined;
  return lostPoints({ words: words.length, letters, hints }, fewest, place?.shortest);
}

/** A solution in numbers; its hints are in points. */
export interface SolutionNumbers {
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
}

/** The points of solutions of one board, in the same order. None if the fewest words are not known. */
export function scoresOf(
  search: Search,
  solutions: readonly SolutionNumbers[],
): { readonly fewest: number; readonly points: number }[] {
  const { fewest } = search;
  if (fewest === undefined) return [];
  return solutions.map((solution) => {
    const { points } = lostPoints(solution, fewest, shortestOf(search, solution));
    return { fewest, points };
  });
}

/** By search, the letters of its shortest solution of each number of words: all who solve a board ask, and counting takes long. */
const knownShortest = new WeakMap<Search, Map<number, number>>();

function shortestOf(search: Search, { words, letters }: SolutionNumbers): number {
  const known = knownShortest.get(search) ?? new Map<number, number>();
  knownShortest.set(search, known);
  let shortest = known.get(words);
  if (shortest === undefined) {
    // None has as few letters if the game has turned out not to accept one of the person's words.
    shortest = countByLetters(search, { words, letters })?.keys().next().value;
    if (shortest !== undefined) known.set(words, shortest);
  }
  return Math.min(letters, shortest ?? letters);
}

function lostPoints(
  { words, letters, hints }: SolutionNumbers,
  fewest: number,
  shortest = letters,
): LostPoints {
  const lost = {
    words: POINTS_PER_WORD * Math.max(0, words - fewest),
    letters: Math.min(MAX_LETTER_POINTS, POINTS_PER_LETTER * (letters - shortest)),
    hints,
  };
  return { points: Math.max(0, 100 - lost.words - lost.letters - lost.hints), ...lost };
}

/** Chains of more words are not counted by their letters: two halves of two words each are quick to join. */
const MAX_WORDS = 4;
/** The tables below have a row for each set of spots. */
const MAX_SPOTS = 12;
const MIN_LENGTH = 3;

interface Counted {
  readonly words: number;
  /** Solutions with more letters are not counted. */
  readonly letters: number;
  /** The spot on which they begin, and those that they have to touch; left out for whole solutions. */
  readonly after?: { readonly start: number; readonly need: number };
}

/**
 * The number of solutions with a number of words, for each number of letters, the fewest first. Undefined on boards with repeated letters or more
 * than twelve spots, and for more than four words.
 *
 * @example countByLetters(search, { words: 2, letters: 15 }) // Map { 13 → 1, 14 → 4, 15 → 1 }
 */
export function countByLetters(
  { board, words }: Pick<Search, 'board' | 'words'>,
  { words: count, letters, after }: Counted,
): ReadonlyMap<number, number> | undefined {
  const spots = board.letters.length;
  if (hasRepeats(board) || spots > MAX_SPOTS || count < 1 || count > MAX_WORDS) return undefined;
  const least = MIN_LENGTH * count;
  const columns = Math.max(0, letters - least + 1);
  const half = Math.floor(count / 2);
  const need = after?.need ?? board.full;
  const walked = words.map(({ length, walks }): Walked => ({ ...walks[0]!, more: length - MIN_LENGTH }));
  const size = { spots, columns };
  const headsAt = chainsAt(walked, 'end', { words: count - half, ...size, start: after?.start });
  const tailsAt = chainsAt(walked, 'start', { words: half, ...size });
  const totals = new Float64Array(columns);
  for (const joint of new Set(walked.map(({ end }) => end))) {
    const heads = headsAt(joint);
    const tails = tailsAt(joint);
    addToSubsets(tails, columns);
    for (let at = 0; at < heads.length; at++) {
      if (heads[at] === 0) continue;
      const touched = Math.floor(at / columns);
      const more = at % columns;
      // The row of the tails that touch all that is left.
      const row = (need & ~touched) * columns;
      for (let all = more; all < columns; all++) totals[all]! += heads[at]! * tails[row + all - more]!;
    }
  }
  const byLetters = Array.from(totals, (total, more) => [least + more, total] as const);
  return new Map(byLetters.filter(([, total]) => total > 0));
}

/** A word as it is walked, with its letters beyond the fewest that a word has. */
interface Walked extends Walk {
  readonly more: number;
}

interface Size {
  readonly words: number;
  readonly spots: number;
  readonly columns: number;
  /** The spot that the first word starts on, if it matters. */
  readonly start?: number | undefined;
}

/**
 * Counts chains of no word, one or two that end, or begin, on a spot. The index of a count is the set of spots that the chains
 * touch, times `columns`, plus their letters beyond the fewest. The next call overwrites the counts.
 */
function chainsAt(all: readonly Walked[], joint: 'start' | 'end', { words, spots, columns, start }: Size) {
  const atJoint = Map.groupBy(all, (word) => word[joint]);
  const outerEnd = joint === 'end' ? 'start' : 'end';
  const counts = new Uint32Array(columns << spots);
  return (spot: number): Uint32Array => {
    counts.fill(0);
    if (words === 0) counts[0] = 1;
    // In a chain of one word, the word at the joint is the outer one, too.
    for (const inner of words === 0 ? [] : (atJoint.get(spot) ?? [])) {
      for (const outer of words === 1 ? [inner] : (atJoint.get(inner[outerEnd]) ?? [])) {
        const more = words === 1 ? inner.more : inner.more + outer.more;
        const isElsewhere = start !== undefined && outer.start !== start;
        if (more >= columns || isElsewhere) continue;
        counts[(inner.mask | outer.mask) * columns + more]!++;
      }
    }
    return counts;
  };
}

/** Changes the counts, so that each set of spots counts the chains that touch all of it, and perhaps more. */
function addToSubsets(counts: Uint32Array, columns: number): void {
  for (let block = columns; block > 0 && block < counts.length; block *= 2) {
    // A block holds the counts of sets without one spot, and the next block those of the same sets with it.
    for (let without = 0; without < counts.length; without += 2 * block)
      for (let at = without; at < without + block; at++) counts[at]! += counts[at + block]!;
  }
}
