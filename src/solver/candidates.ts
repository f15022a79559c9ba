import { Random } from '../core/random.ts';
import { lettersIn, placesIn, popcount, VOWELS } from './bits.ts';
import { type BoardShape, letterCount, makeBoard, shapeKey } from './board.ts';
import { type FamiliarWords, familiarWords } from './difficulty.ts';
import type { Lexicon } from './lexicon.ts';
import type { Board } from './types.ts';

/** A board, and the chain of familiar words that it was made for. */
export interface Candidate {
  readonly board: Board;
  readonly words: readonly string[];
}

/** Starts in a row that may fail: on the largest boards hundreds do, and with too small a word list all do. */
const MAX_STARTS = 20_000;
/** After so many starts in a row that fail, a chain may have one word more. */
const STARTS_PER_LENGTH = 40;
const MAX_WORDS = 8;

/** Boards of distinct letters for a seed, one after another. It ends only if the word list has no chain for a further board. */
export function* candidates(
  lexicon: Lexicon,
  { seed, shape }: { readonly seed: string; readonly shape: BoardShape },
): Generator<Candidate> {
  const familiar = familiarWords(lexicon);
  if (familiar.numbers.length === 0) return;
  const random = new Random(`${shapeKey(shape)} ${seed}`);
  const letters = letterCount(shape);
  const planter = new Planter(familiar, letters, random);
  // Nine letters for the first word and five for each further one, which repeats the last letter before it, and usually others.
  const least = Math.max(2, Math.ceil((letters - 4) / 5));
  // Since the last board.
  let starts = 0;
  while (starts < MAX_STARTS) {
    const patience = Math.floor(starts / STARTS_PER_LENGTH);
    // A small word list may have no board with spread vowels, and any board is better than none.
    const spreadVowels = starts < MAX_STARTS / 2;
    starts++;
    const chain = planter.chain(Math.min(MAX_WORDS, least + patience));
    if (chain === undefined) continue;
    const words = chain.map((word) => lexicon.wordAt(familiar.numbers[word]!));
    const sides = arrange(words, { shape, random, spreadVowels });
    if (sides === undefined) continue;
    starts = 0;
    yield { board: makeBoard(sides), words };
  }
}

const VOWELS_AND_Y = lettersIn('aeiouy');
/** Placements tried before the words are given up. If there is an arrangement, few are needed. */
const MAX_PLACEMENTS = 400;

export interface Arrangement {
  readonly shape: BoardShape;
  readonly random: Random;
  /** Share out the vowels among the sides, as evenly as can be. */
  readonly spreadVowels?: boolean;
}

/**
 * Puts letters on sides so that the words can be walked: letters next to each other in a word go on different sides. A search
 * with backtracking, which places the letter that has the fewest possible sides first. Undefined if it finds no way.
 *
 * @example arrange(['unform', 'mobilization'], { shape: { sides: 4, sideLength: 3 }, random, spreadVowels: true })
 * // ['bmt', 'uoz', 'afl', 'inr']
 */
export function arrange(
  words: readonly string[],
  { shape, random, spreadVowels = false }: Arrangement,
): string[] | undefined {
  const { sides: sideCount, sideLength } = shape;
  const neighbours = neighboursIn(words);
  const all = neighbours.reduce((mask, near, letter) => (near === 0 ? mask : mask | (1 << letter)), 0);
  const vowels = !spreadVowels ? 0 : all & (popcount(all & VOWELS) < sideCount ? VOWELS_AND_Y : VOWELS);
  const sides = new Array<number>(sideCount).fill(0);
  let tries = MAX_PLACEMENTS;

  const fits = (letter: number, side: number) => !(side & neighbours[letter]!) && popcount(side) < sideLength;
  /** Places the letters that are left, a bit for each; false if there is no way. */
  const place = (left: number): boolean => {
    if (left === 0) return true;
    if (--tries < 0) return false;
    // All vowels come first, each on one of the sides that have the fewest of them.
    const vowelsLeft = left & vowels;
    const letter = mostConfined(vowelsLeft === 0 ? left : vowelsLeft);
    const bit = 1 << letter;
    const fewestVowels = Math.min(...sides.map((side) => popcount(side & vowels)));
    const offset = random.below(sideCount);
    let triedEmpty = false;
    for (let index = 0; index < sideCount; index++) {
      const at = (index + offset) % sideCount;
      const side = sides[at]!;
      if (!fits(letter, side)) continue;
      if (vowelsLeft !== 0 && popcount(side & vowels) > fewestVowels) continue;
      // Empty sides are all alike.
      if (side === 0 && triedEmpty) continue;
      triedEmpty ||= side === 0;
      sides[at] = side | bit;
      if (place(left ^ bit)) return true;
      sides[at] = side;
    }
    return false;
  };
  /** The letter with the fewest sides to go to; among equals the one with most neighbours still to place. */
  const mostConfined = (left: number): number => {
    const letters = placesIn(left);
    const rooms = letters.map((letter) => {
      const room = sides.filter((side) => fits(letter, side)).length;
      // A letter has less than 32 neighbours, so that these decide only among equals.
      return room * 32 - popcount(neighbours[letter]! & left);
    });
    return letters[rooms.indexOf(Math.min(...rooms))]!;
  };

  return place(all) ? shuffled(sides, random) : undefined;
}

