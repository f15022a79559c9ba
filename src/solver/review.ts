import { lowest } from './bits.ts';
import type { Spots } from './board.ts';
import { coveredBy } from './check.ts';
import type { State } from './edges.ts';
import type { Search } from './search.ts';
import type { Board, PlayableWord, Walk } from './types.ts';

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
  const isShort = place !== undefined && words.length === fewest;
  const reviewed = words.map((word, index): ReviewedWord => {
    const gained = spotsIn(covered[index]! & ~(covered[index - 1] ?? 0)).map((spot) => board.letters[spot]!);
    const rest = isSolved ? words.slice(index + 1) : undefined;
    if (rest?.length === 0 || covered[index] === board.full) return { word, gained };
    const after = search.after(words.slice(0, index + 1));
    const onwards = onwardsOf(after, rest?.length);
    const better =
      rest &&
      (isShort ? shorterThan(search, rest, board.full & ~covered[index]!) : betterOf(after, rest.length));
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

/** Ways on of as many words as a person's and fewer letters, on a board for which `countByLetters` counts. */
function shorterThan({ board, words }: Search, rest: readonly string[], need: Spots): number | undefined {
  const counts = countByLetters(board, words, {
    words: rest.length,
    letters: rest.join('').length - 1,
    after: { spot: board.letters.indexOf(rest[0]![0]!), need },
  });
  return counts && sumOf(counts.byLetters.values());
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

function placeOf({ board, words: known }: Search, words: number, letters: number): SolutionReview['place'] {
  const counts = countByLetters(board, known, { words, letters });
  if (counts === undefined) return undefined;
  const { byLetters, total: of } = counts;
  const rank = 1 + sumOf(byLetters.values()) - (byLetters.get(letters) ?? 0);
  return { rank, of, shortest: Math.min(letters, ...byLetters.keys()) };
}

function spotsIn(mask: number): number[] {
  const spots: number[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) spots.push(lowest(rest));
  return spots;
}

/** What a solution loses of 100 points: for each word more than the fewest, and for each letter more than the shortest. */
const POINTS_PER_WORD = 15;
const POINTS_PER_LETTER = 1;
/** Less than a word costs, so that a solution of fewer words is never worth less. */
const MAX_LETTER_POINTS = 10;

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
  const byWords = Map.groupBy(solutions, ({ words }) => words);
  const shortest = new Map(
    [...byWords].map(([words, those]) => {
      const letters = Math.max(...those.map((solution) => solution.letters));
      return [words, placeOf(search, words, letters)?.shortest] as const;
    }),
  );
  return solutions.map((solution) => {
    const { points } = lostPoints(solution, fewest, shortest.get(solution.words));
    return { fewest, points };
  });
}

function lostPoints(
  { words, letters, hints }: SolutionNumbers,
  fewest: number,
  shortest = letters,
): LostPoints {
  const lost = {
    words: POINTS_PER_WORD * (words - fewest),
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

/** How many solutions of a number of words there are. */
export interface SolutionCounts {
  /** By their letters, up to the most that are asked for. */
  readonly byLetters: ReadonlyMap<number, number>;
  readonly total: number;
}

/** A word as it is walked, without repeated letters in one way. */
interface Walked extends Walk {
  /** Letters beyond the fewest that a word has. */
  readonly more: number;
}

/** The solutions to count. */
interface Counted {
  readonly words: number;
  /** Solutions with more letters count in the total alone. */
  readonly letters: number;
  /** Where they begin, and what they have to touch; left out for whole solutions. */
  readonly after?: State;
}

/**
 * The number of solutions with a number of words, in all and for each number of letters. Undefined on boards with repeated
 * letters or more than twelve spots, and for more than four words.
 *
 * @example countByLetters(board, words, { words: 2, letters: 15 })?.byLetters // Map { 13 → 1, 14 → 4, 15 → 1 }
 */
export function countByLetters(
  board: Board,
  words: readonly PlayableWord[],
  { words: count, letters, after }: Counted,
): SolutionCounts | undefined {
  const spots = board.letters.length;
  if (new Set(board.letters).size < spots || spots > MAX_SPOTS || count < 1 || count > MAX_WORDS)
    return undefined;
  const walked = words.map(({ length, walks }): Walked => ({ ...walks[0]!, more: length - MIN_LENGTH }));
  const half = Math.floor(count / 2);
  // Of the letters beyond the fewest, either half may have all. The last column counts all longer ones.
  const lengths = Math.max(0, letters - MIN_LENGTH * count) + 2;
  const headsAt = chainsAt(walked, 'end', { words: count - half, spots, lengths, start: after?.spot });
  const tailsAt = chainsAt(walked, 'start', { words: half, spots, lengths });
  const need = after?.need ?? board.full;
  const totals = new Float64Array(2 * lengths - 1);
  for (let node = 0; node < spots; node++) {
    const [head, tail] = [headsAt(node), tailsAt(node)];
    spreadToSubsets(tail, lengths);
    for (let mask = 0; mask <= board.full; mask++) {
      const row = mask * lengths;
      const rest = (need & ~mask) * lengths;
      for (let first = 0; first < lengths; first++) {
        const chains = head[row + first]!;
        if (chains === 0) continue;
        for (let second = 0; second < lengths; second++)
          totals[first + second]! += chains * tail[rest + second]!;
      }
    }
  }
  const byLetters = new Map<number, number>();
  for (let more = 0; more < lengths - 1; more++) {
    const all = MIN_LENGTH * count + more;
    if (totals[more]! > 0 && all <= letters) byLetters.set(all, totals[more]!);
  }
  return { byLetters, total: sumOf(totals) };
}

interface Size {
  readonly words: number;
  readonly spots: number;
  readonly lengths: number;
  /** The spot that the first word starts on, if it matters. */
  readonly start?: number | undefined;
}

/**
 * Chains of no word, one or two that end, or begin, on a spot: for each set of spots a row with a column for each number of
 * letters. Each call for a spot returns the same array.
 */
function chainsAt(all: readonly Walked[], joint: 'start' | 'end', { words, spots, lengths, start }: Size) {
  const atJoint = Map.groupBy(all, (word) => word[joint]);
  const otherEnd = joint === 'end' ? 'start' : 'end';
  const counts = new Uint32Array(lengths << spots);
  /** @param outermost the word farthest from the joint */
  const add = (outermost: Walked, mask: number, more: number) => {
    if (start !== undefined && outermost.start !== start) return;
    counts[mask * lengths + Math.min(more, lengths - 1)]! += 1;
  };
  return (spot: number): Uint32Array => {
    counts.fill(0);
    if (words === 0) counts[0] = 1;
    for (const word of words === 0 ? [] : (atJoint.get(spot) ?? [])) {
      if (words === 1) add(word, word.mask, word.more);
      else
        for (const other of atJoint.get(word[otherEnd]) ?? [])
          add(other, word.mask | other.mask, word.more + other.more);
    }
    return counts;
  };
}

/** Each set of spots then counts the chains that touch all of it, and perhaps more. */
function spreadToSubsets(counts: Uint32Array, lengths: number): void {
  for (let block = lengths; block < counts.length; block *= 2) {
    // Sets without this spot, each followed by the same with it.
    for (let without = 0; without < counts.length; without += 2 * block)
      for (let at = without; at < without + block; at++) counts[at]! += counts[at + block]!;
  }
}
