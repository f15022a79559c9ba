/** Of each 32-bit word, the bits whose place has the bit 1, 2, 4, 8 or 16 unset. */
const HALVES = [0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff] as const;

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
    const inner = Math.min(5, this.#bits);
    for (let at = 0; at < table.length; at++) {
      let word = table[at]!;
      if (word === 0) continue;
      for (let step = 0; step < inner; step++) word |= (word >>> (1 << step)) & HALVES[step]!;
      table[at] = word;
    }
    // Block by block first, so that most of it happens within a fast cache.
    const block = Math.min(table.length, BLOCK);
    for (let begin = 0; begin < table.length; begin += block)
      closeWords(table, begin, begin + block, 1, block);
    closeWords(table, 0, table.length, block, table.length);
  }

  /** Once closed: whether no larger mask than this one was added. */
  isMaximal(mask: number): boolean {
    for (let bit = 2 ** (this.#bits - 1); bit >= 1; bit /= 2)
      if (!(mask & bit) && this.has(mask | bit)) return false;
    return true;
  }
}

function closeWords(table: Int32Array, begin: number, end: number, least: number, most: number): void {
  for (let half = least; half < most; half *= 2) {
    for (let base = begin; base < end; base += 2 * half) {
      for (let at = base; at < base + half; at++) table[at]! |= table[at + half]!;
    }
  }
}
