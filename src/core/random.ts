/**
 * A seeded stream of whole numbers. Only 32-bit integer steps, so that every machine and every engine
 * draws the same ones: xoshiro128** (Blackman and Vigna), seeded from text by FNV-1a.
 *
 * @example new Random('house:2026-11-20').below(4) // 0, 1, 2 or 3, the same on every machine
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: string) {
    this.#a = hash(seed, 0x811c9dc5);
    this.#b = hash(seed, this.#a);
    this.#c = hash(seed, this.#b);
    // A state of zeros would never change.
    this.#d = hash(seed, this.#c) | 1;
  }

  /** The next 32 bits, as a number from 0 to 2^32 − 1. */
  next(): number {
    const result = Math.imul(rotate(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = rotate(this.#d, 11);
    return result;
  }

  /** A number from 0 to limit − 1, each as likely; limit is at least 1 and below 2^31. */
  below(limit: number): number {
    const mask = limit <= 1 ? 0 : 0xffffffff >>> Math.clz32(limit - 1);
    for (;;) {
      const drawn = this.next() & mask;
      if (drawn < limit) return drawn;
    }
  }

  /** Puts a list in random order, in place. */
  shuffle<Item>(items: Item[]): Item[] {
    for (let index = items.length - 1; index > 0; index--) {
      const other = this.below(index + 1);
      [items[index], items[other]] = [items[other]!, items[index]!];
    }
    return items;
  }
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

function hash(text: string, from: number): number {
  let sum = from;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  // FNV's low bits depend on the characters' low bits alone: mixed once more (the finish of MurmurHash3).
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35);
  return sum ^ (sum >>> 16);
}
