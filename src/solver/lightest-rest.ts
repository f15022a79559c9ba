import type { Finisher } from './finish.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/** What the lightest words weigh that finish a chain: exactly, and kept. */
export class LightestRest {
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #stopper: Stopper;
  readonly #known: Map<number, number>[] = [];
  /** What two last words weigh, by the place of the dense table. */
  #pairs: Float64Array | undefined;
  #useful: UsefulEdges | undefined;

  constructor(table: WordTable, finisher: Finisher, stopper: Stopper) {
    this.#table = table;
    this.#finisher = finisher;
    this.#stopper = stopper;
  }

  /** Weight of the lightest `left` words that go on from a node and cover the need. */
  of(node: number, need: number, left: number): number {
    if (left === 0) return need === 0 ? 0 : Infinity;
    if (left === 1) {
      const edge = this.#finisher.first(node, need);
      return edge < 0 ? Infinity : this.#table.weights[edge]!;
    }
    const { dense } = this.#finisher;
    const { bits, from, ends, masks, weights, lightest, fields } = this.#table;
    if (left === 2 && dense !== undefined && fields.length === 0)
      return this.#lightestPair(node, need, dense.firsts);
    this.#known[left] ??= new Map();
    const known = this.#known[left];
    const key = node * 2 ** bits + need;
    const found = known.get(key);
    if (found !== undefined) return found;
    const tailLeast = (left - 1) * lightest;
    const end = from[node + 1]!;
    this.#stopper.step(end - from[node]!);
    let best = Infinity;
    for (let edge = from[node]!; edge < end; edge++) {
      const weight = weights[edge]!;
      if (weight + tailLeast >= best) break;
      const total = weight + this.of(ends[edge]!, this.#table.rest(need, masks[edge]!), left - 1);
      if (total < best) best = total;
    }
    if (known.size < MOST_KNOWN) known.set(key, best);
    return best;
  }

  /** The same for two words, where the table of last words tells at a glance what is left to weigh. */
  #lightestPair(node: number, need: number, firsts: Uint16Array | Uint32Array): number {
    const { bits, weights: weightOf, lightest } = this.#table;
    const place = (node << bits) | need;
    this.#pairs ??= new Float64Array(firsts.length);
    const known = this.#pairs[place]!;
    if (known > 0) return known;
    this.#useful ??= usefulEdges(this.#table);
    const { from, keys, weights } = this.#useful;
    const end = from[node + 1]!;
    this.#stopper.step(end - from[node]!);
    const needs = need | (-1 << bits);
    let best = Infinity;
    for (let at = from[node]!; at < end; at++) {
      const weight = weights[at]!;
      if (weight + lightest >= best) break;
      const last = firsts[needs & keys[at]!]!;
      if (last !== 0 && weight + weightOf[last - 1]! < best) best = weight + weightOf[last - 1]!;
    }
    this.#pairs[place] = best;
    return best;
  }
}

/** What is known of chains' rests is kept for this many of them, so that memory stays bounded. */
const MOST_KNOWN = 1_000_000;

/** Edges by node, lightest first, that no lighter one with the same ends covers: the others begin no lightest pair. */
interface UsefulEdges {
  readonly from: Uint32Array;
  /** The node it ends on, shifted past the bits, and the bits that it leaves of any need. */
  readonly keys: Int32Array;
  readonly weights: Float64Array;
}

function usefulEdges({ bits, full, from, ends, masks, weights }: WordTable): UsefulEdges {
  const nodes = from.length - 1;
  const useful = {
    from: new Uint32Array(nodes + 1),
    keys: new Int32Array(masks.length),
    weights: new Float64Array(masks.length),
  };
  let kept = 0;
  // Of the edges kept from a node, by the node they end on: the latest, and for each the one before it.
  const latest = new Int32Array(nodes);
  const before = new Int32Array(masks.length);
  for (let node = 0; node < nodes; node++) {
    latest.fill(-1);
    for (let edge = from[node]!; edge < from[node + 1]!; edge++) {
      const end = ends[edge]!;
      const rest = full & ~masks[edge]!;
      let other = latest[end]!;
      while (other >= 0 && (useful.keys[other]! & full & ~rest) !== 0) other = before[other]!;
      if (other >= 0) continue;
      useful.keys[kept] = (end << bits) | rest;
      useful.weights[kept] = weights[edge]!;
      before[kept] = latest[end]!;
      latest[end] = kept++;
    }
    useful.from[node + 1] = kept;
  }
  return useful;
}