/** For each letter, the letters that stand next to it in some word. */
function neighboursIn(words: readonly string[]): number[] {
  const neighbours = new Array<number>(26).fill(0);
  for (const word of words) {
    for (let index = 1; index < word.length; index++) {
      const a = word.charCodeAt(index - 1) - 97;
      const b = word.charCodeAt(index) - 97;
      neighbours[a]! |= 1 << b;
      neighbours[b]! |= 1 << a;
    }
  }
  return neighbours;
}

/** Sides, given as a bit for each letter, in random order and spelled in random order. */
function shuffled(sides: readonly number[], random: Random): string[] {
  const spell = (side: number) => placesIn(side).map((letter) => String.fromCharCode(97 + letter));
  return random.shuffle(sides.map((side) => random.shuffle(spell(side)).join('')));
}

/** A letter is common as a first one when it begins one word in this many. */
const COMMON_SHARE = 25;
/** Words looked at for each place in a chain of more than two: enough to find one that brings new letters. */
const NEXT_WORDS_TRIED = 64;

/** Draws chains of familiar words that have exactly a board's number of different letters between them. */
class Planter {
  readonly #words: FamiliarWords;
  readonly #letters: number;
  readonly #random: Random;

  constructor(words: FamiliarWords, letters: number, random: Random) {
    this.#words = words;
    this.#letters = letters;
    this.#random = random;
  }

  /**
   * Two words or more: the chain grows by words that bring many new letters until one completes it. Undefined when this
   * try led nowhere.
   */
  chain(mostWords: number): number[] | undefined {
    let word = this.#first();
    const chain: number[] = [];
    let covered = 0;
    while (word !== undefined && chain.length < mostWords - 1) {
      chain.push(word);
      covered |= this.#words.masks[word]!;
      const final = this.#completing(word, covered);
      if (final !== undefined) return [...chain, final];
      word = this.#widest(word, covered);
    }
    return undefined;
  }

  #first(): number | undefined {
    const { masks } = this.#words;
    const first = this.#random.below(masks.length);
    return popcount(masks[first]!) < this.#letters && this.#goesOnWell(first) ? first : undefined;
  }

  /**
   * Few words begin with y or k, so boards joined on these would repeat themselves. Words that end on such a letter are
   * taken less often, in proportion.
   */
  #goesOnWell(word: number): boolean {
    const common = Math.ceil(this.#words.masks.length / COMMON_SHARE);
    return this.#random.below(common) < this.#followers(word).count;
  }

  /** The words that begin with the last letter of this one: the first of them, and how many there are. */
  #followers(word: number): { readonly start: number; readonly count: number } {
    const { from, last } = this.#words;
    const letter = last[word]!;
    return { start: from[letter]!, count: from[letter + 1]! - from[letter]! };
  }

  /** A word that has all the letters by itself would leave the others without a part. */
  #completes(word: number, covered: number): boolean {
    const mask = this.#words.masks[word]!;
    return popcount(mask | covered) === this.#letters && popcount(mask) < this.#letters;
  }

  #completing(before: number, covered: number): number | undefined {
    const { start, count } = this.#followers(before);
    const offset = this.#random.below(count);
    for (let index = 0; index < count; index++) {
      const word = start + ((index + offset) % count);
      if (this.#completes(word, covered)) return word;
    }
    return undefined;
  }

  /** Of some words that can follow, the one with the most new letters after which the chain can go on. */
  #widest(before: number, covered: number): number | undefined {
    const { start, count } = this.#followers(before);
    let best: number | undefined;
    let reach = popcount(covered);
    for (let look = 0; look < NEXT_WORDS_TRIED; look++) {
      const word = start + this.#random.below(count);
      const reached = popcount(covered | this.#words.masks[word]!);
      if (reached <= reach || reached >= this.#letters || this.#followers(word).count === 0) continue;
      reach = reached;
      best = word;
    }
    return best;
  }
}
