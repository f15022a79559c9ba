import { lowest, popcount } from './bits.ts';
import { coveredBy } from './check.ts';
import { countByLetters, SHORTEST_WORD } from './place.ts';
import type { Search } from './search.ts';
import type { PlayableWord } from './types.ts';

/** A word of a solution, as it stood when it was played. */
export interface ReviewedWord {
  readonly word: string;
  /** Letters of the board that it was the first to use. */
  readonly gained: readonly string[];
  /** Words with which the rest could have been done, if fewer would have been enough, and how many ways there were. */
  readonly onwards?: { readonly words: number; readonly ways: number | bigint };
  /**
   * Solutions that begin with the words up to this one: in fewer words, or, of a solution in the fewest words, in as many with
   * fewer letters.
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
  /** Among the solutions of as many words, those with fewer letters first. Undefined where they can't be counted by letters. */
  readonly place?: {
    readonly rank: number;
    readonly of: number;
    /** Letters of the shortest. */
    readonly shortest: number;
  };
}

/**
 * @param search one of the whole board
 * @param words that solve it, or begin to
 */
export function reviewOf(search: Search, words: readonly string[]): SolutionReview {
  const { board, fewest } = search;
  const letters = words.join('').length;
  const covered = words.map((_, index) => coveredBy(board, words.slice(0, index + 1)));
  const isSolved = covered.at(-1) === board.full;
  const place = isSolved ? placeOf(search, words.length, letters) : undefined;
  const shorter = words.length === fewest && place ? shorterFrom(search) : undefined;
  const reviewed = words.map((word, index): ReviewedWord => {
    const gained = spotsIn(covered[index]! & ~(covered[index - 1] ?? 0)).map((spot) => board.letters[spot]!);
    const rest = isSolved ? words.slice(index + 1) : undefined;
    if (rest?.length === 0 || covered[index] === board.full) return { word, gained };
    const after = search.after(words.slice(0, index + 1));
    const onwards = onwardsOf(after, rest?.length);
    const better = rest && (shorter?.(board.full & ~covered[index]!, rest) ?? betterOf(after, rest.length));
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

/** Ways on of fewer words than are left; undefined where the time ran out. */
function betterOf(search: Search, left: number): number | undefined {
  let better = 0;
  for (let words = 1; words < left; words++) {
    const ways = search.count(words);
    if (ways === undefined) return undefined;
    better += Number(ways);
  }
  return better;
}

/** Counts the continuations with as many words as a person's and fewer letters, on a board without repeated letters. */
function shorterFrom({ board, words }: Search): (left: number, rest: readonly string[]) => number {
  const byStart = Map.groupBy(
    words.toSorted((a, b) => a.length - b.length),
    ({ walks }) => walks[0]!.start,
  );
  return (left, rest) =>
    waysWithin(byStart, {
      spot: board.letters.indexOf(rest[0]![0]!),
      left,
      words: rest.length,
      letters: rest.join('').length - 1,
    });
}

interface WaysOn {
  readonly spot: number;
  /** Spots still to touch. */
  readonly left: number;
  readonly words: number;
  /** At most. */
  readonly letters: number;
}

function waysWithin(
  byStart: ReadonlyMap<number, readonly PlayableWord[]>,
  { spot, left, words, letters }: WaysOn,
): number {
  let ways = 0;
  for (const { length, walks } of byStart.get(spot) ?? []) {
    const more = { words: words - 1, letters: letters - length };
    if (more.letters < SHORTEST_WORD * more.words) break;
    const { end, mask } = walks[0]!;
    const rest = left & ~mask;
    if (more.words === 0) ways += rest === 0 ? 1 : 0;
    // The first letter of each word is touched already.
    else if (popcount(rest) <= more.letters - more.words)
      ways += waysWithin(byStart, { spot: end, left: rest, ...more });
  }
  return ways;
}

function placeOf({ board, words: known }: Search, words: number, letters: number): SolutionReview['place'] {
  const counts = countByLetters(board, known, { words, letters });
  if (counts === undefined) return undefined;
  const { byLetters, total: of } = counts;
  const shorter = [...byLetters].filter(([length]) => length < letters);
  const rank = 1 + shorter.reduce((sum, [, solutions]) => sum + solutions, 0);
  return { rank, of, shortest: Math.min(letters, ...byLetters.keys()) };
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

/** What is left of 100 points, and what the others were lost for. */
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
  const lost = {
    words: FOR_WORD * (words.length - fewest),
    letters: Math.min(MOST_FOR_LETTERS, FOR_LETTER * (letters - (place?.shortest ?? letters))),
    hints,
  };
  return { points: Math.max(0, 100 - lost.words - lost.letters - lost.hints), ...lost };
}
