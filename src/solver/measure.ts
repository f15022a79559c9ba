import { lowest, popcount } from './bits.ts';
import type { FamiliarWords } from './familiar.ts';

export interface Measure {
  /** Fewest familiar words that solve the board. */
  readonly fewest: number;
  /** How many solutions have that many familiar words, counted up to `enough`. */
  readonly solutions: number;
}

/**
 * Endings looked through for each length of chain, shared out evenly among the first words. Boards of up
 * to about 16 letters need fewer and are counted exactly; on larger ones the count is that of a sample.
 */
const MOST_LOOKS = 1_000_000;

/**
 * How many ways familiar words solve a board of distinct letters in the fewest words. Looks are counted,
 * not timed, so that the answer is the same on every machine. `most` words are known to do.
 */
export function measure(
  words: FamiliarWords,
  sides: readonly string[],
  most: number,
  enough: number,
): Measure {
  const edges = new Edges(words, sides);
  for (let length = 1; length < most; length++) {
    const solutions = edges.count(length, enough);
    if (solutions > 0) return { fewest: length, solutions };
  }
  return { fewest: most, solutions: Math.max(1, edges.count(most, enough)) };
}

/** The familiar words that can be walked on a board, by first letter. */
class Edges {
  readonly #all: number;
  /** Different letters of the word that has the most. */
  readonly #longest: number;
  readonly #size: number;
  readonly #masks: number[][];
  readonly #ends: number[][];
  readonly #holding: (number[] | undefined)[] = new Array(26 * 26);
  #looks = 0;

  constructor(words: FamiliarWords, sides: readonly string[]) {
    const { sideOf, all } = lettersOf(sides);
    let longest = 0;
    this.#masks = Array.from({ length: 26 }, () => []);
    this.#ends = Array.from({ length: 26 }, () => []);
    const { from, masks, last } = words;
    for (let rest = all; rest !== 0; rest &= rest - 1) {
      const letter = lowest(rest);
      for (let word = from[letter]!; word < from[letter + 1]!; word++) {
        if (masks[word]! & ~all || !canWalk(words, word, sideOf)) continue;
        this.#masks[letter]!.push(masks[word]!);
        this.#ends[letter]!.push(last[word]!);
        longest = Math.max(longest, popcount(masks[word]!));
      }
    }
    this.#all = all;
    this.#longest = longest;
    this.#size = this.#masks.reduce((size, list) => size + list.length, 0);
  }

  /** Chains of this many words that cover every letter; stops at `enough`. */
  count(length: number, enough: number): number {
    const share = Math.ceil(MOST_LOOKS / Math.max(1, this.#size));
    let found = 0;
    for (let letter = 0; letter < 26; letter++) {
      const masks = this.#masks[letter]!;
      for (let index = 0; index < masks.length && found < enough; index++) {
        this.#looks = share;
        const need = this.#all & ~masks[index]!;
        found += this.#countFrom(this.#ends[letter]![index]!, need, length - 1, enough - found);
      }
    }
    return Math.min(found, enough);
  }

  #countFrom(start: number, need: number, left: number, room: number): number {
    if (left === 0) return need === 0 ? 1 : 0;
    if (popcount(need) > left * this.#longest) return 0;
    if (left === 1) return this.#finish(start, need);
    const masks = this.#masks[start]!;
    const ends = this.#ends[start]!;
    // Where the looks don't suffice for all, each word goes on from a place of its own in the list.
    let index = masks.length === 0 ? 0 : need % masks.length;
    let found = 0;
    for (let tried = 0; tried < masks.length && found < room && this.#looks > 0; tried++) {
      found += this.#countFrom(ends[index]!, need & ~masks[index]!, left - 1, room - found);
      if (++index === masks.length) index = 0;
    }
    return found;
  }

  #finish(start: number, need: number): number {
    const candidates = this.#rarest(start, need);
    this.#looks -= candidates.length + 1;
    let found = 0;
    for (let index = 0; index < candidates.length; index++) if ((candidates[index]! & need) === need) found++;
    return found;
  }

  /** Masks of the words from a letter that have the needed letter which the fewest of them have. */
  #rarest(start: number, need: number): readonly number[] {
    let best = this.#masks[start]!;
    for (let rest = need; rest !== 0; rest &= rest - 1) {
      const letter = lowest(rest);
      const at = start * 26 + letter;
      this.#holding[at] ??= this.#masks[start]!.filter((mask) => mask & (1 << letter));
      const holding = this.#holding[at];
      if (holding.length < best.length) best = holding;
    }
    return best;
  }
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
