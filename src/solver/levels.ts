import { groupBy, SubsetTable } from './bits.ts';
import type { Edges, Stopper } from './edges.ts';
import { LastTwo, type OpenEdges, SparseEndings, undominatedEdges } from './endings.ts';
import type { Problem } from './problem.ts';

/** Up to this many chains, closing a table to find the dominated ones takes longer than it saves. */
const FEW = 1_000;

/** What chains of one number of words that end on one spot cover, and the patterns of that. */
interface Chains {
  readonly masks: Int32Array;
  readonly patterns: Uint16Array;
}

/**
 * Whether chains of a given number of words exist on a large board, proven either way, level by level: a level holds what the
 * chains of one number of words cover, by the spot that they end on, without the dominated ones, which cover no more than
 * another one. These are a few thousand even on boards of 25 letters, and the last two words are looked up. So the work grows
 * with (words × chains kept) and never with the number of solutions.
 */
export class Levels {
  readonly #full: number;
  /** What chains of no word cover, by spot. */
  readonly #starts: readonly number[][];
  readonly #stopper: Stopper;
  readonly #edges: LinkedEdges;
  /** By edge. */
  readonly #patterns: Uint16Array;
  readonly #lastTwo: LastTwo;
  readonly #endings: SparseEndings;
  readonly #table: SubsetTable;
  /** By number of words and by spot. */
  readonly #levels: (readonly Chains[])[] = [];

  constructor({ edges, starts, stopper }: Problem) {
    this.#full = edges.full;
    this.#starts = Array.from({ length: edges.from.length - 1 }, () => []);
    for (const { spot, need } of starts.flat()) this.#starts[spot]!.push(edges.full & ~need);
    this.#stopper = stopper;
    this.#edges = linkedEdges(edges, stopper);
    this.#lastTwo = new LastTwo(this.#edges);
    this.#patterns = Uint16Array.from(this.#edges.masks, (mask) => this.#lastTwo.patternOf(mask));
    this.#endings = new SparseEndings(this.#edges);
    // A chain covers the spot that it ends on, whose bit needs no place in the table.
    this.#table = new SubsetTable(edges.bits - 1);
  }

  /** A chain of this many words (at least 2) that covers everything, as edges; undefined if there is none. */
  find(words: number): readonly number[] | undefined {
    const { from, ends, numbers } = this.#edges;
    for (let spot = 0; spot < from.length - 1; spot++) {
      for (const covered of this.#extended(words - 2, spot, this.#lastTwo.patternsFrom(spot))) {
        let found: readonly number[] | undefined;
        const looked = this.#lastTwo.each(spot, this.#full & ~covered, (edge, rest) => {
          const last = found === undefined ? this.#endings.first(ends[edge]!, rest) : -1;
          if (last >= 0) found = [edge, last];
        });
        this.#stopper.step(looked);
        if (found !== undefined)
          return [...this.#chainTo(words - 2, spot, covered), ...found].map((edge) => numbers[edge]!);
      }
    }
    return undefined;
  }

  #level(words: number): readonly Chains[] {
    this.#levels[words] ??= Array.from({ length: this.#edges.from.length - 1 }, (_, spot) => {
      const masks = this.#extended(words, spot);
      return {
        masks: Int32Array.from(masks),
        patterns: Uint16Array.from(masks, (mask) => this.#lastTwo.patternOf(mask)),
      };
    });
    return this.#levels[words];
  }

  /**
   * What chains of this many words that end on a spot cover.
   *
   * @param useful by pattern, whether the words after them can cover it: chains that leave any other one are left out
   */
  #extended(words: number, spot: number, useful?: Uint8Array): number[] {
    if (words === 0) return this.#starts[spot]!;
    const { into, intoFrom, starts, masks } = this.#edges;
    const before = this.#level(words - 1);
    const low = (1 << spot) - 1;
    const places: number[] = [];
    this.#table.clear();
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      const chains = before[starts[edge]!]!;
      this.#stopper.step(chains.masks.length);
      for (let index = 0; index < chains.masks.length; index++) {
        if (useful?.[~(chains.patterns[index]! | this.#patterns[edge]!) & this.#lastTwo.all] === 0) continue;
        const covered = chains.masks[index]! | masks[edge]!;
        const place = (covered & low) | ((covered >>> (spot + 1)) << spot);
        if (this.#table.add(place)) places.push(place);
      }
    }
    return this.#maximal(places).map(
      (place) => (place & low) | ((place >>> spot) << (spot + 1)) | (1 << spot),
    );
  }

  /** Without places that are subsets of others, unless they are few. */
  #maximal(places: number[]): number[] {
    if (places.length <= FEW) return places;
    this.#stopper.step(this.#table.cost);
    this.#table.close();
    return places.filter((place) => this.#table.isMaximal(place));
  }

  /** Edges of a chain of a level that covers this and ends on the spot. */
  #chainTo(words: number, spot: number, covered: number): number[] {
    if (words === 0) return [];
    const { into, intoFrom, starts, masks } = this.#edges;
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      for (const earlier of this.#level(words - 1)[starts[edge]!]!.masks)
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
