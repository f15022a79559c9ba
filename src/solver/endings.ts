import { lowest, popcount } from './bits.ts';
import type { CoverEdges, Edges, Stopper } from './edges.ts';

/** Up to this many bits, a table of every need on every spot is small and quick to fill. */
const MAX_TABLE_BITS = 16;

/** Look-ups of the last edge of a chain: which edges from a spot cover the need, a mask of the bits that are not covered yet. */
export type Endings = DenseEndings | SparseEndings;

/** @param isLastNeeded whether `count` is 0 for a need of 0: a chain that covers everything needs no last word. Callers of `first` leave such chains out. */
export function makeEndings(edges: Edges, stopper: Stopper, isLastNeeded: boolean): Endings {
  return edges.bits <= MAX_TABLE_BITS
    ? new DenseEndings(edges, stopper, isLastNeeded)
    : new SparseEndings(edges, isLastNeeded);
}

/**
 * Tables of all endings, with an entry for each state at `(spot << bits) | need`. Their numbers are narrow, so that the tables of a
 * 4×3 board fit in the fast caches. Each table is made when it is first asked for.
 */
class DenseEndings {
  /** This object, for loops that read its tables, since a call for each look-up would take longer. `SparseEndings` have no tables. */
  readonly dense = this;
  readonly #bits: number;
  readonly #edges: Edges;
  readonly #stopper: Stopper;
  readonly #isLastNeeded: boolean;
  #counts: Uint16Array | Uint32Array | undefined;
  #firsts: Uint16Array | Uint32Array | undefined;

  constructor(edges: Edges, stopper: Stopper, isLastNeeded: boolean) {
    this.#edges = edges;
    this.#stopper = stopper;
    this.#isLastNeeded = isLastNeeded;
    this.#bits = edges.bits;
  }

  /** By state, how many edges cover the need. */
  get counts(): Uint16Array | Uint32Array {
    if (this.#counts === undefined) {
      this.#counts = coverCounts(this.#edges, this.#stopper);
      const spots = this.#edges.from.length - 1;
      if (this.#isLastNeeded) for (let spot = 0; spot < spots; spot++) this.#counts[spot << this.#bits] = 0;
    }
    return this.#counts;
  }

  /** By state, the first such edge, which is the lightest, plus one; 0 where there is none. */
  get firsts(): Uint16Array | Uint32Array {
    this.#firsts ??= this.#firstCovering();
    return this.#firsts;
  }

  /** How many edges from `spot` cover `need`. */
  count(spot: number, need: number): number {
    return this.counts[(spot << this.#bits) | need]!;
  }

  /** The lightest edge from `spot` that covers `need`; −1 if there is none. */
  first(spot: number, need: number): number {
    return this.firsts[(spot << this.#bits) | need]! - 1;
  }

  /** Leaves out needs with the bit of the spot, which are half of all: a chain has covered the spot that it ends on. */
  #firstCovering(): Uint16Array | Uint32Array {
    const { bits, from, masks } = this.#edges;
    const Narrow = masks.length < 2 ** 16 - 1 ? Uint16Array : Uint32Array;
    const firsts = new Narrow((from.length - 1) << bits);
    for (let spot = 0; spot < from.length - 1; spot++) {
      const base = spot << bits;
      let steps = from[spot + 1]! - from[spot]!;
      for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
        const others = masks[edge]! & ~(1 << spot);
        // Dominated: an earlier edge covers all that this one does.
        if (firsts[base | others] !== 0) continue;
        steps += 1 << popcount(others);
        // Every need that the edge covers: the subsets of its mask, down to the empty one.
        for (let need = others; ; need = (need - 1) & others) {
          const known = firsts[base | need]!;
          // If `known` is 0, `edge + 1`: `(known - 1) >> 31` is −1 then and 0 otherwise. A branch would often be predicted wrongly.
          firsts[base | need] = known | ((edge + 1) & ((known - 1) >> 31));
          if (need === 0) break;
        }
      }
      this.#stopper.step(steps);
    }
    return firsts;
  }
}

/** Edges of a spot that cover a bit, and their masks. */
interface Covering {
  readonly edges: Uint32Array;
  readonly masks: Int32Array;
}

/** The same without tables: a look-up goes through the edges that cover the rarest bit of the need. */
export class SparseEndings {
  readonly dense = undefined;
  readonly #edges: CoverEdges;
  readonly #isLastNeeded: boolean;
  /** By spot, then by bit; see `#coveringOf`. */
  readonly #covering: (readonly Covering[])[] = [];

  constructor(edges: CoverEdges, isLastNeeded = false) {
    this.#edges = edges;
    this.#isLastNeeded = isLastNeeded;
  }

  count(spot: number, need: number): number {
    if (need === 0 && this.#isLastNeeded) return 0;
    const { masks } = this.#rarest(spot, need);
    let count = 0;
    for (let at = 0; at < masks.length; at++) if ((masks[at]! & need) === need) count++;
    return count;
  }

  first(spot: number, need: number): number {
    const { masks, edges } = this.#rarest(spot, need);
    for (let at = 0; at < masks.length; at++) if ((masks[at]! & need) === need) return edges[at]!;
    return -1;
  }

  /** The edges that cover the rarest bit of the need, or all edges for a need of 0. */
  #rarest(spot: number, need: number): Covering {
    this.#covering[spot] ??= this.#coveringOf(spot);
    const covering = this.#covering[spot];
    let best = covering.at(-1)!;
    for (let rest = need; rest !== 0; rest &= rest - 1) {
      const own = covering[lowest(rest)]!;
      if (own.masks.length < best.masks.length) best = own;
    }
    return best;
  }

  /** By bit, the edges of a spot that cover it; after the last bit, all edges of the spot. */
  #coveringOf(spot: number): readonly Covering[] {
    const { bits, from, masks } = this.#edges;
    const sizes = new Uint32Array(bits + 1);
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++)
      for (let rest = masks[edge]! | (1 << bits); rest !== 0; rest &= rest - 1) sizes[lowest(rest)]!++;
    const covering = Array.from(sizes, (size) => ({
      edges: new Uint32Array(size),
      masks: new Int32Array(size),
    }));
    sizes.fill(0);
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
      for (let rest = masks[edge]! | (1 << bits); rest !== 0; rest &= rest - 1) {
        const bit = lowest(rest);
        covering[bit]!.edges[sizes[bit]!] = edge;
        covering[bit]!.masks[sizes[bit]!++] = masks[edge]!;
      }
    }
    return covering;
  }
}

