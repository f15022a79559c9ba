import type { Finisher } from './finish.ts';
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
    let count = 0;
    const isLast = words - level.words === 1;
    if (!isLast && this.#finisher.dense) return this.#countWithTwoMore(level, this.#finisher.dense.counts);
    for (let index = 0; index < level.counts.length; index++) {
      const spot = level.spots[index]!;
      const mask = level.masks[index]!;
      const need = full & ~mask;
      count += level.counts[index]! * (isLast ? this.#finisher.count(spot, need) : this.#lastTwo(spot, need));
    }
    return count;
  }

  /** How many pairs of words from a spot cover the need. */
  #lastTwo(spot: number, need: number): number {
    const { from, ends, masks } = this.#table;
    const end = from[spot + 1]!;
    this.#stopper.step(end - from[spot]!);
    let ways = 0;
    for (let edge = from[spot]!; edge < end; edge++) {
      ways += this.#finisher.count(ends[edge]!, need & ~masks[edge]!);
    }
    return ways;
  }

  /**
   * The same for a whole level at once. What a word leaves of a need and where it ends are one number, so
   * that a look-up takes a single AND; words alike in both are one entry that counts as many times.
   */
  #countWithTwoMore(level: Level, endings: Uint16Array | Uint32Array): number {
    const { bits, full, from } = this.#table;
    const { begins, keys, times } = this.#links();
    const anySpot = -1 << bits;
    let count = 0;
    for (let index = 0; index < level.counts.length; index++) {
      const spot = level.spots[index]!;
      const need = anySpot | (full & ~level.masks[index]!);
      const end = begins[spot + 1]!;
      this.#stopper.step(from[spot + 1]! - from[spot]!);
      let ways = 0;
      for (let at = begins[spot]!; at < end; at++) ways += times[at]! * endings[need & keys[at]!]!;
      count += level.counts[index]! * ways;
    }
    return count;
  }

  /** The different edges from each spot: where they end and what they leave uncovered, and how many there are. */
  #links(): { begins: Uint32Array; keys: Int32Array; times: Uint32Array } {
    const { bits, full, from, ends, masks } = this.#table;
    const spots = from.length - 1;
    const begins = new Uint32Array(spots + 1);
    const keys = new Int32Array(masks.length);
    const times = new Uint32Array(masks.length);
    const placeOf = new Uint32Array(spots << bits);
    let count = 0;
    for (let spot = 0; spot < spots; spot++) {
      const begin = count;
      for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
        const key = (ends[edge]! << bits) | (full & ~masks[edge]!);
        // A place before this spot's own is one that an earlier spot left behind.
        if (placeOf[key]! <= begin) {
          keys[count] = key;
          placeOf[key] = ++count;
        }
        times[placeOf[key]! - 1]!++;
      }
      begins[spot + 1] = count;
    }
    return { begins, keys, times };
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
    if (words === 0) {
      const states = this.#start === 'anywhere' ? [] : this.#start;
      return {
        words,
        spots: states.map((s) => s.spot),
        masks: states.map((s) => s.mask),
        counts: states.map(() => 1),
      };
    }
    const room = 2 ** bits;
    const merged = new Map<number, number>();
    const add = (spot: number, mask: number, count: number) => {
      const key = spot * room + mask;
      merged.set(key, (merged.get(key) ?? 0) + count);
    };
    if (words === 1 && this.#start === 'anywhere') {
      for (let edge = 0; edge < masks.length; edge++) add(ends[edge]!, masks[edge]!, 1);
    } else {
      const before = this.#level(words - 1);
      for (let index = 0; index < before.counts.length; index++) {
        const spot = before.spots[index]!;
        this.#stopper.step(from[spot + 1]! - from[spot]!);
        for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
          add(ends[edge]!, before.masks[index]! | masks[edge]!, before.counts[index]!);
        }
      }
    }
    const keys = [...merged.keys()];
    return {
      words,
      spots: keys.map((key) => Math.floor(key / room)),
      masks: keys.map((key) => key % room),
      counts: [...merged.values()],
    };
  }
}

interface Level {
  readonly words: number;
  readonly spots: readonly number[];
  readonly masks: readonly number[];
  readonly counts: readonly number[];
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
