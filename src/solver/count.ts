import type { Finisher } from './finish.ts';
import { groupBy } from './group.ts';
import { prune, type State } from './state.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/** Where chains begin: on any spot with nothing covered, or after the words already played. */
export type Start = readonly State[] | 'anywhere';

/**
 * The number of chains of exactly n words that cover everything. Chains are never listed: those that
 * stand alike are counted together, and the last word is a look-up.
 */
export class Counter {
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #start: Start;
  readonly #repeats: boolean;
  readonly #stopper: Stopper;
  /** `#levels[k]`: chains of k words, by state. */
  readonly #levels: Level[] = [];

  constructor(table: WordTable, finisher: Finisher, start: Start, repeats: boolean, stopper: Stopper) {
    this.#table = table;
    this.#finisher = finisher;
    this.#start = start;
    this.#repeats = repeats;
    this.#stopper = stopper;
  }

  count(words: number): number | bigint {
    const quick = this.#repeats ? Number.POSITIVE_INFINITY : this.#countAlike(words);
    if (quick <= Number.MAX_SAFE_INTEGER) return quick;
    const exact = countSets(this.#table, this.#start, words, this.#stopper);
    return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
  }

  /** One walk a word: a chain is one path, and doubles count exactly up to 2^53. */
  #countAlike(words: number): number {
    const { full, masks } = this.#table;
    if (words === 0)
      return this.#start !== 'anywhere' && this.#start.some(({ mask }) => mask === full) ? 1 : 0;
    if (words === 1 && this.#start === 'anywhere') {
      let count = 0;
      for (const mask of masks) if (mask === full) count++;
      return count;
    }
    const level = this.#level(Math.max(words - 2, this.#start === 'anywhere' ? 1 : 0));
    const isLast = words - level.words === 1;
    const { dense } = this.#finisher;
    if (!isLast && dense !== undefined) return this.#countWithTwoMore(level, dense.counts);
    let count = 0;
    for (let index = 0; index < level.counts.length; index++) {
      this.#stopper.step(this.#finisher.cost);
      const spot = level.spots[index]!;
      const need = full & ~level.masks[index]!;
      count += level.counts[index]! * (isLast ? this.#finisher.count(spot, need) : this.#lastTwo(spot, need));
    }
    return count;
  }

  /** How many pairs of words from a spot cover the need. */
  #lastTwo(spot: number, need: number): number {
    const { from, ends, masks } = this.#table;
    const end = from[spot + 1]!;
    this.#stopper.step((end - from[spot]!) * this.#finisher.cost);
    let ways = 0;
    for (let edge = from[spot]!; edge < end; edge++) {
      ways += this.#finisher.count(ends[edge]!, need & ~masks[edge]!);
    }
    return ways;
  }

  /**
   * The same for a whole level at once. What a word leaves of a need and where it ends are one number, so
   * that a look-up takes a single AND; words with the same end look into the same part of the table, and
   * four of them at a time share what there is to know of a chain.
   */
  #countWithTwoMore(level: Level, endings: Uint16Array | Uint32Array): number {
    const { bits, full, from, ends, masks } = this.#table;
    const spots = from.length - 1;
    const anySpot = -1 << bits;
    const chains = groupBy(level.spots, spots);
    const needs = new Int32Array(level.counts.length);
    const counts = new Float64Array(level.counts.length);
    for (let at = 0; at < needs.length; at++) {
      needs[at] = anySpot | (full & ~level.masks[chains.items[at]!]!);
      counts[at] = level.counts[chains.items[at]!]!;
    }
    let total = 0;
    for (let spot = 0; spot < spots; spot++) {
      const edges = groupBy(ends.subarray(from[spot]!, from[spot + 1]!), spots).items;
      const keys = new Int32Array(edges.length);
      for (let at = 0; at < keys.length; at++) {
        const edge = from[spot]! + edges[at]!;
        keys[at] = (ends[edge]! << bits) | (full & ~masks[edge]!);
      }
      const begin = chains.from[spot]!;
      const end = chains.from[spot + 1]!;
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
    const { bits, from, ends, masks } = this.#table;
    const level = new MergedLevel(words, bits, from.length - 1);
    if (words === 0) {
      if (this.#start !== 'anywhere') for (const { spot, mask } of this.#start) level.add(spot, mask, 1);
    } else if (words === 1 && this.#start === 'anywhere') {
      for (let edge = 0; edge < masks.length; edge++) level.add(ends[edge]!, masks[edge]!, 1);
    } else {
      const before = this.#level(words - 1);
      for (let index = 0; index < before.counts.length; index++) {
        const spot = before.spots[index]!;
        const mask = before.masks[index]!;
        const count = before.counts[index]!;
        this.#stopper.step(from[spot + 1]! - from[spot]!);
        for (let edge = from[spot]!; edge < from[spot + 1]!; edge++)
          level.add(ends[edge]!, mask | masks[edge]!, count);
      }
    }
    return level;
  }
}

/** Chains of as many words, those that stand alike counted together. */
interface Level {
  readonly words: number;
  readonly spots: readonly number[];
  readonly masks: readonly number[];
  readonly counts: readonly number[];
}

/** Up to this many places, where a state stands in a level is looked up in a table. */
const DENSE_PLACES = 2 ** 18;

class MergedLevel implements Level {
  readonly words: number;
  readonly spots: number[] = [];
  readonly masks: number[] = [];
  readonly counts: number[] = [];
  readonly #room: number;
  /** By state, its place in the level plus one. */
  readonly #places: Uint16Array | Uint32Array | Map<number, number>;

