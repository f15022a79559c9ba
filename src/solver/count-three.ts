import { coverCounts } from './cover-counts.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/**
 * The number of chains of three words on a small board of distinct letters. A chain needs a word with the rarest letter,
 * which few words have. So chains are counted by which of their words is the first that has it: of each kind, only pairs
 * with such a word are gone through, and a table tells how many third words there are for what such a pair leaves.
 *
 * @param counting told what the count has come to, in case it is stopped
 */
export function countThree(table: WordTable, stopper: Stopper, counting: { soFar: number | bigint }): number {
  const { from, ends, masks } = table;
  const nodes = from.length - 1;
  const starts = new Uint8Array(masks.length);
  for (let node = 0; node < nodes; node++) starts.fill(node, from[node]!, from[node + 1]!);
  const rarest = rarestBit(table);
  const after = wordsOn(starts, ends, table, rarest);
  const before = wordsOn(ends, starts, table, rarest);
  const covering = ({ rests, on }: WordsOn, kind: 'all' | 'without') =>
    coverCounts(
      table.bits - 1,
      rests,
      on.map(({ begin, having, end }, node) => ({
        begin,
        end: kind === 'all' ? end : having,
        own: withoutBit(1 << node, rarest),
      })),
    );
  const lasts = covering(after, 'all');
  const firsts = covering(before, 'without');
  let total = 0;
  for (let node = 0; node < nodes; node++) {
    const into = before.on[node]!;
    const out = after.on[node]!;
    stopper.step((into.end - into.begin) * (out.end - out.having));
    total += ways(
      lasts,
      { of: before.rests, from: into.having, to: into.end },
      { of: after.keys, from: out.begin, to: out.end },
    );
    total += ways(
      lasts,
      { of: after.keys, from: out.having, to: out.end },
      { of: before.rests, from: into.begin, to: into.having },
    );
    total += ways(
      firsts,
      { of: after.rests, from: out.having, to: out.end },
      { of: before.keys, from: into.begin, to: into.having },
    );
    counting.soFar = total;
  }
  return total;
}

/** Words by the node on one of their ends. */
interface WordsOn {
  /** Of each node, where its words begin, where those of them that have the rarest letter do, and where both end. */
  readonly on: readonly { readonly begin: number; readonly having: number; readonly end: number }[];
  /** What a word leaves of the other letters, and above these bits the node on its other end. */
  readonly keys: Int32Array;
  /** The same with all bits above set: ANDed with the key of another word, it leaves that one's node. */
  readonly rests: Int32Array;
}

function wordsOn(
  nodeOf: Uint8Array,
  otherOf: Uint8Array,
  { bits, from, masks }: WordTable,
  rarest: number,
): WordsOn {
  const next = new Uint32Array(2 * from.length - 1);
  for (let edge = 0; edge < masks.length; edge++)
    next[2 * nodeOf[edge]! + ((masks[edge]! >>> rarest) & 1) + 1]!++;
  for (let group = 1; group < next.length; group++) next[group]! += next[group - 1]!;
  const on = Array.from({ length: from.length - 1 }, (_, node) => ({
    begin: next[2 * node]!,
    having: next[2 * node + 1]!,
    end: next[2 * node + 2]!,
  }));
  const keys = new Int32Array(masks.length);
  const rests = new Int32Array(masks.length);
  const others = (1 << (bits - 1)) - 1;
  for (let edge = 0; edge < masks.length; edge++) {
    const at = next[2 * nodeOf[edge]! + ((masks[edge]! >>> rarest) & 1)]!++;
    const rest = ~withoutBit(masks[edge]!, rarest);
    keys[at] = (otherOf[edge]! << (bits - 1)) | (rest & others);
    rests[at] = rest;
  }
  return { on, keys, rests };
}

/** The part of a column from one place to another. */
interface Span {
  readonly of: Int32Array;
  readonly from: number;
  readonly to: number;
}

/**
 * What the table says of all pairs of a word of `some` and one of `many` together. One of a pair is a key, the other a
 * rest. Four of `some` at a time share a look at those of `many`.
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

/** One word in so many is looked at for the rarest letter: any rare one will do. */
const SAMPLED = 16;

function rarestBit({ bits, masks }: WordTable): number {
  const having = new Uint32Array(bits);
  for (let edge = 0; edge < masks.length; edge += SAMPLED)
    for (let bit = 0; bit < bits; bit++) having[bit]! += (masks[edge]! >>> bit) & 1;
  return having.indexOf(having.reduce((least, each) => Math.min(least, each)));
}

/** Without one of the bits: those above it move down. */
function withoutBit(mask: number, bit: number): number {
  const below = (1 << bit) - 1;
  return (mask & below) | ((mask >>> 1) & ~below);
}
