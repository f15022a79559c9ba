import { KeptChains } from './kept-chains.ts';
import type { Start } from './state.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/** Tables of more bits would take more than 8 MB. */
const MOST_BITS = 26;

/** Of two parts of a chain that meet: the edge on which they do, and the needs before and after it. */
type Take = (edge: number, need: number, rest: number) => boolean;

/**
 * Whether chains of a given number of words exist, proven either way: chains from the start and chains to
 * the end meet in the middle. Of all chains that stand on a node only those are kept that no other one
 * outdoes, a few thousand even on boards of 25 letters; tables of subsets tell which those are, so the work
 * grows with (words kept × chains kept of one word fewer) and never with the number of solutions.
 */
export class Levels {
  readonly #table: WordTable;
  readonly #stopper: Stopper;
  readonly #chains: KeptChains;
  readonly #isDistinct: boolean;

  constructor(table: WordTable, start: Start, stopper: Stopper) {
    this.#table = table;
    this.#stopper = stopper;
    this.#chains = new KeptChains(table, start, stopper);
    this.#isDistinct = table.fields.length === 0;
  }

  /** Larger boards have tables too large. */
  get isPossible(): boolean {
    return this.#chains.tableBits <= MOST_BITS;
  }

  /**
   * Shows chains of so many words (at least 2) that cover everything, as edges, until one is taken. Of chains that meet
   * in the same way one is shown; none at all is shown only if there is none.
   */
  find(words: number, take: (edges: readonly number[]) => boolean): void {
    const after = Math.floor(words / 2);
    const before = words - after - 1;
    // The kept chains of fewer words have to be there first, as they need the same table.
    for (let fewer = 1; fewer < after; fewer++) this.#chains.right(fewer);
    this.#chains.left(before);
    const nodes = this.#table.from.length - 1;
    const { edges, starts } = this.#chains.reduced;
    for (let node = 0; node < nodes; node++) {
      const isTaken = this.#meet(node, before, after, (edge, need, rest) => {
        const to = this.#chainTo(before, starts[edge]!, need);
        return take([...to, edge, ...this.#chainFrom(after, node, rest)].map((found) => edges[found]!));
      });
      if (isTaken) return;
    }
  }

  /** Chains of `before` words and one more that stand on the node with a need that `after` words cover, until one is taken. */
  #meet(node: number, before: number, after: number, take: Take): boolean {
    const { full } = this.#table;
    const { into, intoFrom, starts, masks, patterns } = this.#chains.reduced;
    const left = this.#chains.left(before);
    const leftCovers = this.#patternsInto(node, before);
    if (leftCovers[0] === 0) return false;
    const rightCovers = this.#patternsFrom(node, after);
    const subsets = this.#chains.fill(after, node, leftCovers);
    const all = this.#chains.patterns.room - 1;
    const low = (1 << node) - 1;
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const edge = into[at]!;
      const mask = masks[edge]!;
      for (const { pattern, masks: covered } of left[starts[edge]!]!.groups) {
        if (rightCovers[all & ~(pattern | patterns[edge]!)] === 0) continue;
        this.#stopper.step(covered.length);
        if (this.#isDistinct) {
          for (let index = 0; index < covered.length; index++) {
            const rest = full & ~(covered[index]! | mask);
            const isMet = subsets.has((rest & low) | ((rest >>> (node + 1)) << node));
            if (isMet && take(edge, full & ~covered[index]!, rest)) return true;
          }
        } else {
          for (let index = 0; index < covered.length; index++) {
            const need = full & ~covered[index]!;
            const rest = this.#table.rest(need, mask);
            if (subsets.has(rest) && take(edge, need, rest)) return true;
          }
        }
      }
    }
    return false;
  }

  /** The patterns that chains of `before` words and one more cover, which stand on the node; and all fewer bits. */
  #patternsInto(node: number, before: number): Uint8Array {
    const { into, intoFrom, starts, patterns } = this.#chains.reduced;
    const { size, room } = this.#chains.patterns;
    const left = this.#chains.left(before);
    const covers = new Uint8Array(room);
    const seen = new Set<number>();
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const edge = into[at]!;
      const key = (starts[edge]! << size) | patterns[edge]!;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const { pattern } of left[starts[edge]!]!.groups) covers[pattern | patterns[edge]!] = 1;
    }
    this.#chains.patterns.close(covers);
    return covers;
  }

  /** The patterns that so many words from the node cover, and all fewer bits. */
  #patternsFrom(node: number, words: number): Uint8Array {
    const { fromNode, ends, patterns } = this.#chains.reduced;
    const { size, room } = this.#chains.patterns;
    const covers = new Uint8Array(room);
    const seen = new Set<number>();
    for (let edge = fromNode[node]!; edge < fromNode[node + 1]!; edge++) {
      if (words === 1) covers[patterns[edge]!] = 1;
      else {
        const key = (ends[edge]! << size) | patterns[edge]!;
        if (seen.has(key)) continue;
        seen.add(key);
        for (const { pattern } of this.#chains.right(words - 1)[ends[edge]!]!.groups)
          covers[pattern | patterns[edge]!] = 1;
      }
    }
    this.#chains.patterns.close(covers);
    return covers;
  }

  /** Edges of a chain from the start that stands on a node with no more than this need. */
  #chainTo(words: number, node: number, need: number): number[] {
    if (words === 0) return [];
    const { full } = this.#table;
    const { into, intoFrom, starts, masks } = this.#chains.reduced;
    const before = this.#chains.left(words - 1);
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const edge = into[at]!;
      for (const covered of before[starts[edge]!]!.masks) {
        const earlier = full & ~covered;
        if (this.#table.rest(earlier, masks[edge]!) & ~need) continue;
        return [...this.#chainTo(words - 1, starts[edge]!, earlier), edge];
      }
    }
    throw new Error('a kept chain has lost its words');
  }

  /** Edges of a chain from a node that covers the need, which is known to exist. */
  #chainFrom(words: number, node: number, need: number): number[] {
    if (words === 0) return [];
    const { fromNode, ends, masks } = this.#chains.reduced;
    for (let edge = fromNode[node]!; edge < fromNode[node + 1]!; edge++) {
      const rest = this.#table.rest(need, masks[edge]!);
      const isDone =
        words === 1
          ? rest === 0
          : this.#chains.right(words - 1)[ends[edge]!]!.masks.some((covered) => (rest & ~covered) === 0);
      if (isDone) return [edge, ...this.#chainFrom(words - 1, ends[edge]!, rest)];
    }
    throw new Error('a kept chain has lost its words');
  }
}
