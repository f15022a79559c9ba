/** 32-bit words that fit the first cache of a core with room to spare. */
const BLOCK = 2 ** 12;

/**
 * A bit for each of 2^bits masks: whether it is a subset of a mask that was added. Filling it takes
 * bits × 2^bits / 32 steps however many masks there are, and a look-up one.
 */
export class SubsetTable {
  readonly #bits: number;
  readonly #table: Int32Array;

  constructor(bits: number) {
    this.#bits = bits;
    this.#table = new Int32Array(bits <= 5 ? 1 : 2 ** (bits - 5));
  }

  clear(): void {
    this.#table.fill(0);
  }

  /** False if it was there already. */
  add(mask: number): boolean {
    const table = this.#table;
    const bit = 1 << (mask & 31);
    const place = mask >>> 5;
    if (table[place]! & bit) return false;
    table[place]! |= bit;
    return true;
  }

  has(mask: number): boolean {
    return (this.#table[mask >>> 5]! & (1 << (mask & 31))) !== 0;
  }

  /** Adds all subsets of the masks added so far. */
  close(): void {
    const table = this.#table;
    // Block by block first, so that most of it happens within a fast cache. Many blocks stay empty.
    const block = Math.min(table.length, BLOCK);
    const isUsed = new Uint8Array(table.length / block);
    for (let index = 0; index < isUsed.length; index++) {
      if (!closeBits(table, index * block, (index + 1) * block)) continue;
      isUsed[index] = 1;
      closeWords(table, index * block, block);
    }
    for (let half = 1; half < isUsed.length; half *= 2) {
      for (let lower = 0; lower < isUsed.length; lower++) {
        if (lower & half || isUsed[lower + half] === 0) continue;
        isUsed[lower] = 1;
        const begin = lower * block;
        const upper = begin + half * block;
        for (let at = 0; at < block; at++) table[begin + at]! |= table[upper + at]!;
      }
    }
  }

  /** Once closed: whether no larger mask than this one was added. */
  isMaximal(mask: number): boolean {
    for (let bit = 2 ** (this.#bits - 1); bit >= 1; bit /= 2)
      if (!(mask & bit) && this.has(mask | bit)) return false;
    return true;
  }
}

/** Within each 32-bit word; false if all are empty. */
function closeBits(table: Int32Array, begin: number, end: number): boolean {
  let isAny = false;
  for (let at = begin; at < end; at++) {
    let word = table[at]!;
    if (word === 0) continue;
    isAny = true;
    word |= (word >>> 1) & 0x55555555;
    word |= (word >>> 2) & 0x33333333;
    word |= (word >>> 4) & 0x0f0f0f0f;
    word |= (word >>> 8) & 0x00ff00ff;
    table[at] = word | (word >>> 16);
  }
  return isAny;
}

/** Two bits of the place at a time, as long as there are two: half as much is read and written. */
function closeWords(table: Int32Array, begin: number, size: number): void {
  const end = begin + size;
  let half = 1;
  for (; 2 * half < size; half *= 4) {
    for (let base = begin; base < end; base += 4 * half) {
      for (let at = base; at < base + half; at++) {
        const both = table[at + 3 * half]!;
        const upper = table[at + 2 * half]! | both;
        const lower = table[at + half]! | both;
        table[at + 2 * half] = upper;
        table[at + half] = lower;
        table[at]! |= upper | lower;
      }
    }
  }
  for (; half < size; half *= 2) {
    for (let base = begin; base < end; base += 2 * half) {
      for (let at = base; at < base + half; at++) table[at]! |= table[at + half]!;
    }
  }
}
