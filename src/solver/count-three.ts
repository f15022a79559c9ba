import { groupBy } from './bits.ts';
import type { Edges, JoinedPairs } from './edges.ts';
import { coverCounts } from './endings.ts';
import type { Problem } from './problem.ts';

/** The memory of `countThree`, kept from board to board, since it would take longer to allocate than to fill. */
let columns = columnsOf(0);
/** The table of boards of up to twelve letters, kept for the same reason. */
const smallTable = new Uint16Array(12 << 12);

function columnsOf(edges: number) {
  const column = () => new Int32Array(edges);
  return {
    starts: new Uint8Array(edges),
    before: { masks: column(), keys: column(), rests: column() },
    after: { keys: column(), rests: column() },
  };
}

function columnsFor(edges: number): typeof columns {
  if (columns.starts.length < edges) columns = columnsOf(edges);
  return columns;
}

/**
 * The number of chains of three words on a small board of distinct letters. Each chain has a word with the rarest letter, as few
 * words do. There are three kinds of chains, by which of their words is the first to have it. For each kind, it goes through
 * the pairs of that word and a word next to it, and a table tells how many words fit in the place that is left.
 *
 * @param lasts by state, `(spot << bits) | need`, how many words from the spot cover the need
 * @param reach called with the count so far, in case the search is stopped
 */
export function countThree(
  { edges, keys, stopper }: Problem,
  lasts: Uint16Array | Uint32Array,
  reach: (total: number) => void,
): number {
  const { bits, full, from, masks } = edges;
  const spots = from.length - 1;
  const into = edgesInto(edges);
  const { starts, before, after } = columnsFor(masks.length);
  for (let spot = 0; spot < spots; spot++) starts.fill(spot, from[spot], from[spot + 1]);
  // In each pair, one word is a key, `(spot << bits) | uncovered`, and the other a rest: a mask of what it does not cover and
  // of all higher bits. `key & rest` is a state: the spot of the key, and what both leave uncovered. A key in `before` has the
  // spot on which its word begins; one in `after` or `Problem.keys`, the spot on which it ends.
  for (let at = 0; at < masks.length; at++) {
    const edge = into.items[at]!;
    const mask = masks[edge]!;
    before.masks[at] = mask;
    before.keys[at] = (starts[edge]! << bits) | (full & ~mask);
    before.rests[at] = ~mask;
  }
  // By state, how many words without the rarest letter end on the spot and cover the need: groups 0, 2, 4 … of `edgesInto`.
  const masksInto = { bits, full, from: into.from, masks: before.masks, groupsPerSpot: 2 };
  const isSmall = spots << bits <= smallTable.length && masks.length < 2 ** 16;
  const firsts = coverCounts(masksInto, stopper, isSmall ? smallTable.fill(0, 0, spots << bits) : undefined);
  let total = 0;
  // Of each pair, one word ends on this spot and the other begins there.
  for (let spot = 0; spot < spots; spot++) {
    const without = { from: into.from[2 * spot]!, to: into.from[2 * spot + 1]! };
    const having = { from: without.to, to: into.from[2 * spot + 2]! };
    const all = { from: from[spot]!, to: from[spot + 1]! };
    let size = 0;
    // The words from the spot that have the rarest letter. All are written, but `size` only grows for these: this needs no branch.
    for (let edge = all.from; edge < all.to; edge++) {
      after.keys[size] = keys[edge]!;
      after.rests[size] = ~masks[edge]!;
      size += (masks[edge]! >>> into.rarest) & 1;
    }
    stopper.step((without.to - without.from) * 2 * size + (having.to - having.from) * (all.to - all.from));
    // The first word has the rarest letter. It and any second word meet on the spot, and `lasts` counts the third words.
    total += ways(lasts, { of: before.rests, ...having }, { of: keys, ...all });
    // The second word has it, and the first one does not. They meet on the spot, and `lasts` counts the third words.
    total += ways(lasts, { of: after.keys, from: 0, to: size }, { of: before.rests, ...without });
    // Only the third word has it. The second and the third word meet on the spot, and `firsts` counts the first words without it.
    total += ways(firsts, { of: after.rests, from: 0, to: size }, { of: before.keys, ...without });
    reach(total);
  }
  return total;
}

/** The part of a column from one place to another. */
interface Span {
  readonly of: Int32Array;
  readonly from: number;
  readonly to: number;
}

/**
 * The sum of the table's entries for all pairs of a word of `some` and one of `many`, of which one is a key and the other a rest.
 * It goes through `many` once for four words of `some` at a time.
 */
function ways(
  table: Uint16Array | Uint32Array,
  { of: some, from: someFrom, to: someTo }: Span,
  { of: many, from: manyFrom, to: manyTo }: Span,
): number {
  let total = 0;
  let at = someFrom;
  for (; at + 3 < someTo; at += 4) {
    const first = some[at]!;
    const second = some[at + 1]!;
    const third = some[at + 2]!;
    const fourth = some[at + 3]!;
    for (let other = manyFrom; other < manyTo; other++) {
      const word = many[other]!;
      total += table[word & first]! + table[word & second]! + table[word & third]! + table[word & fourth]!;
    }
  }
  for (; at < someTo; at++) {
    const one = some[at]!;
    for (let other = manyFrom; other < manyTo; other++) total += table[many[other]! & one]!;
  }
  return total;
}

/** Edges by the spot that they end on: group 2s are those that end on spot s without the rarest bit, group 2s + 1 those with it. */
function edgesInto({ bits, from, ends, masks }: Edges) {
  const rarest = rarestBit(bits, masks);
  const groupOf = new Uint8Array(masks.length);
  for (let edge = 0; edge < masks.length; edge++)
    groupOf[edge] = 2 * ends[edge]! + ((masks[edge]! >>> rarest) & 1);
  return { rarest, ...groupBy(groupOf, 2 * (from.length - 1)) };
}

/** One edge in this many is looked at for the rarest bit: any rare one will do. */
const SAMPLED_ONE_IN = 16;

function rarestBit(bits: number, masks: Int32Array): number {
  const having = new Uint32Array(bits);
  for (let edge = 0; edge < masks.length; edge += SAMPLED_ONE_IN)
    for (let bit = 0; bit < bits; bit++) having[bit]! += (masks[edge]! >>> bit) & 1;
  return having.indexOf(having.reduce((least, each) => Math.min(least, each)));
}

/**
 * The number of chains of three words whose last two cover everything while their first two don't. For each pair that covers
 * everything, it counts the words that can come before it, except those that make such a pair with its first word.
 */
export function countBeforePairs({ edges, stopper }: Problem, { firsts, seconds }: JoinedPairs): number {
  if (firsts.length === 0) return 0;
  const { from, ends, masks } = edges;
  const wordsInto = new Uint32Array(from.length - 1);
  for (let edge = 0; edge < ends.length; edge++) wordsInto[ends[edge]!]!++;
  // By edge, how many words can come before it without making such a pair. Uses the memory of `countThree`, which is not running.
  const others = columnsFor(masks.length).before.keys;
  for (let spot = 0; spot < from.length - 1; spot++)
    others.fill(wordsInto[spot]!, from[spot], from[spot + 1]);
  for (let pair = 0; pair < seconds.length; pair++) others[seconds[pair]!]!--;
  let total = 0;
  for (let pair = 0; pair < firsts.length; pair++) total += others[firsts[pair]!]!;
  stopper.step(2 * firsts.length);
  return total;
}
