import { lowest } from './bits.ts';
import { coveredBy } from './check.ts';
import { solutionsByLetters } from './place.ts';
import type { Search } from './search.ts';
import type { Tier } from './types.ts';

/** A word of a solution, as it stood when it was played. */
export interface ReviewedWord {
  readonly word: string;
  readonly tier: Tier;
  /** Letters of the board that it was the first to use. */
  readonly gained: readonly string[];
  /** Words with which the rest could have been done, if fewer would have been enough, and how many ways there were. */
  readonly onwards?: { readonly words: number; readonly ways: number | bigint };
}

/** How a solution compares with all others of its board. */
export interface SolutionReview {
  readonly words: readonly ReviewedWord[];
  readonly isSolved: boolean;
  readonly letters: number;
  /** Undefined where the time ran out before that was certain. */
  readonly fewest: number | undefined;
  /** Among the solutions of as many words, those with fewer letters first. Undefined where they can't be counted by letters. */
  readonly place?: {
    readonly rank: number;
    readonly of: number | bigint;
    /** Letters of the shortest. */
    readonly shortest: number;
  };
}

/**
 * @param search one of the whole board
 * @param words that solve it, or begin to
 */
export function reviewOf(search: Search, words: readonly string[]): SolutionReview {
  const { board } = search;
  const letters = words.reduce((sum, { length }) => sum + length, 0);
  const { fewest } = search;
  const isSolved = coveredBy(board, words) === board.full;
  const reviewed = words.map((word, index): ReviewedWord => {
    const before = coveredBy(board, words.slice(0, index));
    const gained = spotsIn(coveredBy(board, words.slice(0, index + 1)) & ~before);
    const tier = search.words.find((known) => known.word === word)?.tier ?? 'wide';
    const left = isSolved ? words.length - index - 1 : Number.POSITIVE_INFINITY;
    const onwards = left < 2 ? undefined : onwardsOf(search.after(words.slice(0, index + 1)), left);
    return { word, tier, gained: gained.map((spot) => board.letters[spot]!), ...(onwards && { onwards }) };
  });
  const place = isSolved ? placeOf(search, words.length, letters) : undefined;
  return { words: reviewed, isSolved, letters, fewest, ...(place && { place }) };
}

function onwardsOf(search: Search, left: number): ReviewedWord['onwards'] {
  const { fewest } = search;
  // None where words were played after the last letter.
  if (fewest === undefined || fewest >= left || fewest === 0) return undefined;
  const ways = search.count(fewest);
  return ways === undefined ? undefined : { words: fewest, ways };
}

function placeOf(search: Search, words: number, letters: number): SolutionReview['place'] {
  const byLetters = solutionsByLetters(search.board, search.words, { words, letters });
  const of = byLetters && search.count(words);
  if (of === undefined) return undefined;
  const shorter = [...byLetters!].filter(([length]) => length < letters);
  const rank = 1 + shorter.reduce((sum, [, solutions]) => sum + solutions, 0);
  return { rank, of, shortest: Math.min(letters, ...byLetters!.keys()) };
}

function spotsIn(mask: number): number[] {
  const spots: number[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) spots.push(lowest(rest));
  return spots;
}

/** What a solution loses of 100 points: for each word more than the fewest, and for each letter more than the shortest. */
const FOR_WORD = 15;
const FOR_LETTER = 1;
/** Less than a word costs, so that a solution of fewer words is never worth less. */
const MOST_FOR_LETTERS = 10;

export interface Score {
  readonly points: number;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
}

/** The points of a solution and what they were lost for; undefined where the fewest words are not known. */
export function scoreOf(
  { words, isSolved, letters, fewest, place }: SolutionReview,
  hints: number,
): Score | undefined {
  if (fewest === undefined || !isSolved) return undefined;
  const lost = {
    words: FOR_WORD * (words.length - fewest),
    letters: Math.min(MOST_FOR_LETTERS, FOR_LETTER * (letters - (place?.shortest ?? letters))),
    hints,
  };
  return { points: Math.max(0, 100 - lost.words - lost.letters - lost.hints), ...lost };
}
