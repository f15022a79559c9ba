import { groupBy, lowest, popcount } from './bits.ts';
import type { CoverEdges } from './edges.ts';

/** Bits of a pattern: so few that a table of all patterns is small, and so many that most pairs of words are ruled out. */
const PATTERN_BITS = 10;
const PATTERNS = 2 ** PATTERN_BITS;

/** The edges of one spot with the same pattern. */
interface PatternGroup {
  readonly pattern: number;
  readonly edges: Uint32Array;
}

/**
 * Look-ups of the last two words of a chain on a large board. A pattern is the part of a mask in the ten bits that the fewest words
 * cover. Most words have one or two of these, so that patterns rule out nearly all pairs of words.
 */
export class LastTwo {
  /** The pattern of a mask of all bits. */
  readonly all: number;
  readonly #edges: CoverEdges;
  /** The rarest bits: the first one is bit 0 of a pattern. */
  readonly #rare: readonly number[];
  /** By spot. */
  readonly #groups: (readonly PatternGroup[])[] = [];
  /** By spot and pattern, 1 if a word from the spot covers the whole pattern. */
  readonly #coverable: Uint8Array[] = [];
  /** By pattern, 1 if a word from any spot covers it. */
  readonly #anywhere = new Uint8Array(PATTERNS);
  /** By spot, the most bits that a word from the spot covers. */
  readonly #most: number[] = [];

  constructor(edges: CoverEdges) {
    this.#edges = edges;
    const { bits, from, masks } = edges;
    const having = new Uint32Array(bits);
    for (const mask of masks) for (let rest = mask; rest !== 0; rest &= rest - 1) having[lowest(rest)]!++;
    const byRarity = Array.from({ length: bits }, (_, bit) => bit).sort((a, b) => having[a]! - having[b]!);
    this.#rare = byRarity.slice(0, PATTERN_BITS);
    this.all = 2 ** this.#rare.length - 1;
    for (let spot = 0; spot < from.length - 1; spot++) this.#addSpot(from[spot]!, from[spot + 1]!);
  }

  /**
   * Calls `found` with each edge that starts on the spot and after which one more word may cover the rest. Returns the number
   * of steps that this took.
   */
  each(spot: number, need: number, found: (edge: number, rest: number) => void): number {
    const { ends, masks } = this.#edges;
    const needed = this.patternOf(need);
    let looked = 0;
    for (const { pattern, edges } of this.#groups[spot]!) {
      const left = needed & ~pattern;
      looked++;
      if (this.#anywhere[left] === 0) continue;
      looked += edges.length;
      for (let at = 0; at < edges.length; at++) {
        const edge = edges[at]!;
        const end = ends[edge]!;
        if (this.#coverable[end]![left] === 0) continue;
        const rest = need & ~masks[edge]!;
        if (popcount(rest) <= this.#most[end]!) found(edge, rest);
      }
    }
    return looked;
  }

  /** By pattern, 1 if two words from a spot may cover the whole pattern. */
  patternsFrom(spot: number): Uint8Array {
    const covered = new Uint8Array(PATTERNS);
    for (const { pattern, edges } of this.#groups[spot]!)
      for (const end of new Set(edges.map((edge) => this.#edges.ends[edge]!)))
        for (let other = 0; other < PATTERNS; other++)
          covered[pattern | other]! |= this.#coverable[end]![other]!;
    addSubsets(covered);
    return covered;
  }

  #addSpot(begin: number, end: number): void {
    const own = this.#edges.masks.subarray(begin, end);
    const { from, items } = groupBy(
      Uint16Array.from(own, (mask) => this.patternOf(mask)),
      PATTERNS,
    );
    const groups: PatternGroup[] = [];
    const coverable = new Uint8Array(PATTERNS);
    for (let pattern = 0; pattern < PATTERNS; pattern++) {
      if (from[pattern] === from[pattern + 1]) continue;
      const edges = items.subarray(from[pattern]!, from[pattern + 1]!).map((at) => at + begin);
      groups.push({ pattern, edges });
      coverable[pattern] = 1;
    }
    addSubsets(coverable);
    for (let pattern = 0; pattern < PATTERNS; pattern++) this.#anywhere[pattern]! |= coverable[pattern]!;
    this.#groups.push(groups);
    this.#coverable.push(coverable);
    this.#most.push(own.reduce((most, mask) => Math.max(most, popcount(mask)), 0));
  }

  patternOf(mask: number): number {
    let pattern = 0;
    for (let at = 0; at < this.#rare.length; at++) pattern |= ((mask >>> this.#rare[at]!) & 1) << at;
    return pattern;
  }
}

function addSubsets(covered: Uint8Array): void {
  for (let bit = 1; bit < PATTERNS; bit *= 2)
    for (let pattern = 0; pattern < PATTERNS; pattern++)
      if (pattern & bit) covered[pattern ^ bit]! |= covered[pattern]!;
}
