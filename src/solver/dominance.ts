import { popcount } from './bits.ts';
import { groupBy } from './group.ts';
import type { Patterns } from './patterns.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/** Edges that no other edge with the same ends covers, by the node they start on and by the one they end on. */
export interface Reduced {
  readonly starts: Uint8Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  readonly patterns: Uint16Array;
  /** The edge in the table of words. */
  readonly edges: Uint32Array;
  readonly fromNode: Uint32Array;
  readonly intoFrom: Uint32Array;
  readonly into: Uint32Array;
}

/** The edges of a table without those that another one makes useless. */
export function reduceEdges({ from, ends, masks }: WordTable, patterns: Patterns, stopper: Stopper): Reduced {
  const nodes = from.length - 1;
  const kept: number[] = [];
  const fromNode = new Uint32Array(nodes + 1);
  for (let node = 0; node < nodes; node++) {
    const byEnd = groupBy(ends.subarray(from[node]!, from[node + 1]!), nodes);
    for (let end = 0; end < nodes; end++) {
      // Edges are lightest first: of equal masks the first is kept.
      const byMask = new Map<number, number>();
      for (let at = byEnd.from[end + 1]! - 1; at >= byEnd.from[end]!; at--) {
        const edge = byEnd.items[at]! + from[node]!;
        byMask.set(masks[edge]!, edge);
      }
      for (const mask of undominated([...byMask.keys()], stopper)) kept.push(byMask.get(mask)!);
    }
    fromNode[node + 1] = kept.length;
  }
  const edges = Uint32Array.from(kept);
  const starts = new Uint8Array(edges.length);
  for (let node = 0; node < nodes; node++) starts.fill(node, fromNode[node]!, fromNode[node + 1]!);
  const endOf = Uint8Array.from(edges, (edge) => ends[edge]!);
  const { from: intoFrom, items: into } = groupBy(endOf, nodes);
  const maskOf = Int32Array.from(edges, (edge) => masks[edge]!);
  const patternOf = Uint16Array.from(maskOf, (mask) => patterns.of(mask));
  return { starts, ends: endOf, masks: maskOf, patterns: patternOf, edges, fromNode, intoFrom, into };
}

/** Of masks, those that no other one covers; each once, and larger ones first. */
export function undominated(masks: ArrayLike<number>, stopper: Stopper): number[] {
  // What covers another is larger, so it comes before it.
  const sorted = [...new Set(Array.from(masks))].sort((a, b) => popcount(b) - popcount(a));
  const kept: number[] = [];
  for (const mask of sorted) {
    let isCovered = false;
    for (let at = 0; at < kept.length && !isCovered; at++) isCovered = (mask & ~kept[at]!) === 0;
    if (!isCovered) kept.push(mask);
  }
  stopper.step(sorted.length + kept.length ** 2 / 8);
  return kept;
}
