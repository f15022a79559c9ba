import { groupBy, SubsetTable, undominated } from './bits.ts';
import { type Edges, type State, Stopped, type Stopper } from './edges.ts';
import { type PatternGroup, Patterns } from './endings.ts';
import type { Problem } from './problem.ts';

/** Tables for more bits would take more than 8 MB. */
const MOST_BITS = 27;

/** An edge on which two parts of a chain meet, with the needs before and after it. */
interface Meeting {
  readonly edge: number;
  readonly need: number;
  readonly rest: number;
}

/**
 * Whether chains of a given number of words exist, proven either way: chains from the start and chains to
 * the end meet in the middle. Of all chains that end on a spot, a chain is kept only if no other one
 * dominates it: a few thousand even on boards of 25 letters; tables of subsets tell which those are, so the work
 * grows with (words kept × chains kept of one word fewer) and never with the number of solutions.
 */
export class Levels {
  readonly #edges: Edges;
  readonly #stopper: Stopper;
  readonly #chains: KeptChains;

  constructor({ edges, starts, stopper }: Problem) {
    this.#edges = edges;
    this.#stopper = stopper;
    this.#chains = new KeptChains(edges, starts.flat(), stopper);
  }

  /** A chain of this many words (at least 2) that covers everything, as edges; undefined if there is none. */
  find(words: number): readonly number[] | undefined {
    if (this.#edges.bits > MOST_BITS) throw new Stopped('size');
    const after = Math.floor(words / 2);
    const before = words - after - 1;
    // The kept chains of fewer words have to be there first, as they need the same table.
    for (let fewer = 1; fewer < after; fewer++) this.#chains.right(fewer);
    this.#chains.left(before);
    const { edges, starts } = this.#chains.reduced;
    for (let spot = 0; spot < this.#edges.from.length - 1; spot++) {
      const meeting = this.#meet(spot, before, after);
      if (meeting === undefined) continue;
      const { edge, need, rest } = meeting;
      const to = this.#chainTo(before, starts[edge]!, need);
      return [...to, edge, ...this.#chainFrom(after, spot, rest)].map((found) => edges[found]!);
    }
    return undefined;
  }

  /** Where chains of `before` words and one more end on the spot with a need that `after` words cover. */
  #meet(spot: number, before: number, after: number): Meeting | undefined {
    const { full } = this.#edges;
    const { into, intoFrom, starts, masks, patterns } = this.#chains.reduced;
    const left = this.#chains.left(before);
    const leftCovers = this.#patternsInto(spot, before);
    if (leftCovers[0] === 0) return undefined;
    const rightCovers = this.#patternsFrom(spot, after);
    const subsets = this.#chains.fill(after, spot, leftCovers);
    const all = this.#chains.patterns.room - 1;
    const low = (1 << spot) - 1;
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      const mask = masks[edge]!;
      for (const { pattern, masks: covered } of left[starts[edge]!]!.groups) {
        if (rightCovers[all & ~(pattern | patterns[edge]!)] === 0) continue;
        this.#stopper.step(covered.length);
        for (let index = 0; index < covered.length; index++) {
          const rest = full & ~(covered[index]! | mask);
          if (subsets.has((rest & low) | ((rest >>> (spot + 1)) << spot)))
            return { edge, need: full & ~covered[index]!, rest };
        }
      }
    }
    return undefined;
  }

