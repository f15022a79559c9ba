/** Items sorted by the group they are in, those of one group in their own order. */
export interface Groups {
  /** The items of group g are `items[from[g]]` to `items[from[g + 1]]`, the last not included. */
  readonly from: Uint32Array;
  readonly items: Uint32Array;
}

/** @example groupBy([1, 0, 1], 2) // from 0, 1, 3; items 1, 0, 2 */
export function groupBy(groupOf: ArrayLike<number>, groups: number): Groups {
  const next = new Uint32Array(groups + 1);
  for (let item = 0; item < groupOf.length; item++) next[groupOf[item]! + 1]!++;
  for (let group = 0; group < groups; group++) next[group + 1]! += next[group]!;
  const from = next.slice();
  const items = new Uint32Array(groupOf.length);
  for (let item = 0; item < groupOf.length; item++) items[next[groupOf[item]!]!++] = item;
  return { from, items };
}
