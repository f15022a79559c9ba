import { coverCounts, type Finisher } from './finish.ts';
import type { Parts } from './parts.ts';
import { Stopped, type Stopper } from './stopper.ts';
import type { Start, WordTable } from './table.ts';

export interface Count {
  readonly value: number | bigint;
  /** False where the count was cut: there are at least `value`. */
  readonly exact: boolean;
}

/** Counts chains: chains that stand alike are counted together, and never listed. */
export interface Counting {
  /** The number of chains of exactly n words that cover everything. */
  count(words: number): number | bigint;
  /** What `count` had come to when it was stopped: there are at least this many. Set to 0 before each count. */
  soFar: number | bigint;
}

/** On boards of distinct letters: a chain is one path. */
export class Counter implements Counting {
  soFar: number | bigint = 0;
  readonly #parts: Parts;
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #start: Start;
  readonly #stopper: Stopper;
  /** `#levels[k]`: chains of k words, by state. */
  readonly #levels: Level[] = [];

  constructor(parts: Parts, start: Start) {
    this.#parts = parts;
    this.#table = parts.table;
    this.#finisher = parts.finisher;
    this.#stopper = parts.stopper;
    this.#start = start;
  }

  count(words: number): number | bigint {
    const quick = this.#countAsDoubles(words);
    if (quick <= Number.MAX_SAFE_INTEGER) return quick;
    return this.#countAsBigints(words);
  }

  /** Doubles count exactly up to 2^53. */
  #countAsDoubles(words: number): number {
    const start = this.#start;
    const { full, masks } = this.#table;
    const { dense } = this.#finisher;
    if (words === 0) return start !== 'anywhere' && start.some(({ need }) => need === 0) ? 1 : 0;
    if (words === 1) {
      if (start === 'anywhere') return masks.reduce((count, mask) => (mask === full ? count + 1 : count), 0);
      return start.reduce((count, { node, need }) => count + this.#finisher.count(node, need), 0);
    }
    if (start === 'anywhere') {
      const { joined } = this.#parts;
      if (words === 2 && joined !== undefined) return joined.size;
      if (words === 3 && dense !== undefined) return countThree(this.#table, this.#stopper, this);
    }
    const level = this.#level(words - 2);
    return dense === undefined ? this.#countWithLastTwo(level) : this.#countWithTwoMore(level, dense.counts);
  }

  /** For large boards, where two words together seldom cover all that is needed. */
  #countWithLastTwo(level: Level): number {
    const { lastTwo } = this.#parts;
    const { ends } = this.#table;
    let total = 0;
    for (let index = 0; index < level.counts.length; index++) {
      let ways = 0;
      const looked = lastTwo.each(level.nodes[index]!, level.needs[index]!, (edge, rest) => {
        ways += this.#finisher.count(ends[edge]!, rest);
      });
      total += level.counts[index]! * ways;
      this.soFar = total;
      this.#stopper.step(looked);
    }
    return total;
  }

