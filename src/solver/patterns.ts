import { lowest } from './bits.ts';
import { groupBy } from './group.ts';
import type { WordTable } from './table.ts';

/** How many bits make up a pattern: a table of all patterns is small then, and most pairs of words are ruled out. */
const RARE = 10;

/**
 * The bits that the fewest words cover, as a mask of their own. Few words cover more than three of the ten
 * rarest letters, so what two words leave of these tells mostly that they are no use together. Letters that
 * stand on several spots are not among them, as their bits are not covered one by one.
 */
export class Patterns {
  /** How many bits a pattern has. */
  readonly size: number;
  readonly room: number;
  readonly #rare: readonly number[];

  constructor({ bits, masks, fields }: WordTable) {
    const holding = new Uint32Array(bits);
    for (const mask of masks) for (let rest = mask; rest !== 0; rest &= rest - 1) holding[lowest(rest)]!++;
    const repeated = fields.reduce((all, { mask }) => all | mask, 0);
    this.#rare = Array.from({ length: bits }, (_, bit) => bit)
      .filter((bit) => !(repeated & (1 << bit)))
      .sort((a, b) => holding[a]! - holding[b]!)
      .slice(0, RARE);
    this.size = this.#rare.length;
    this.room = 1 << this.size;
  }

  of(mask: number): number {
    let pattern = 0;
    for (let at = 0; at < this.#rare.length; at++) pattern |= ((mask >>> this.#rare[at]!) & 1) << at;
    return pattern;
  }

  /** Masks by their pattern, without patterns that none has; `items` says where in the list each mask was. */
  group(masks: ArrayLike<number>): PatternGroup[] {
    const { from, items } = groupBy(
      Uint16Array.from(masks, (mask) => this.of(mask)),
      this.room,
    );
    const groups: PatternGroup[] = [];
    for (let pattern = 0; pattern < this.room; pattern++) {
      if (from[pattern] === from[pattern + 1]) continue;
      const own = items.subarray(from[pattern]!, from[pattern + 1]!);
      groups.push({ pattern, items: own, masks: Int32Array.from(own, (at) => masks[at]!) });
    }
    return groups;
  }

  /** To a table with a 1 for each pattern that is covered, adds all that are covered with it. */
  close(covered: Uint8Array): void {
    for (let bit = 1; bit < this.room; bit *= 2) {
      for (let pattern = 0; pattern < this.room; pattern++)
        if (pattern & bit) covered[pattern ^ bit]! |= covered[pattern]!;
    }
  }
}

export interface PatternGroup {
  readonly pattern: number;
  readonly items: Uint32Array;
  readonly masks: Int32Array;
}
