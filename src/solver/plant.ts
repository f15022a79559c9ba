import { popcount } from './bits.ts';
import type { FamiliarWords } from './familiar.ts';
import type { Random } from './random.ts';

/**
 * Second words drawn for a first one. To go through them all would favour first words that few second
 * ones suit, and the same boards would come again and again.
 */
const DRAWN = 4;
/** A letter is common as a first one when it begins one word in this many. */
const COMMON_SHARE = 25;
/** Words looked at for each place in a chain of more than two: enough to find one that brings new letters. */
const LOOKED_AT = 64;

/** Draws chains of familiar words that have exactly so many different letters between them. */
export class Planter {
  readonly #words: FamiliarWords;
  readonly #letters: number;
  readonly #random: Random;

  constructor(words: FamiliarWords, letters: number, random: Random) {
    this.#words = words;
    this.#letters = letters;
    this.#random = random;
  }

  /** Two words, drawn at random. Often undefined. */
  pair(): number[] | undefined {
    const first = this.#first();
    if (first === undefined) return undefined;
    const { start, count } = this.#followers(first);
    for (let draw = 0; draw < DRAWN; draw++) {
      const second = start + this.#random.below(count);
      if (this.#completes(second, this.#words.masks[first]!)) return [first, second];
    }
    return undefined;
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
   * Few words begin with y or k, so boards joined on those would repeat themselves: words that end on such
   * a letter are taken less often, by how few.
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
    const turn = this.#random.below(count);
    for (let index = 0; index < count; index++) {
      const word = start + ((index + turn) % count);
      if (this.#completes(word, covered)) return word;
    }
    return undefined;
  }

  /** Of some words that can follow, the one with the most new letters that still leaves one for another. */
  #widest(before: number, covered: number): number | undefined {
    const { start, count } = this.#followers(before);
    let best: number | undefined;
    let reach = popcount(covered);
    for (let look = 0; look < LOOKED_AT; look++) {
      const word = start + this.#random.below(count);
      const reached = popcount(covered | this.#words.masks[word]!);
      if (reached <= reach || reached >= this.#letters || this.#followers(word).count === 0) continue;
      reach = reached;
      best = word;
    }
    return best;
  }
}