  /** The patterns, with all their subsets, that chains of `before` words and one more cover when they end on the spot. */
  #patternsInto(spot: number, before: number): Uint8Array {
    const { into, intoFrom, starts, patterns } = this.#chains.reduced;
    const { size, room } = this.#chains.patterns;
    const left = this.#chains.left(before);
    const covers = new Uint8Array(room);
    const seen = new Set<number>();
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      const key = (starts[edge]! << size) | patterns[edge]!;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const { pattern } of left[starts[edge]!]!.groups) covers[pattern | patterns[edge]!] = 1;
    }
    this.#chains.patterns.close(covers);
    return covers;
  }

  /** The patterns, with all their subsets, that this many words from the spot cover. */
  #patternsFrom(spot: number, words: number): Uint8Array {
    const { fromSpot, ends, patterns } = this.#chains.reduced;
    const { size, room } = this.#chains.patterns;
    const covers = new Uint8Array(room);
    const seen = new Set<number>();
    for (let edge = fromSpot[spot]!; edge < fromSpot[spot + 1]!; edge++) {
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

  /** Edges of a chain from the start that ends on a spot with no more than this need. */
  #chainTo(words: number, spot: number, need: number): number[] {
    if (words === 0) return [];
    const { full } = this.#edges;
    const { into, intoFrom, starts, masks } = this.#chains.reduced;
    const before = this.#chains.left(words - 1);
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      for (const covered of before[starts[edge]!]!.masks) {
        const earlier = full & ~covered;
        if (earlier & ~masks[edge]! & ~need) continue;
        return [...this.#chainTo(words - 1, starts[edge]!, earlier), edge];
      }
    }
    throw new Error('a kept chain has lost its words');
  }

  /** Edges of a chain from a spot that covers the need, which is known to exist. */
  #chainFrom(words: number, spot: number, need: number): number[] {
    if (words === 0) return [];
    const { fromSpot, ends, masks } = this.#chains.reduced;
    for (let edge = fromSpot[spot]!; edge < fromSpot[spot + 1]!; edge++) {
      const rest = need & ~masks[edge]!;
      const isDone =
        words === 1
          ? rest === 0
          : this.#chains.right(words - 1)[ends[edge]!]!.masks.some((covered) => (rest & ~covered) === 0);
      if (isDone) return [edge, ...this.#chainFrom(words - 1, ends[edge]!, rest)];
    }
    throw new Error('a kept chain has lost its words');
  }
}

/** What the chains on one spot cover, without dominated chains: those that cover no more than another one. */
interface Kept {
  readonly masks: Int32Array;
  readonly groups: readonly PatternGroup[];
}

/**
 * Chains from the start and chains to the end, by the spot that they share, without dominated ones.
 */
class KeptChains {
  readonly patterns: Patterns;
  readonly #edges: Edges;
  readonly #starts: readonly State[];
  readonly #stopper: Stopper;
  #reduced: Reduced | undefined;
  #subsets: SubsetTable | undefined;
  readonly #left: Kept[][] = [];
  readonly #right: Kept[][] = [];

  constructor(edges: Edges, starts: readonly State[], stopper: Stopper) {
    this.#edges = edges;
    this.#starts = starts;
    this.#stopper = stopper;
    this.patterns = new Patterns(edges);
  }

  get reduced(): Reduced {
    this.#reduced ??= reduceEdges(this.#edges, this.patterns, this.#stopper);
    return this.#reduced;
  }

  /**
   * The table of what this many words from a spot can cover; it is the same table each time.
   *
   * @param useful by pattern, whether the rest of a chain can cover it: what is of no use is left out
   * @param seen gets the places that were added
   */
  fill(words: number, spot: number, useful?: Uint8Array, seen?: number[]): SubsetTable {
    const subsets = this.#cleared();
    const { fromSpot, ends, masks, patterns } = this.reduced;
    const all = this.patterns.room - 1;
    const low = (1 << spot) - 1;
    const add = (place: number) => {
      if (subsets.add(place)) seen?.push(place);
    };
    for (let edge = fromSpot[spot]!; edge < fromSpot[spot + 1]!; edge++) {
      const mask = masks[edge]!;
      if (words === 1) {
        add(this.#place(mask, spot));
        continue;
      }
      for (const { pattern, masks: onwards } of this.#right[words - 1]![ends[edge]!]!.groups) {
        if (useful?.[all & ~(pattern | patterns[edge]!)] === 0) continue;
        this.#stopper.step(onwards.length);
        if (seen === undefined) {
          for (let index = 0; index < onwards.length; index++) {
            const covered = mask | onwards[index]!;
            subsets.add((covered & low) | ((covered >>> (spot + 1)) << spot));
          }
        } else
          for (let index = 0; index < onwards.length; index++) add(this.#place(mask | onwards[index]!, spot));
      }
    }
    this.#close();
    return subsets;
  }

  /** The spot's own bit is always covered, and needs no place in its table. */
  #cleared(): SubsetTable {
    this.#subsets ??= new SubsetTable(this.#edges.bits - 1);
    this.#subsets.clear();
    return this.#subsets;
  }

  #close(): void {
    this.#stopper.step(2 ** Math.max(0, this.#edges.bits - 9));
    this.#subsets!.close();
  }

  /** By spot, what this many words from there may cover. Fewer words have to be asked for first: they need the same table. */
  right(words: number): readonly Kept[] {
    const spots = this.#edges.from.length - 1;
    this.#right[words] ??= [];
    const kept = this.#right[words];
    const { fromSpot, masks } = this.reduced;
    for (let spot = kept.length; spot < spots; spot++) {
      if (words === 1) {
        kept.push(
          this.#kept(
            undominated(Array.from(masks.subarray(fromSpot[spot]!, fromSpot[spot + 1]!)), MOST_BITS),
          ),
        );
        continue;
      }
      const seen: number[] = [];
      this.fill(words, spot, undefined, seen);
      kept.push(this.#keep(seen, spot));
    }
    return kept;
  }

