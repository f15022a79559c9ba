import { Random } from '../core/random.ts';
import { type Groups, groupBy, lettersIn, placesIn, popcount } from './bits.ts';
import { type BoardShape, letterCount, makeBoard, shapeKey } from './board.ts';
import { type FamiliarWords, familiarWords } from './difficulty.ts';
import { type Lexicon, onceForLexicon, toByte } from './lexicon.ts';
import type { Board } from './types.ts';

/** A board, and the chain of familiar words that it was made for. */
export interface Candidate {
  readonly board: Board;
  readonly words: readonly string[];
}

/** Starts that may lead nowhere in a row: hundreds do on the largest boards, all do in a list too small. */
const MAX_STARTS = 20_000;
/** Starts before a chain may have one word more. */
const STARTS_PER_LENGTH = 40;
const MAX_WORDS = 8;

/**
 * Boards of distinct letters for a seed, one after the other, without end; it ends only when the word
 * list has no more to give.
 */
export function* candidates(
  lexicon: Lexicon,
  { seed, shape }: { readonly seed: string; readonly shape: BoardShape },
): Generator<Candidate> {
  const familiar = familiarWords(lexicon);
  if (familiar.numbers.length === 0) return;
  const random = new Random(`${shapeKey(shape)} ${seed}`);
  const letters = letterCount(shape);
  const planter = new Planter(familiar, letters, random);
  // Words of the chain share their joints and more: about five new letters each is what they bring.
  const least = Math.max(2, Math.ceil((letters - 4) / 5));
  /** Since the last board. */
  let starts = 0;
  while (starts < MAX_STARTS) {
    const patience = Math.floor(starts / STARTS_PER_LENGTH);
    // A small word list may have no board with its vowels spread: any is better than none.
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

const VOWELS = lettersIn('aeiou');
const HALF_VOWELS = lettersIn('aeiouy');
/** Placements tried before the letters are given up: where there is an arrangement, few are needed. */
const MAX_PLACEMENTS = 400;

export interface Arrangement {
  readonly shape: BoardShape;
  readonly random: Random;
  /** Share out the vowels among the sides, as evenly as can be. */
  readonly spreadVowels?: boolean;
}

/**
 * Puts letters on sides so that the words can be walked: letters next to each other in a word go on different sides. The
 * letters are placed one after the other, the one with the fewest sides to go to first; where that leaves a letter without a
 * side, the letters before it are placed otherwise. Undefined when no way is found.
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
  const vowels = !spreadVowels ? 0 : all & (popcount(all & VOWELS) < sideCount ? HALF_VOWELS : VOWELS);
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

  /** Of some words that can follow, the one with the most new letters that still leaves one for another. */
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

/** Two familiar words, the second beginning with the last letter of the first. */
export interface Pair {
  readonly words: readonly [string, string];
  /** A bit for each letter of the alphabet in them. */
  readonly letters: number;
}

/**
 * The newspaper's official pairs of 2024: the letter that joins the words is mostly s, e, d, t or g; they have 14, 15 and
 * 16 letters together at the quartiles, the shorter word 5 to 7. Items are drawn as often as their weights say. Few pairs
 * of 13 or 14 letters have twelve different ones, so they are drawn more often than they are wanted.
 */
const JOINTS = weighted({ s: 24, e: 20, d: 15, t: 12, g: 10, r: 5, y: 5, n: 3, l: 3, h: 1, m: 1, c: 1 });
const TOGETHER = weighted({ 13: 24, 14: 36, 15: 18, 16: 11, 17: 6, 18: 4 });
const SHORTER = weighted({ 4: 6, 5: 26, 6: 34, 7: 28, 8: 6 });
const MAX_LENGTH = 11;

const MIN_VOWELS = 3;
const MAX_VOWELS = 5;

/**
 * Factors on the odds of a pair, so that boards have these letters, five vowels, plurals and participles as often as the
 * newspaper's: `node scripts/house-schedule/compare.ts` prints the shares, docs/measurements.md has both.
 */
const LETTER_ODDS: readonly (readonly [mask: number, odds: number])[] = [
  [lettersIn('s'), 0.76],
  [lettersIn('j'), 1.6],
  [lettersIn('q'), 1.5],
  [lettersIn('k'), 1.45],
  [lettersIn('w'), 1.4],
];
const FIVE_VOWELS_ODDS = 0.85;
const PLURAL_ODDS = 0.36;
const PARTICIPLE_ODDS = 0.21;
/** Few pairs have higher odds. A pair is kept with a chance of its odds by this. */
const MAX_ODDS = 2.2;
const ODDS_STEPS = 1024;

/** Above this likelihood are the words that everyone uses; between 0.99 and this, words that most people know. */
const WELL_KNOWN = toByte(0.999);

const SAMPLED_ONE_IN = 3;

/** Lengths of words go up to this. */
const LENGTH_ROOM = 256;

/** Draws pairs of familiar words like those the newspaper's boards are built around. */
export class Pairs {
  readonly #lexicon: Lexicon;
  readonly #familiar: FamiliarWords;
  /** Words by their last or first letter and their length; of equal ones, the well-known ones are a group before the others. */
  readonly #byEnd: Groups;
  readonly #byStart: Groups;

  static readonly of = onceForLexicon((lexicon) => new Pairs(lexicon));

  private constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#familiar = familiarWords(lexicon);
    const { numbers, lengths, last, first } = this.#familiar;
    const groupsBy = (letters: Uint8Array) =>
      groupBy(
        Array.from(numbers, (number, word) => {
          const isWellKnown = lexicon.likelihoods[number]! >= WELL_KNOWN;
          return groupOf(letters[word]!, lengths[word]!) + (isWellKnown ? 0 : 1);
        }),
        groupOf(26, 0),
      );
    this.#byEnd = groupsBy(last);
    this.#byStart = groupsBy(first);
  }

  /**
   * A letter to join two words. It is drawn apart from the words and kept, since whether a board suits depends much on it:
   * with a letter drawn for each pair, boards would be joined by other letters than the newspaper's.
   */
  drawJoint(random: Random): number {
    return pick(JOINTS, random).charCodeAt(0) - 97;
  }

  /** One try: nine in ten are undefined, since most words that meet have more or fewer than `size` letters between them. */
  draw(size: number, joint: number, wellKnown: boolean, random: Random): Pair | undefined {
    const together = Number(pick(TOGETHER, random));
    const shorter = Number(pick(SHORTER, random));
    const longer = together - shorter;
    if (longer < shorter || longer > MAX_LENGTH) return undefined;
    const isShorterFirst = random.below(2) === 0;
    const first = drawFrom(this.#byEnd, groupOf(joint, isShorterFirst ? shorter : longer), wellKnown, random);
    const second = drawFrom(
      this.#byStart,
      groupOf(joint, isShorterFirst ? longer : shorter),
      wellKnown,
      random,
    );
    if (first === undefined || second === undefined) return undefined;
    const { masks, numbers } = this.#familiar;
    const letters = masks[first]! | masks[second]!;
    if (popcount(letters) !== size) return undefined;
    const vowels = popcount(letters & VOWELS);
    if (vowels < MIN_VOWELS || vowels > MAX_VOWELS) return undefined;
    const words = [this.#lexicon.wordAt(numbers[first]!), this.#lexicon.wordAt(numbers[second]!)] as const;
    if (random.below(ODDS_STEPS) * MAX_ODDS >= oddsOf(words, letters) * ODDS_STEPS) return undefined;
    return { words, letters };
  }

  /** About how many familiar words are spelled with these letters alone, on whatever sides: one in three is looked at. */
  within(letters: number): number {
    const { masks } = this.#familiar;
    let count = 0;
    for (let word = 0; word < masks.length; word += SAMPLED_ONE_IN)
      if ((masks[word]! & ~letters) === 0) count++;
    return SAMPLED_ONE_IN * count;
  }
}

function oddsOf(words: readonly string[], letters: number): number {
  let odds = popcount(letters & VOWELS) === MAX_VOWELS ? FIVE_VOWELS_ODDS : 1;
  for (const [mask, one] of LETTER_ODDS) if (letters & mask) odds *= one;
  for (const word of words) {
    if (word.endsWith('s')) odds *= PLURAL_ODDS;
    else if (/(?:ed|ing)$/.test(word)) odds *= PARTICIPLE_ODDS;
  }
  return odds;
}

/** The group of well-known words; the others are in the next one. */
function groupOf(letter: number, length: number): number {
  return 2 * (LENGTH_ROOM * letter + length);
}

function drawFrom(
  { from, items }: Groups,
  group: number,
  wellKnown: boolean,
  random: Random,
): number | undefined {
  const start = from[group]!;
  const size = from[group + (wellKnown ? 1 : 2)]! - start;
  return size === 0 ? undefined : items[start + random.below(size)];
}

/** Each item as often as its weight says. */
function weighted(weights: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(weights).flatMap(([item, weight]) => new Array<string>(weight).fill(item));
}

function pick(items: readonly string[], random: Random): string {
  return items[random.below(items.length)]!;
}