/** Memory of `coverCounts`: by mask, how many edges of the current spot have just that mask. All 0 between spots. */
const times = new Uint32Array(2 ** MAX_TABLE_BITS);

interface MasksBySpot extends Pick<Edges, 'bits' | 'full' | 'from' | 'masks'> {
  /** How many groups of `from` each spot has, of which only the first is counted; 1 by default. */
  readonly groupsPerSpot?: number;
}

/**
 * By state, at `(spot << bits) | need`, how many edges from the spot cover the need: each edge counts for all subsets of its mask.
 * Needs with the bit of the spot are left out, as in `DenseEndings`.
 *
 * @param zeroes a table to fill, for fewer than 2^16 masks; a new one by default
 */
export function coverCounts(
  { bits, full, from, masks, groupsPerSpot = 1 }: MasksBySpot,
  stopper: Stopper,
  zeroes?: Uint16Array,
): Uint16Array | Uint32Array {
  const spots = (from.length - 1) / groupsPerSpot;
  const Narrow = masks.length < 2 ** 16 ? Uint16Array : Uint32Array;
  const counts = zeroes ?? new Narrow(spots << bits);
  for (let spot = 0; spot < spots; spot++) {
    const begin = from[groupsPerSpot * spot]!;
    const end = from[groupsPerSpot * spot + 1]!;
    const base = spot << bits;
    const others = full & ~(1 << spot);
    for (let edge = begin; edge < end; edge++) times[masks[edge]! & others]!++;
    let steps = end - begin;
    for (let edge = begin; edge < end; edge++) {
      const covered = masks[edge]! & others;
      const count = times[covered]!;
      if (count === 0) continue;
      times[covered] = 0;
      // Four subsets at a time: each subset of the other bits with none, one and both of the lowest two bits.
      const one = covered & -covered;
      const two = (covered ^ one) & -(covered ^ one);
      if (two === 0) {
        counts[base]! += count;
        if (one !== 0) counts[base | one]! += count;
        steps += 2;
        continue;
      }
      const rest = covered ^ one ^ two;
      for (let need = rest; ; need = (need - 1) & rest) {
        const at = base | need;
        counts[at]! += count;
        counts[at | one]! += count;
        counts[at | two]! += count;
        counts[at | one | two]! += count;
        steps += 4;
        if (need === 0) break;
      }
    }
    stopper.step(steps);
  }
  return counts;
}
