import { undominatedEdges } from './edges.ts';
import { WEIGHT_OF_COST, WEIGHT_OF_WORD } from './playable.ts';
import type { Problem } from './problem.ts';

/** The cost of no chain at all: more than any other, and two of it fit a 32-bit number. */
const NO_CHAIN = 2 ** 29;

/**
 * The least weight of the last words of a chain, by state, on boards so small that `endings.dense` exists. For two words or
 * more, it leaves out their number of letters, which only breaks ties. A cost also leaves out the number of words.
 */
export class Heuristic {
  readonly #problem: Problem;
  /** By edge. */
  readonly #costOf: Int32Array;
  /** The undominated edges of each spot, sorted by cost: where they begin, their costs, and their `Problem.keys`. */
  readonly #from: Uint32Array;
  readonly #costs: Int32Array;
  readonly #keys: Int32Array;
  /** By the number of words and by state (`spot << bits | need`), the least cost plus one; 0 where it is not known. */
  readonly #known: Int32Array[] = [];

  constructor(problem: Problem) {
    const { edges, keys, stopper } = problem;
    const { from, numbers } = undominatedEdges(edges, stopper);
    this.#problem = problem;
    this.#costOf = new Int32Array(edges.weights.length);
    for (let edge = 0; edge < this.#costOf.length; edge++)
      this.#costOf[edge] = Math.floor(edges.weights[edge]! / WEIGHT_OF_COST);
    this.#from = from;
    this.#costs = new Int32Array(numbers.length);
    this.#keys = new Int32Array(numbers.length);
    for (let at = 0; at < numbers.length; at++) {
      this.#costs[at] = this.#costOf[numbers[at]!]!;
      this.#keys[at] = keys[numbers[at]!]!;
    }
  }

  /** The least weight of `left` words that go on from the spot and cover the need; Infinity if there are none. */
  least(spot: number, need: number, left: number): number {
    const { edges, endings } = this.#problem;
    if (left > 1) {
      const cost = this.#leastCost((spot << edges.bits) | need, left);
      return cost === NO_CHAIN ? Infinity : cost * WEIGHT_OF_COST + left * WEIGHT_OF_WORD;
    }
    const edge = endings.first(spot, need);
    return edge < 0 ? Infinity : edges.weights[edge]!;
  }

  #leastCost(state: number, left: number): number {
    this.#known[left] ??= new Int32Array((this.#from.length - 1) << this.#problem.edges.bits);
    const known = this.#known[left];
    if (known[state] === 0) known[state] = 1 + (left === 2 ? this.#joinTwo(state) : this.#join(state, left));
    return known[state]! - 1;
  }

  /** `#join` for two words. With a call for each edge, the whole answer takes a fifth longer on boards without a pair. */
  #joinTwo(state: number): number {
    const { edges, endings, stopper } = this.#problem;
    const { firsts } = endings.dense!;
    const costs = this.#costs;
    const keys = this.#keys;
    const costOf = this.#costOf;
    const spot = state >>> edges.bits;
    // The need with all bits above it set: `open & key` is the next state.
    const open = state | (-1 << edges.bits);
    const begin = this.#from[spot]!;
    const end = this.#from[spot + 1]!;
    let best = NO_CHAIN;
    let edge = begin;
    for (; edge < end && costs[edge]! < best; edge++) {
      // The lightest last edge from the next state, plus one; 0 if there is none.
      const last = firsts[open & keys[edge]!]!;
      if (last !== 0 && costs[edge]! + costOf[last - 1]! < best) best = costs[edge]! + costOf[last - 1]!;
    }
    stopper.step(edge - begin);
    return best;
  }

  /** The least cost of one edge and of the `left - 1` words after it. */
  #join(state: number, left: number): number {
    const { edges, stopper } = this.#problem;
    const costs = this.#costs;
    const keys = this.#keys;
    const spot = state >>> edges.bits;
    // As in `#joinTwo`.
    const open = state | (-1 << edges.bits);
    const begin = this.#from[spot]!;
    const end = this.#from[spot + 1]!;
    let best = NO_CHAIN;
    let edge = begin;
    for (; edge < end && costs[edge]! < best; edge++)
      best = Math.min(best, costs[edge]! + this.#leastCost(open & keys[edge]!, left - 1));
    stopper.step(edge - begin);
    return best;
  }
}
