import { groupBy, SubsetTable } from './bits.ts';
import { type Edges, type State, Stopped, type Stopper } from './edges.ts';
import { LastTwo, type OpenEdges, SparseEndings, undominatedEdges } from './endings.ts';
import type { Problem } from './problem.ts';

/** Tables for more bits would take more than 8 MB. */
const MOST_BITS = 27;

/**
 * Whether chains of a given number of words exist on a large board, proven either way, level by level: a level holds what the
 * chains of one number of words cover, by the spot that they end on, without the dominated ones, which cover no more than
 * another one. These are a few thousand even on boards of 25 letters, and the last two words are looked up. So the work grows
 * with (words × chains kept) and never with the number of solutions.
 */
export class Levels {
  readonly #full: number;
  readonly #starts: readonly State[];
  readonly #stopper: Stopper;
  readonly #edges: LinkedEdges;
  readonly #lastTwo: LastTwo;
  readonly #endings: SparseEndings;
  readonly #table: SubsetTable;
  /** By number of words and by spot, as masks. */
  readonly #levels: (readonly Int32Array[])[] = [];

  constructor({ edges, starts, stopper }: Problem) {
    if (edges.bits > MOST_BITS) throw new Stopped('size');
    this.#full = edges.full;
    this.#starts = starts.flat();
    this.#stopper = stopper;
    this.#edges = linkedEdges(edges, stopper);
    this.#lastTwo = new LastTwo(this.#edges);
    this.#endings = new SparseEndings(this.#edges);
    // A chain covers the spot that it ends on, whose bit needs no place in the table.
    this.#table = new SubsetTable(edges.bits - 1);
  }

  /** A chain of this many words (at least 2) that covers everything, as edges; undefined if there is none. */
  find(words: number): readonly number[] | undefined {
    const { ends, numbers } = this.#edges;
    for (const [spot, chains] of this.#level(words - 2).entries()) {
      for (const covered of chains) {
        let found: readonly number[] | undefined;
        const looked = this.#lastTwo.each(spot, this.#full & ~covered, (edge, rest) => {
          if (found !== undefined) return;
          const last = this.#endings.first(ends[edge]!, rest);
          if (last >= 0) found = [edge, last];
        });
        this.#stopper.step(looked);
        if (found !== undefined)
          return [...this.#chainTo(words - 2, spot, covered), ...found].map((edge) => numbers[edge]!);
      }
    }
    return undefined;
  }

  #level(words: number): readonly Int32Array[] {
    this.#levels[words] ??= Array.from({ length: this.#edges.from.length - 1 }, (_, spot) => {
      if (words > 0) return Int32Array.from(this.#extended(this.#level(words - 1), spot));
      const starts = this.#starts.filter((state) => state.spot === spot);
      return Int32Array.from(starts, ({ need }) => this.#full & ~need);
    });
    return this.#levels[words];
  }

  /** What the chains of a level cover after one more word, which ends on a spot. */
  #extended(before: readonly Int32Array[], spot: number): number[] {
    const { into, intoFrom, starts, masks } = this.#edges;
    const low = (1 << spot) - 1;
    const places: number[] = [];
    this.#table.clear();
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      const chains = before[starts[edge]!]!;
      this.#stopper.step(chains.length);
      for (let index = 0; index < chains.length; index++) {
        const covered = chains[index]! | masks[edge]!;
        const place = (covered & low) | ((covered >>> (spot + 1)) << spot);
        if (this.#table.add(place)) places.push(place);
      }
    }
    this.#stopper.step(this.#table.cost);
    this.#table.close();
    return places
      .filter((place) => this.#table.isMaximal(place))
      .map((place) => (place & low) | ((place >>> spot) << (spot + 1)) | (1 << spot));
  }

  /** Edges of a chain of a level that covers this and ends on the spot. */
  #chainTo(words: number, spot: number, covered: number): number[] {
    if (words === 0) return [];
    const { into, intoFrom, starts, masks } = this.#edges;
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      for (const earlier of this.#level(words - 1)[starts[edge]!]!)
        if ((covered & ~(earlier | masks[edge]!)) === 0)
          return [...this.#chainTo(words - 1, starts[edge]!, earlier), edge];
    }
    throw new Error('a kept chain has lost its words');
  }
}

/** Edges by the spot they start on and by the one they end on. */
interface LinkedEdges extends OpenEdges {
  readonly starts: Uint8Array;
  /** Their numbers among all edges. */
  readonly numbers: Uint32Array;
  readonly intoFrom: Uint32Array;
  readonly into: Uint32Array;
}

function linkedEdges(edges: Edges, stopper: Stopper): LinkedEdges {
  const { from, numbers } = undominatedEdges(edges, stopper);
  const spots = from.length - 1;
  const starts = new Uint8Array(numbers.length);
  for (let spot = 0; spot < spots; spot++) starts.fill(spot, from[spot]!, from[spot + 1]!);
  const ends = Uint8Array.from(numbers, (edge) => edges.ends[edge]!);
  const masks = Int32Array.from(numbers, (edge) => edges.masks[edge]!);
  const { from: intoFrom, items: into } = groupBy(ends, spots);
  return { bits: edges.bits, from, starts, ends, masks, numbers, intoFrom, into };
}