  /** By spot, what chains of this many words from the start may have covered. */
  left(words: number): readonly Kept[] {
    this.#left[words] ??= [];
    const kept = this.#left[words];
    const spots = this.#edges.from.length - 1;
    const { full } = this.#edges;
    for (let spot = kept.length; spot < spots; spot++) {
      if (words === 0) {
        const starts = this.#starts.filter((state) => state.spot === spot);
        kept.push(this.#kept(starts.map(({ need }) => full & ~need)));
        continue;
      }
      const before = this.left(words - 1);
      const { into, intoFrom, starts, masks } = this.reduced;
      if (words === 1) {
        const covered: number[] = [];
        for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++)
          for (const earlier of before[starts[into[at]!]!]!.masks) covered.push(earlier | masks[into[at]!]!);
        kept.push(this.#kept(undominated(covered, MOST_BITS)));
        continue;
      }
      const subsets = this.#cleared();
      const seen: number[] = [];
      for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
        const edge = into[at]!;
        const list = before[starts[edge]!]!.masks;
        this.#stopper.step(list.length);
        for (let index = 0; index < list.length; index++) {
          const place = this.#place(list[index]! | masks[edge]!, spot);
          if (subsets.add(place)) seen.push(place);
        }
      }
      this.#close();
      kept.push(this.#keep(seen, spot));
    }
    return kept;
  }

  /** Once the table is closed: the places added that no other one dominates, as masks. */
  #keep(seen: readonly number[], spot: number): Kept {
    const subsets = this.#subsets!;
    const own = 1 << spot;
    const kept: number[] = [];
    for (const place of seen) {
      if (!subsets.isMaximal(place)) continue;
      kept.push((place & (own - 1)) | ((place >>> spot) << (spot + 1)) | own);
    }
    return this.#kept(kept);
  }

  #kept(masks: readonly number[]): Kept {
    return { masks: Int32Array.from(masks), groups: this.patterns.group(masks) };
  }

  /** The index of a mask in the table of a spot. */
  #place(mask: number, spot: number): number {
    return (mask & ((1 << spot) - 1)) | ((mask >>> (spot + 1)) << spot);
  }
}

/** Edges that no other edge with the same ends covers, by the spot they start on and by the one they end on. */
interface Reduced {
  readonly starts: Uint8Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  readonly patterns: Uint16Array;
  /** Their numbers among all edges. */
  readonly edges: Uint32Array;
  readonly fromSpot: Uint32Array;
  readonly intoFrom: Uint32Array;
  readonly into: Uint32Array;
}

function reduceEdges({ from, ends, masks }: Edges, patterns: Patterns, stopper: Stopper): Reduced {
  const spots = from.length - 1;
  const kept: number[] = [];
  const fromSpot = new Uint32Array(spots + 1);
  for (let spot = 0; spot < spots; spot++) {
    const byEnd = groupBy(ends.subarray(from[spot]!, from[spot + 1]!), spots);
    stopper.step(from[spot + 1]! - from[spot]!);
    for (let end = 0; end < spots; end++) {
      // Edges are lightest first: of equal masks the first is kept.
      const byMask = new Map<number, number>();
      for (let at = byEnd.from[end + 1]! - 1; at >= byEnd.from[end]!; at--) {
        const edge = byEnd.items[at]! + from[spot]!;
        byMask.set(masks[edge]!, edge);
      }
      for (const mask of undominated([...byMask.keys()], MOST_BITS)) kept.push(byMask.get(mask)!);
    }
    fromSpot[spot + 1] = kept.length;
  }
  const edges = Uint32Array.from(kept);
  const starts = new Uint8Array(edges.length);
  for (let spot = 0; spot < spots; spot++) starts.fill(spot, fromSpot[spot]!, fromSpot[spot + 1]!);
  const endOf = Uint8Array.from(edges, (edge) => ends[edge]!);
  const { from: intoFrom, items: into } = groupBy(endOf, spots);
  const maskOf = Int32Array.from(edges, (edge) => masks[edge]!);
  const patternOf = Uint16Array.from(maskOf, (mask) => patterns.of(mask));
  return { starts, ends: endOf, masks: maskOf, patterns: patternOf, edges, fromSpot, intoFrom, into };
}
