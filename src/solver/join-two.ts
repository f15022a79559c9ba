import { popcount } from './bits.ts';
import { grown } from './columns.ts';
import { groupBy } from './group.ts';
import { SubsetTable } from './subset-table.ts';

/** Words as edges: those that start on node n are the ones from `from[n]` to `from[n + 1]`. */
export interface Edges {
  readonly from: Uint32Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  /** How many bits a mask has, and all of them. */
  readonly bits: number;
  readonly full: number;
}

/** Two-word chains that cover everything, as columns of edges. */
export interface JoinedPairs {
  /** How many there are; columns shorter than this do not hold them all. */
  readonly size: number;
  readonly firsts: Uint32Array;
  readonly seconds: Uint32Array;
}

/**
 * Every two words that solve a small board of distinct letters. For each letter that joins two words, one small
 * table tells of which words before it some word after it covers the rest: mostly few. Takes at most as many steps
 * as there are pairs of words that meet.
 */
export function joinTwo({ from, ends, masks, full, bits }: Edges): JoinedPairs {
  const nodes = from.length - 1;
  const { from: intoFrom, items: into } = groupBy(ends, nodes);
  const coverable = new SubsetTable(bits);
  const widest = new WidestFirst(masks, bits);
  const { edges: wideEdges, masks: wideMasks } = widest;
  let firsts = new Uint32Array(ROOM);
  let seconds = new Uint32Array(ROOM);
  let size = 0;
  for (let node = 0; node < nodes; node++) {
    const begin = from[node]!;
    const end = from[node + 1]!;
    if (begin === end || intoFrom[node] === intoFrom[node + 1]) continue;
    coverable.clear();
    for (let edge = begin; edge < end; edge++) coverable.add(masks[edge]!);
    coverable.close();
    widest.sort(begin, end);
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const first = into[at]!;
      const need = full & ~masks[first]!;
      if (!coverable.has(need)) continue;
      const wideEnough = widest.atLeast(popcount(need));
      for (let place = 0; place < wideEnough; place++) {
        if ((wideMasks[place]! & need) !== need) continue;
        if (size === firsts.length && size < MOST_LISTED) {
          firsts = grown(firsts, new Uint32Array(4 * size));
          seconds = grown(seconds, new Uint32Array(4 * size));
        }
        firsts[size] = first;
        seconds[size++] = wideEdges[place]!;
      }
    }
  }
  const listed = Math.min(size, firsts.length);
  return { size, firsts: firsts.subarray(0, listed), seconds: seconds.subarray(0, listed) };
}

const ROOM = 256;
/** Far more than boards like the newspaper's have: theirs with common letters on the best sides have 30,000. */
const MOST_LISTED = 2 ** 16;

/** The edges of one node, those that cover most first: a word can only cover what it is wide enough for. */
class WidestFirst {
  readonly edges: Uint32Array;
  readonly masks: Int32Array;
  readonly #masks: Int32Array;
  readonly #widths: Uint8Array;
  /** `#reach[width]`: how many cover at least so much. */
  readonly #reach: Uint32Array;

  constructor(masks: Int32Array, bits: number) {
    this.#masks = masks;
    this.#widths = new Uint8Array(masks.length);
    for (let edge = 0; edge < masks.length; edge++) this.#widths[edge] = popcount(masks[edge]!);
    this.#reach = new Uint32Array(bits + 2);
    this.edges = new Uint32Array(masks.length);
    this.masks = new Int32Array(masks.length);
  }

  sort(begin: number, end: number): void {
    const { edges, masks } = this;
    const widths = this.#widths;
    const allMasks = this.#masks;
    const reach = this.#reach.fill(0);
    for (let edge = begin; edge < end; edge++) reach[widths[edge]!]!++;
    for (let width = reach.length - 2; width >= 0; width--) reach[width]! += reach[width + 1]!;
    const next = reach.slice(1);
    for (let edge = begin; edge < end; edge++) {
      const place = next[widths[edge]!]!++;
      edges[place] = edge;
      masks[place] = allMasks[edge]!;
    }
  }

  atLeast(width: number): number {
    return this.#reach[width]!;
  }
}
