import { isAvoided } from './avoided-words.ts';
import { lettersIn, popcount } from './bits.ts';
import { type FamiliarWords, familiarWords } from './familiar.ts';
import { type Lexicon, toByte } from './lexicon.ts';
import type { Random } from './random.ts';

/** Two familiar words, the second beginning with the last letter of the first. */
export interface Pair {
  readonly words: readonly [string, string];
  /** A bit for each letter of the alphabet in them. */
  readonly letters: number;
}

/**
 * The newspaper's official pairs of 2024: the letter that joins the words is mostly s, e, d, t or g; they have
 * 14, 15 and 16 letters together at the quartiles, the shorter word 5 to 7. Items are drawn as often as their weights
 * say. Few pairs of 13 or 14 letters have twelve different ones, so those are drawn more often than they are wanted.
 */
const JOINTS = weighted({ s: 24, e: 20, d: 15, t: 12, g: 10, r: 5, y: 5, n: 3, l: 3, h: 1, m: 1, c: 1 });
const TOGETHER = weighted({ 13: 24, 14: 36, 15: 18, 16: 11, 17: 6, 18: 4 });
const SHORTER = weighted({ 4: 6, 5: 26, 6: 34, 7: 28, 8: 6 });
const LONGEST = 11;

const VOWELS = lettersIn('aeiou');
const LEAST_VOWELS = 3;
const MOST_VOWELS = 5;

/** Above this likelihood are the words that everyone uses; between 0.99 and this, those that most people know. */
const WELL_KNOWN = toByte(0.999);

const SAMPLED = 3;

/** Words of one length with one letter in one place, the well-known ones first. */
interface Bucket {
  readonly words: number[];
  wellKnown: number;
}

const known = new WeakMap<Lexicon, Pairs>();

/** Draws pairs of familiar words like those the newspaper's boards are built around. */
export class Pairs {
  readonly #lexicon: Lexicon;
  readonly #familiar: FamiliarWords;
  readonly #ending = new Map<number, Bucket>();
  readonly #beginning = new Map<number, Bucket>();

  /** Made once for each lexicon. */
  static of(lexicon: Lexicon): Pairs {
    let pairs = known.get(lexicon);
    if (pairs === undefined) {
      pairs = new Pairs(lexicon);
      known.set(lexicon, pairs);
    }
    return pairs;
  }

  private constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#familiar = familiarWords(lexicon);
    const { numbers, lettersFrom, letters, last } = this.#familiar;
    const all = Array.from(numbers.keys()).filter((word) => !isAvoided(lexicon.wordAt(numbers[word]!)));
    const isWellKnown = (word: number) => lexicon.likelihoods[numbers[word]!]! >= WELL_KNOWN;
    for (const wellKnown of [true, false]) {
      for (const word of all) {
        if (isWellKnown(word) !== wellKnown) continue;
        const length = lettersFrom[word + 1]! - lettersFrom[word]!;
        add(this.#ending, keyOf(last[word]!, length), word, wellKnown);
        add(this.#beginning, keyOf(letters[lettersFrom[word]!]!, length), word, wellKnown);
      }
    }
  }

  /**
   * A letter to join two words. It is drawn apart from the words, and kept: whether a board suits depends on it much,
   * so that pairs drawn with one each would soon be joined by other letters than the newspaper's.
   */
  drawJoint(random: Random): number {
    return indexOf(pick(JOINTS, random));
  }

  /** One try: nine in ten are undefined, since most words that meet have more or fewer than `size` letters between them. */
  draw(size: number, joint: number, wellKnown: boolean, random: Random): Pair | undefined {
    const together = Number(pick(TOGETHER, random));
    const shorter = Number(pick(SHORTER, random));
    const longer = together - shorter;
    if (longer < shorter || longer > LONGEST) return undefined;
    const isShorterFirst = random.below(2) === 0;
    const firsts = this.#ending.get(keyOf(joint, isShorterFirst ? shorter : longer));
    const seconds = this.#beginning.get(keyOf(joint, isShorterFirst ? longer : shorter));
    const first = drawFrom(firsts, wellKnown, random);
    const second = drawFrom(seconds, wellKnown, random);
    if (first === undefined || second === undefined) return undefined;
    const { masks, numbers } = this.#familiar;
    const letters = masks[first]! | masks[second]!;
    if (popcount(letters) !== size) return undefined;
    const vowels = popcount(letters & VOWELS);
    if (vowels < LEAST_VOWELS || vowels > MOST_VOWELS) return undefined;
    return {
      words: [this.#lexicon.wordAt(numbers[first]!), this.#lexicon.wordAt(numbers[second]!)],
      letters,
    };
  }

  /** About how many familiar words are spelled with these letters alone, on whatever sides: one in three is looked at. */
  within(letters: number): number {
    const { masks } = this.#familiar;
    let count = 0;
    for (let word = 0; word < masks.length; word += SAMPLED) if ((masks[word]! & ~letters) === 0) count++;
    return SAMPLED * count;
  }
}

function add(buckets: Map<number, Bucket>, key: number, word: number, wellKnown: boolean): void {
  const bucket = buckets.get(key) ?? { words: [], wellKnown: 0 };
  buckets.set(key, bucket);
  bucket.words.push(word);
  if (wellKnown) bucket.wellKnown++;
}

function drawFrom(bucket: Bucket | undefined, wellKnown: boolean, random: Random): number | undefined {
  if (bucket === undefined) return undefined;
  const size = wellKnown ? bucket.wellKnown : bucket.words.length;
  return size === 0 ? undefined : bucket.words[random.below(size)];
}

function keyOf(letter: number, length: number): number {
  return 64 * letter + length;
}

/** Each item as often as its weight says. */
function weighted(weights: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(weights).flatMap(([item, weight]) => new Array<string>(weight).fill(item));
}

function pick(items: readonly string[], random: Random): string {
  return items[random.below(items.length)]!;
}

function indexOf(letter: string): number {
  return letter.charCodeAt(0) - 97;
}
