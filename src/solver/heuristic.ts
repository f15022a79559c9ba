import type { Edges, Stopper } from './edges.ts';
import type { Endings } from './endings.ts';
import { WEIGHT_OF_COST, WEIGHT_OF_WORD } from './playable.ts';

/** The cost of no chain at all: more than any other, and two of it fit a 32-bit number. */
const NONE = 2 ** 29;

/** Edges by the spot they start on. */
interface KeyedEdges {
  readonly from: Uint32Array;
  /** The spot it ends on, above the bits that it does not cover: ANDed with a need, it is the next state. */
  readonly keys: Int32Array;
  /** The part of its weight that tells of its likelihood. */
  readonly costs: Int32Array;
}

/**
 * What the last words of a chain weigh at least, on boards so small that all states are in tables. It is exact but for the
 * letters of the words, which break ties only.
 */
export class Heuristic {
  readonly #bits: number;
  readonly #edges: KeyedEdges;
  readonly #useful: KeyedEdges;
  readonly #endings: Endings;
  readonly #weights: Float64Array;
  readonly #stopper: Stopper;
  /** By the number of words and by state, the least cost plus one; 0 where it is not known. */
  readonly #known: Int32Array[] = [];

  constructor(edges: Edges, endings: Endings, stopper: Stopper) {
    this.#bits = edges.bits;
    this.#edges = keyedEdges(edges);
    this.#useful = undominatedEdges(edges, this.#edges, stopper);
    this.#endings = endings;
    this.#weights = edges.weights;
    this.#stopper = stopper;
  }

  /** Infinity if no `left` words go on from the spot and cover the need. */
  least(spot: number, need: number, left: number): number {
    if (left > 1) {
      const cost = this.#leastCost((spot << this.#bits) | need, left);
      return cost === NONE ? Infinity : cost * WEIGHT_OF_COST + left * WEIGHT_OF_WORD;
    }
    const edge = this.#endings.first(spot, need);
    return edge < 0 ? Infinity : this.#weights[edge]!;
  }

  #leastCost(state: number, left: number): number {
    this.#known[left] ??= new Int32Array((this.#edges.from.length - 1) << this.#bits);
    const known = this.#known[left];
    if (known[state] === 0) known[state] = 1 + (left === 2 ? this.#joinTwo(state) : this.#join(state, left));
    return known[state]! - 1;
  }

  /** The table of last edges tells at once what a second edge costs. */
  #joinTwo(state: number): number {
    const { from, keys, costs } = this.#useful;
    const { costs: costOf } = this.#edges;
    const { firsts } = this.#endings.dense!;
    const spot = state >>> this.#bits;
    const open = state | (-1 << this.#bits);
    const end = from[spot + 1]!;
    let best = NONE;
    let edge = from[spot]!;
    for (; edge < end && costs[edge]! < best; edge++) {
      const last = firsts[open & keys[edge]!]!;
      if (last !== 0 && costs[edge]! + costOf[last - 1]! < best) best = costs[edge]! + costOf[last - 1]!;
    }
    this.#stopper.step(edge - from[spot]!);
    return best;
  }

  #join(state: number, left: number): number {
    const { from, keys, costs } = this.#useful;
    const spot = state >>> this.#bits;
    const open = state | (-1 << this.#bits);
    const end = from[spot + 1]!;
    let best = NONE;
    let edge = from[spot]!;
    for (; edge < end && costs[edge]! < best; edge++)
      best = Math.min(best, costs[edge]! + this.#leastCost(open & keys[edge]!, left - 1));
    this.#stopper.step(edge - from[spot]!);
    return best;
  }
}

function keyedEdges({ from, ends, masks, weights, bits, full }: Edges): KeyedEdges {
  const keys = new Int32Array(masks.length);
  const costs = new Int32Array(masks.length);
  for (let edge = 0; edge < masks.length; edge++) {
    keys[edge] = (ends[edge]! << bits) | (full & ~masks[edge]!);
    costs[edge] = Math.floor(weights[edge]! / WEIGHT_OF_COST);
  }
  return { from, keys, costs };
}

/** Edges without dominated ones: where a lighter edge with the same ends covers all that they do. */
function undominatedEdges(
  { from, ends, masks }: Edges,
  { keys, costs }: KeyedEdges,
  stopper: Stopper,
): KeyedEdges {
  const kept = { from: new Uint32Array(from.length), keys: keys.slice(), costs: costs.slice() };
  // By the spot they end on, the latest edge that was kept, and of each edge the one kept before it; −1 for none.
  const latest = new Int32Array(from.length);
  const before = new Int32Array(masks.length);
  let size = 0;
  for (let spot = 0; spot < from.length - 1; spot++) {
    latest.fill(-1);
    let steps = from[spot + 1]! - from[spot]!;
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
      let other = latest[ends[edge]!]!;
      for (; other >= 0 && (masks[edge]! & ~masks[other]!) !== 0; other = before[other]!) steps++;
      if (other >= 0) continue;
      before[edge] = latest[ends[edge]!]!;
      latest[ends[edge]!] = edge;
      kept.keys[size] = keys[edge]!;
      kept.costs[size++] = costs[edge]!;
    }
    stopper.step(steps);
    kept.from[spot + 1] = size;
  }
  return kept;
}
