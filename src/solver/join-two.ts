import { grown } from './columns.ts';
import { groupBy } from './group.ts';
import { SubsetTable } from './subset-table.ts';
import type { WordTable } from './table.ts';

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
export function joinTwo(table: WordTable): JoinedPairs {
  const { from, ends, masks, full, bits } = table;
  const nodes = from.length - 1;
  const { from: intoFrom, items: into } = groupBy(ends, nodes);
  const coverable = new SubsetTable(bits);
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
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const first = into[at]!;
      const need = full & ~masks[first]!;
      if (!coverable.has(need)) continue;
      for (let second = begin; second < end; second++) {
        if ((masks[second]! & need) !== need) continue;
        if (size === firsts.length && size < MOST_LISTED) {
          firsts = grown(firsts, new Uint32Array(2 * size));
          seconds = grown(seconds, new Uint32Array(2 * size));
        }
        firsts[size] = first;
        seconds[size++] = second;
      }
    }
  }
  const listed = Math.min(size, MOST_LISTED);
  return { size, firsts: firsts.subarray(0, listed), seconds: seconds.subarray(0, listed) };
}

const ROOM = 256;
const MOST_LISTED = 2 ** 14;
