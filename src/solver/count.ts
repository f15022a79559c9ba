import { checkLevel, firstLevel, type Level, MergedLevel } from './count-levels.ts';
import { countThree } from './count-three.ts';
import type { Finisher } from './finish.ts';
import { groupBy } from './group.ts';
import type { Parts } from './parts.ts';
import type { Start } from './state.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

export interface Count {
  readonly value: number | bigint;
  /** False where the count was cut: there are at least `value`. */
  readonly exact: boolean;
}

/** What counts chains: those that stand alike are counted together, and never listed. */
export interface Counting {
  /** The number of chains of exactly n words that cover everything. */
  count(words: number): number | bigint;
  /** What `count` had come to when it was stopped: there are at least so many. Set to 0 before each count. */
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
    if (words === 0) return this.#start !== 'anywhere' && this.#start.some(({ need }) => need === 0) ? 1 : 0;
    const { full, masks } = this.#table;
    if (words === 1 && this.#start === 'anywhere') {
      let count = 0;
      for (const mask of masks) if (mask === full) count++;
      return count;
    }
    if (words === 2 && this.#start === 'anywhere') {
      const { joined } = this.#parts;
      if (joined !== undefined) return joined.size;
    }
    if (words === 3 && this.#start === 'anywhere' && this.#finisher.isDense)
      return countThree(this.#table, this.#stopper, this);
    const { dense } = this.#finisher;
    const level = this.#level(Math.max(words - 2, this.#start === 'anywhere' && dense !== undefined ? 1 : 0));
    const isLast = words - level.words === 1;
    if (!isLast)
      return dense === undefined
        ? this.#countWithLastTwo(level)
        : this.#countWithTwoMore(level, dense.counts);
    let count = 0;
    for (let index = 0; index < level.counts.length; index++) {
      this.#stopper.step(this.#finisher.cost);
      count += level.counts[index]! * this.#finisher.count(level.nodes[index]!, level.needs[index]!);
      this.soFar = count;
    }
    return count;
  }

  /** On large boards, where two words together cover all that is needed only seldom. */
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

  /**
   * Two words for a whole level at once. What a word leaves of a need and where it ends are one number, so
   * that a look-up takes a single AND; words with the same end look into the same part of the table, and
   * four of them at a time share what there is to know of a chain.
   */
  #countWithTwoMore(level: Level, endings: Uint16Array | Uint32Array): number {
    const { bits, full, from, ends, masks } = this.#table;
    const nodes = from.length - 1;
    const anyNode = -1 << bits;
    const chains = groupBy(level.nodes, nodes);
    const needs = new Int32Array(level.counts.length);
    const counts = new Float64Array(level.counts.length);
    for (let at = 0; at < needs.length; at++) {
      needs[at] = anyNode | level.needs[chains.items[at]!]!;
      counts[at] = level.counts[chains.items[at]!]!;
    }
    let total = 0;
    for (let node = 0; node < nodes; node++) {
      const edges = groupBy(ends.subarray(from[node]!, from[node + 1]!), nodes).items;
      const keys = new Int32Array(edges.length);
      for (let at = 0; at < keys.length; at++) {
        const edge = from[node]! + edges[at]!;
        keys[at] = (ends[edge]! << bits) | (full & ~masks[edge]!);
      }
      const begin = chains.from[node]!;
      const end = chains.from[node + 1]!;
      this.#stopper.step((end - begin) * keys.length);
      let at = 0;
      for (; at + 3 < keys.length; at += 4) {
        const first = keys[at]!;
        const second = keys[at + 1]!;
        const third = keys[at + 2]!;
        const fourth = keys[at + 3]!;
        for (let chain = begin; chain < end; chain++) {
          const need = needs[chain]!;
          const ways =
            endings[need & first]! +
            endings[need & second]! +
            endings[need & third]! +
            endings[need & fourth]!;
          total += counts[chain]! * ways;
        }
      }
      for (; at < keys.length; at++) {
        for (let chain = begin; chain < end; chain++)
          total += counts[chain]! * endings[needs[chain]! & keys[at]!]!;
      }
      this.soFar = total;
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
    if (words === 1 && this.#start === 'anywhere' && this.#finisher.isDense) return firstLevel(this.#table);
    const level = new MergedLevel(words, bits, from.length - 1);
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