  /** What a word leaves of a need and where it ends are one number, so that a look-up takes a single AND. */
  #countWithTwoMore({ nodes, needs, counts }: Level, endings: Uint16Array | Uint32Array): number {
    const { bits, full, from, ends, masks } = this.#table;
    const keys = masks.map((mask, edge) => (ends[edge]! << bits) | (full & ~mask));
    let total = 0;
    for (let index = 0; index < counts.length; index++) {
      const node = nodes[index]!;
      const need = (-1 << bits) | needs[index]!;
      const end = from[node + 1]!;
      let ways = 0;
      for (let edge = from[node]!; edge < end; edge++) ways += endings[need & keys[edge]!]!;
      total += counts[index]! * ways;
      this.soFar = total;
      this.#stopper.step(end - from[node]!);
    }
    return total;
  }

  #level(words: number): Level {
    const known = this.#levels[words];
    if (known !== undefined) return known;
    const level = this.#makeLevel(words);
    this.#levels[words] = level;
    return level;
  }

  #makeLevel(words: number): Level {
    const { bits, full, from, ends, masks } = this.#table;
    const level = new Level(bits, from.length - 1);
    if (words === 0) {
      if (this.#start !== 'anywhere') for (const { node, need } of this.#start) level.add(node, need, 1);
      else for (let node = 0; node < from.length - 1; node++) level.add(node, this.#table.needOn(node), 1);
    } else if (words === 1 && this.#start === 'anywhere') {
      for (let edge = 0; edge < masks.length; edge++) level.add(ends[edge]!, full & ~masks[edge]!, 1);
    } else {
      const before = this.#level(words - 1);
      checkLevel(before.counts.length, masks.length, from.length - 1);
      for (let index = 0; index < before.counts.length; index++) {
        const node = before.nodes[index]!;
        const need = before.needs[index]!;
        const count = before.counts[index]!;
        this.#stopper.step(from[node + 1]! - from[node]!);
        for (let edge = from[node]!; edge < from[node + 1]!; edge++)
          level.add(ends[edge]!, need & ~masks[edge]!, count);
      }
    }
    return level;
  }

  #countAsBigints(words: number): bigint {
    const { full, from, ends, masks, bits } = this.#table;
    const room = 2 ** bits;
    let level = new Map<number, bigint>();
    const add = (next: Map<number, bigint>, edge: number, need: number, count: bigint) => {
      const key = ends[edge]! * room + (need & ~masks[edge]!);
      next.set(key, (next.get(key) ?? 0n) + count);
    };
    if (this.#start === 'anywhere')
      for (let edge = 0; edge < masks.length; edge++) add(level, edge, full, 1n);
    else for (const { node, need } of this.#start) level.set(node * room + need, 1n);
    for (let done = this.#start === 'anywhere' ? 1 : 0; done < words; done++) {
      const next = new Map<number, bigint>();
      for (const [key, count] of level) {
        const node = Math.floor(key / room);
        this.#stopper.step(from[node + 1]! - from[node]!);
        for (let edge = from[node]!; edge < from[node + 1]!; edge++) add(next, edge, key % room, count);
      }
      level = next;
    }
    let total = 0n;
    for (const [key, count] of level) if (key % room === 0) total += count;
    return total;
  }
}

/** Up to this many places, the place of a state in a level is looked up in a table. */
const DENSE_PLACES = 2 ** 18;
/** A level of more states than this does not fit the memory that one search may take. */
const MOST_STATES = 4_000_000;
/** A level that takes more steps than this would end like that, or take many seconds. */
const MOST_STEPS = 100_000_000;

/** Ends the count before it begins with a level that is too large. */
function checkLevel(states: number, edges: number, nodes: number): void {
  if ((states * edges) / nodes > MOST_STEPS) throw new Stopped();
}

/** Chains of one number of words; chains that stand alike are counted together. */
class Level {
  readonly nodes: number[] = [];
  readonly needs: number[] = [];
  readonly counts: number[] = [];
  readonly #room: number;
  /** By state, its place in the level plus one. */
  readonly #places: Uint16Array | Uint32Array | Map<number, number>;

  constructor(bits: number, nodes: number) {
    this.#room = 2 ** bits;
    const places = nodes * this.#room;
    if (places < 2 ** 16) this.#places = new Uint16Array(places);
    else this.#places = places <= DENSE_PLACES ? new Uint32Array(places) : new Map();
  }

  add(node: number, need: number, count: number): void {
    const key = node * this.#room + need;
    const places = this.#places;
    const place = places instanceof Map ? (places.get(key) ?? 0) : places[key]!;
    if (place > 0) {
      this.counts[place - 1]! += count;
      return;
    }
    if (this.counts.length >= MOST_STATES) throw new Stopped();
    this.nodes.push(node);
    this.needs.push(need);
    const added = this.counts.push(count);
    if (places instanceof Map) places.set(key, added);
    else places[key] = added;
  }
}

/**
 * The number of chains of three words on a small board of distinct letters. A chain needs a word with the rarest letter,
 * which few words have. So chains are counted by which of their words is the first that has it: of each kind, only pairs
 * with such a word are gone through, and a table tells how many third words there are for what such a pair leaves.
 *
 * @param counting told what the count has come to, in case it is stopped
 */
function countThree(table: WordTable, stopper: Stopper, counting: { soFar: number | bigint }): number {
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
  /** For each node, where its words begin, where its words with the rarest letter do, and where both end. */
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
 * The sum of the table's entries for all pairs of a word of `some` and one of `many`: one of a pair is a key, the other a
 * rest. Four of `some` at a time share a look at all of `many`.
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

/** One word in this many is looked at for the rarest letter: any rare one will do. */
const SAMPLED = 16;

function rarestBit({ bits, masks }: WordTable): number {
  const having = new Uint32Array(bits);
  for (let edge = 0; edge < masks.length; edge += SAMPLED)
    for (let bit = 0; bit < bits; bit++) having[bit]! += (masks[edge]! >>> bit) & 1;
  return having.indexOf(having.reduce((least, each) => Math.min(least, each)));
}

/** Without one of the bits; the bits above it move down. */
function withoutBit(mask: number, bit: number): number {
  const below = (1 << bit) - 1;
  return (mask & below) | ((mask >>> 1) & ~below);
}
