/** The words of a node, as a range of all words. */
export interface WordsOfNode {
  readonly begin: number;
  readonly end: number;
  /** Bits that are never needed on this node: needs with them are not counted for. */
  readonly own: number;
}

/**
 * At `(node << bits) | need`, how many words of a node cover a need: each counts for all subsets of what it covers.
 * The numbers are narrow, so that the tables of a 4×3 board stay in the fast caches.
 *
 * @param rests of each word, the bits that it does not cover; those above `bits` do not matter
 */
export function coverCounts(
  bits: number,
  rests: Int32Array,
  nodes: readonly WordsOfNode[],
): Uint16Array | Uint32Array {
  const Narrow = rests.length < 2 ** 16 ? Uint16Array : Uint32Array;
  const counts = new Narrow(nodes.length << bits);
  // Words of a node that cover the same go in together.
  const times = new Narrow(1 << bits);
  for (let node = 0; node < nodes.length; node++) {
    const { begin, end, own } = nodes[node]!;
    const base = node << bits;
    const others = (2 ** bits - 1) & ~own;
    for (let word = begin; word < end; word++) times[~rests[word]! & others]!++;
    for (let word = begin; word < end; word++) {
      const covered = ~rests[word]! & others;
      const count = times[covered]!;
      if (count === 0) continue;
      times[covered] = 0;
      for (let need = covered; ; need = (need - 1) & covered) {
        counts[base | need]! += count;
        if (need === 0) break;
      }
    }
  }
  return counts;
}
