import type { Board, PlayableWord } from './types.ts';

/** Chains of more words are not counted by their letters: two halves of two words each are quick to join. */
const MOST_WORDS = 4;
/** The tables below have a row for each set of spots. */
const MOST_SPOTS = 12;
export const SHORTEST_WORD = 3;

/** How many solutions of a number of words there are. */
export interface SolutionCounts {
  /** By their letters, up to the most that are asked for. */
  readonly byLetters: ReadonlyMap<number, number>;
  readonly total: number;
}

/** A word as it is walked, without repeated letters in one way. */
interface Walked {
  readonly start: number;
  readonly end: number;
  readonly mask: number;
  /** Letters beyond the fewest that a word has. */
  readonly more: number;
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
  { words: count, letters }: { readonly words: number; readonly letters: number },
): SolutionCounts | undefined {
  const spots = board.letters.length;
  if (new Set(board.letters).size < spots || spots > MOST_SPOTS || count < 1 || count > MOST_WORDS)
    return undefined;
  const walked = words.map(({ length, walks }): Walked => ({ ...walks[0]!, more: length - SHORTEST_WORD }));
  const half = Math.floor(count / 2);
  // Of the letters beyond the fewest, either half may have all. The last column counts all longer ones.
  const lengths = Math.max(0, letters - SHORTEST_WORD * count) + 2;
  const heads = new Chains(walked, 'end', { words: count - half, spots, lengths });
  const tails = new Chains(walked, 'start', { words: half, spots, lengths });
  const totals = new Float64Array(2 * lengths - 1);
  for (let node = 0; node < spots; node++) {
    const [head, tail] = [heads.at(node), tails.at(node)];
    spreadToSubsets(tail, lengths);
    for (let row = 0; row < head.length; row += lengths) {
      const rest = head.length - lengths - row;
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
    const all = SHORTEST_WORD * count + more;
    if (totals[more]! > 0 && all <= letters) byLetters.set(all, totals[more]!);
  }
  return { byLetters, total: totals.reduce((sum, some) => sum + some, 0) };
}

interface Size {
  readonly words: number;
  readonly spots: number;
  readonly lengths: number;
}

/** Chains of no word, one or two, by the spots they touch and their letters. */
class Chains {
  readonly #size: Size;
  /** The words that can stand at the joint of the two halves, by the spot that they have there. */
  readonly #atJoint: ReadonlyMap<number, readonly Walked[]>;
  readonly #otherEnd: 'start' | 'end';
  /** In one node's table, for each set of spots a row with a column for each number of letters. */
  readonly #counts: Uint32Array;

  constructor(words: readonly Walked[], joint: 'start' | 'end', size: Size) {
    this.#size = size;
    this.#atJoint = Map.groupBy(words, (word) => word[joint]);
    this.#otherEnd = joint === 'end' ? 'start' : 'end';
    this.#counts = new Uint32Array(size.lengths << size.spots);
  }

  /** The chains that end, or begin, on a spot. Each call returns the same array. */
  at(node: number): Uint32Array {
    const { words, lengths } = this.#size;
    const counts = this.#counts.fill(0);
    if (words === 0) counts[0] = 1;
    const add = (mask: number, more: number) => {
      counts[mask * lengths + Math.min(more, lengths - 1)]! += 1;
    };
    for (const word of (words > 0 && this.#atJoint.get(node)) || []) {
      if (words === 1) add(word.mask, word.more);
      else
        for (const other of this.#atJoint.get(word[this.#otherEnd]) ?? [])
          add(word.mask | other.mask, word.more + other.more);
    }
    return counts;
  }
}

/** Each set of spots then counts the chains that touch all of it, and perhaps more. */
function spreadToSubsets(counts: Uint32Array, lengths: number): void {
  for (let block = lengths; block < counts.length; block *= 2) {
    // Sets without this spot, each followed by the same with it.
    for (let without = 0; without < counts.length; without += 2 * block)
      for (let at = without; at < without + block; at++) counts[at]! += counts[at + block]!;
  }
}
