import { lowest } from './bits.ts';
import { edgeAt, type Lexicon, tierOf, toByte, WORD_END } from './lexicon.ts';

/** The words that boards are built around, by their first letter, in typed arrays. */
export interface FamiliarWords {
  /** Words that begin with letter l are those from `from[l]` to `from[l + 1]`. */
  readonly from: Uint32Array;
  /** A bit for each letter of the alphabet in the word. */
  readonly masks: Uint32Array;
  readonly last: Uint8Array;
  /** The letters of word w, 0 for a, are those from `lettersFrom[w]` to `lettersFrom[w + 1]`. */
  readonly lettersFrom: Uint32Array;
  readonly letters: Uint8Array;
  /** The word's number in the lexicon. */
  readonly numbers: Uint32Array;
}

/** A board is built around words that nearly everyone knows, if the list has enough of them. */
const SURE = toByte(0.99);
const ENOUGH = 2000;

const known = new WeakMap<Lexicon, FamiliarWords>();

/**
 * Everyday words without double letters: on a board of distinct letters those can't be walked. Made once
 * for each lexicon.
 */
export function familiarWords(lexicon: Lexicon): FamiliarWords {
  let words = known.get(lexicon);
  if (words === undefined) {
    words = collect(lexicon, SURE);
    if (words.numbers.length < ENOUGH) words = collect(lexicon, 0);
    known.set(lexicon, words);
  }
  return words;
}

function collect(lexicon: Lexicon, least: number): FamiliarWords {
  const { root, graph, likelihoods, tiers } = lexicon;
  const from = new Uint32Array(27);
  const masks: number[] = [];
  const last: number[] = [];
  const numbers: number[] = [];
  const lettersFrom = [0];
  const spelled: number[] = [];
  const path: number[] = [];
  const visit = (node: number, number: number, final: number, mask: number): void => {
    const bits = graph[node]!;
    if (bits & WORD_END && tierOf(tiers[number]!) === 'everyday' && likelihoods[number]! >= least) {
      masks.push(mask);
      last.push(final);
      numbers.push(number);
      for (const letter of path) spelled.push(letter);
      lettersFrom.push(spelled.length);
    }
    for (let open = bits & (WORD_END - 1); open !== 0; open &= open - 1) {
      const letter = lowest(open);
      if (letter === final) continue;
      const edge = edgeAt(node, bits, 1 << letter);
      path.push(letter);
      visit(graph[edge]!, number + graph[edge + 1]!, letter, mask | (1 << letter));
      path.pop();
      if (node === root) from[letter + 1] = numbers.length;
    }
  };
  visit(root, 0, -1, 0);
  // Letters that no word begins with have an empty range.
  for (let letter = 0; letter < 26; letter++) from[letter + 1] = Math.max(from[letter]!, from[letter + 1]!);
  return {
    from,
    masks: Uint32Array.from(masks),
    last: Uint8Array.from(last),
    lettersFrom: Uint32Array.from(lettersFrom),
    letters: Uint8Array.from(spelled),
    numbers: Uint32Array.from(numbers),
  };
}

/** How many familiar words can be walked on a board of distinct letters. */
export function countFamiliar(words: FamiliarWords, sides: readonly string[]): number {
  const { sideOf, all } = lettersOf(sides);
  let count = 0;
  for (let word = 0; word < words.masks.length; word++)
    if ((words.masks[word]! & ~all) === 0 && canWalk(words, word, sideOf)) count++;
  return count;
}

function canWalk({ letters, lettersFrom }: FamiliarWords, word: number, sideOf: Int8Array): boolean {
  let before = -1;
  for (let at = lettersFrom[word]!; at < lettersFrom[word + 1]!; at++) {
    const side = sideOf[letters[at]!]!;
    if (side === before) return false;
    before = side;
  }
  return true;
}

/** The side of each letter of the alphabet, -1 where there is none, and the mask of all letters of the board. */
function lettersOf(sides: readonly string[]): { readonly sideOf: Int8Array; readonly all: number } {
  const sideOf = new Int8Array(26).fill(-1);
  let all = 0;
  sides.forEach((side, index) => {
    for (let at = 0; at < side.length; at++) {
      const letter = side.charCodeAt(at) - 97;
      sideOf[letter] = index;
      all |= 1 << letter;
    }
  });
  return { sideOf, all };
}
