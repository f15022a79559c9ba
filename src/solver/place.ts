import type { Board, PlayableWord } from './types.ts';

/** Chains of more words are not counted by their letters: two halves of two words each are quick to join. */
const MOST_WORDS = 4;
/** The tables below have a column for each set of spots. */
const MOST_SPOTS = 12;

/** Chains of words by where they end or begin, the spots they touch and their letters, in one row for each. */
interface Chains {
  /** How many, by (node × sets + spots) × `lengths` + letters. */
  readonly counts: Uint32Array;
  /** Letters of the longest chain, and one more. */
  readonly lengths: number;
}

/**
 * How many solutions there are of so many words with each number of letters, up to the most that are asked for. Undefined
 * on boards with repeated letters or more than twelve spots, and for more than four words.
 *
 * @example solutionsByLetters(board, words, { words: 2, letters: 15 }) // Map { 13 → 1, 14 → 4, 15 → 1 }
 */
export function solutionsByLetters(
  board: Board,
  words: readonly PlayableWord[],
  { words: count, letters }: { readonly words: number; readonly letters: number },
): ReadonlyMap<number, number> | undefined {
  const spots = board.letters.length;
  const isDistinct = new Set(board.letters).size === spots;
  if (!isDistinct || spots > MOST_SPOTS || count < 1 || count > MOST_WORDS) return undefined;
  const half = Math.floor(count / 2);
  // Each word has three letters at least.
  const heads = chainsOf(words, spots, { count: count - half, by: 'end', letters: letters - 3 * half });
  const tails =
    half === 0
      ? nothing(spots)
      : chainsOf(words, spots, { count: half, by: 'start', letters: letters - 3 * (count - half) });
  spreadToSubsets(tails, spots);
  const found = join(heads, tails, spots).entries();
  return new Map(found.filter(([length, solutions]) => solutions > 0 && length <= letters));
}

/** The chain of no words, which begins wherever the one before it ends. */
function nothing(spots: number): Chains {
  const counts = new Uint32Array(spots * 2 ** spots);
  for (let node = 0; node < spots; node++) counts[node << spots] = 1;
  return { counts, lengths: 1 };
}

function chainsOf(
  words: readonly PlayableWord[],
  spots: number,
  { count, by, letters }: { readonly count: number; readonly by: 'start' | 'end'; readonly letters: number },
): Chains {
  const longest = words.reduce((most, { length }) => Math.max(most, length), 0);
  const lengths = Math.min(count * longest, Math.max(0, letters)) + 1;
  const counts = new Uint32Array(spots * 2 ** spots * lengths);
  const add = (node: number, mask: number, length: number) => {
    if (length < lengths) counts[((node << spots) | mask) * lengths + length]! += 1;
  };
  // Without repeated letters there is one way to walk a word.
  const walked = words.map(({ length, walks }) => ({ ...walks[0]!, length }));
  if (count === 1) {
    for (const word of walked) add(word[by], word.mask, word.length);
    return { counts, lengths };
  }
  const starting = Map.groupBy(walked, ({ start }) => start);
  for (const first of walked)
    for (const next of starting.get(first.end) ?? [])
      add(by === 'start' ? first.start : next.end, first.mask | next.mask, first.length + next.length);
  return { counts, lengths };
}

/** Each set of spots then counts the chains that touch all of it, and perhaps more. */
function spreadToSubsets({ counts, lengths }: Chains, spots: number): void {
  for (let bit = 0; bit < spots; bit++) {
    const block = lengths << bit;
    // Sets without this spot, each followed by the same with it.
    for (let without = 0; without < counts.length; without += 2 * block)
      for (let at = without; at < without + block; at++) counts[at]! += counts[at + block]!;
  }
}

function join(heads: Chains, tails: Chains, spots: number): Float64Array {
  const full = 2 ** spots - 1;
  const totals = new Float64Array(heads.lengths + tails.lengths);
  for (let row = 0; row < spots << spots; row++) {
    const tail = (row ^ full) * tails.lengths;
    for (let first = 0; first < heads.lengths; first++) {
      const chains = heads.counts[row * heads.lengths + first]!;
      if (chains === 0) continue;
      for (let second = 0; second < tails.lengths; second++)
        totals[first + second]! += chains * tails.counts[tail + second]!;
    }
  }
  return totals;
}
