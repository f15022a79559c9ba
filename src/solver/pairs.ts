import type { Random } from '../core/random.ts';
import { type Groups, groupBy, lettersIn, popcount, VOWELS } from './bits.ts';
import { type FamiliarWords, familiarWords } from './difficulty.ts';
import { type Lexicon, onceForLexicon, toByte } from './lexicon.ts';

/** Two familiar words, the second beginning with the last letter of the first. */
export interface Pair {
  readonly words: readonly [string, string];
  /** A bit for each letter of the alphabet in them. */
  readonly letters: number;
}

/**
 * By weight: the letter that joins two words, their length together, and the length of the shorter one. The weights follow the
 * newspaper's official pairs of 2024, whose lengths together are 14, 15 and 16 at the quartiles. Pairs of 13 or 14 letters are
 * drawn more often than that, since few of them have twelve different letters and are kept.
 */
const JOINTS = weighted({ s: 24, e: 20, d: 15, t: 12, g: 10, r: 5, y: 5, n: 3, l: 3, h: 1, m: 1, c: 1 });
const TOGETHER = weighted({ 13: 24, 14: 36, 15: 18, 16: 11, 17: 6, 18: 4 });
const SHORTER = weighted({ 4: 6, 5: 26, 6: 34, 7: 28, 8: 6 });
const MAX_LENGTH = 11;

const MIN_VOWELS = 3;
const MAX_VOWELS = 5;

/** Factors on the odds of a pair, to bring these letters, five vowels, plurals and participles near the newspaper's shares. */
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
/** Few pairs have higher odds. A pair is kept with the probability odds / MAX_ODDS. */
const MAX_ODDS = 2.2;
const ODDS_STEPS = 1024;

/** Words of this likelihood are used by everyone; other familiar words, from 0.99 on, are known by most people. */
const WELL_KNOWN = toByte(0.999);

/** One familiar word in this many is looked at for an estimate. */
const SAMPLED_ONE_IN = 3;

/** All words are shorter than this. */
const LENGTH_ROOM = 256;

/** Draws pairs of familiar words like those the newspaper's boards are built around. */
export class Pairs {
  readonly #lexicon: Lexicon;
  readonly #familiar: FamiliarWords;
  /** Words by their last letter and by their first letter, in the groups of `groupOf`. */
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
   * A letter to join two words. The caller draws many pairs with it: with a new letter for each pair, the letters whose pairs
   * are kept most often would join more boards than they do in the newspaper.
   */
  drawJoint(random: Random): number {
    return pick(JOINTS, random).charCodeAt(0) - 97;
  }

  /** Tries to draw a pair with `size` different letters. Nine tries in ten are undefined, since most pairs have more or fewer. */
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
    const isKept = random.below(ODDS_STEPS) * MAX_ODDS < oddsOf(words, letters) * ODDS_STEPS;
    return isKept ? { words, letters } : undefined;
  }

  /** An estimate of how many familiar words have no other letters, on whatever sides these are. */
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

/** The group of the well-known words with this letter and length. The other words are in the group after it. */
function groupOf(letter: number, length: number): number {
  return 2 * (LENGTH_ROOM * letter + length);
}

/** Draws a word from a group, and unless it has to be well-known, from the group after it, too. */
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

function weighted(weights: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(weights).flatMap(([item, weight]) => new Array<string>(weight).fill(item));
}

function pick(items: readonly string[], random: Random): string {
  return items[random.below(items.length)]!;
}