  constructor(words: number, bits: number, spots: number) {
    this.words = words;
    this.#room = 2 ** bits;
    const places = spots * this.#room;
    if (places < 2 ** 16) this.#places = new Uint16Array(places);
    else this.#places = places <= DENSE_PLACES ? new Uint32Array(places) : new Map();
  }

  add(spot: number, mask: number, count: number): void {
    const key = spot * this.#room + mask;
    const places = this.#places;
    const place = places instanceof Map ? (places.get(key) ?? 0) : places[key]!;
    if (place > 0) {
      this.counts[place - 1]! += count;
      return;
    }
    this.spots.push(spot);
    this.masks.push(mask);
    const added = this.counts.push(count);
    if (places instanceof Map) places.set(key, added);
    else places[key] = added;
  }
}

/** Any board and any size: chains are merged by the set of states they may stand in, counted as bigints. */
function countSets(table: WordTable, start: Start, words: number, stopper: Stopper): bigint {
  const isDone = (states: readonly State[]) => states.some(({ mask }) => mask === table.full);
  if (words === 0) return start !== 'anywhere' && isDone(start) ? 1n : 0n;
  let level = new Map<string, { states: readonly State[]; count: bigint }>();
  for (let index = 0; index < words; index++) {
    const next = new Map<string, { states: readonly State[]; count: bigint }>();
    const origins = index === 0 ? [{ states: start, count: 1n }] : level.values();
    for (const { states, count } of origins) {
      for (const child of stepsFrom(table, states)) {
        stopper.step(child.states.length);
        if (index === words - 1 && !isDone(child.states)) continue;
        const key = child.states.map(({ spot, mask }) => `${spot}.${mask}`).join(' ');
        const known = next.get(key);
        if (known === undefined) next.set(key, { states: child.states, count });
        else known.count += count;
      }
    }
    level = next;
  }
  let total = 0n;
  for (const { count } of level.values()) total += count;
  return total;
}

export interface Step {
  readonly word: number;
  readonly states: readonly State[];
}

/** Each word that can come next, with all the states the chain may stand in after it, in a fixed order. */
export function stepsFrom(table: WordTable, states: Start): Step[] {
  const byWord = new Map<number, State[]>();
  const add = (edge: number, mask: number) => {
    const state = { spot: table.ends[edge]!, mask: mask | table.masks[edge]! };
    const known = byWord.get(table.wordOf[edge]!);
    if (known === undefined) byWord.set(table.wordOf[edge]!, [state]);
    else known.push(state);
  };
  if (states === 'anywhere') for (let edge = 0; edge < table.ends.length; edge++) add(edge, 0);
  else {
    for (const { spot, mask } of states) {
      for (let edge = table.from[spot]!; edge < table.from[spot + 1]!; edge++) add(edge, mask);
    }
  }
  const byPlace = (a: State, b: State) => a.spot - b.spot || a.mask - b.mask;
  return [...byWord].map(([word, reached]) => ({ word, states: prune(reached).sort(byPlace) }));
}
