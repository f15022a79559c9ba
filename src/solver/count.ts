import { groupBy } from './bits.ts';
import { countBeforePairs, countThree } from './count-three.ts';
import { type State, Stopped } from './edges.ts';
import { coverCounts, SparseEndings } from './endings.ts';
import type { Problem } from './problem.ts';

export interface Count {
  readonly value: number | bigint;
  /** False where the count was cut: there are at least `value`. */
  readonly exact: boolean;
}

/**
 * Counts chains by state (see `Problem`): those in the same state are counted together, and never listed. Tables of states
 * are indexed by `(spot << bits) | need`.
 */
export class Counter {
  /** When `count` is stopped, there are at least this many. The caller sets it to 0 before each count. */
  soFar: number | bigint = 0;
  readonly #problem: Problem;
  /** By number of words, the chains of so many words, by state. */
  readonly #levels: Level[] = [];
  #wordsInto: WordsInto | undefined;
  /** Of the chains that `#countAsDoubles` counts, how many don't need their first word. */
  #withNeedlessFirst = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  /**
   * The number of chains of exactly this many words that cover everything. Unless the search is padded, chains that would do so
   * without their last word, or without their first where no words were played, are left out.
   *
   * @param isFewest whether no chain of fewer words does, so that no chain has a needless word
   */
  count(words: number, isFewest = false): number | bigint {
    const { beginsAnywhere, isDistinct, starts } = this.#problem;
    if (words === 0) return !beginsAnywhere && starts.some(({ need }) => need === 0) ? 1 : 0;
    if (isDistinct) {
      // Computed first, so that `soFar` is right whenever the count is stopped.
      this.#withNeedlessFirst = isFewest ? 0 : this.#countWithNeedlessFirst(words);
      const count = this.#countAsDoubles(words);
      if (count <= Number.MAX_SAFE_INTEGER) return count - this.#withNeedlessFirst;
    }
    return this.#countAsBigints(words);
  }

  /** Also counts chains with a needless first word: endings leave out only needless last ones. Doubles are exact up to 2^53. */
  #countAsDoubles(words: number): number {
    const { beginsAnywhere, edges, endings, isLastNeeded, pairs, starts } = this.#problem;
    const { full, masks } = edges;
    if (words === 1) {
      if (beginsAnywhere) return countEqual(masks, full);
      return starts.reduce((count, { spot, need }) => count + endings.count(spot, need), 0);
    }
    if (beginsAnywhere && endings.dense !== undefined) {
      if (words === 2) return pairs!.size - (isLastNeeded ? this.#pairsWithNeedlessLast() : 0);
      if (words === 3) return countThree(this.#problem, endings.dense.counts, (total) => this.#reach(total));
    }
    const level = this.#level(words - 2);
    return endings.dense === undefined
      ? this.#countWithLastTwo(level)
      : this.#countWithTwoMore(level, endings.dense.counts);
  }

  #pairsWithNeedlessLast(): number {
    const { from, ends, masks, full } = this.#problem.edges;
    let pairs = 0;
    for (let edge = 0; edge < masks.length; edge++)
      if (masks[edge] === full) pairs += from[ends[edge]! + 1]! - from[ends[edge]!]!;
    return pairs;
  }

  /**
   * The number of chains that need their last word but not their first. The words after the first one cover everything by
   * themselves, and the last one covers something that no word before it does. They are counted by the joint, the spot on which
   * the first word ends.
   */
  #countWithNeedlessFirst(words: number): number {
    const { edges, endings, isFirstNeeded, pairs, stopper } = this.#problem;
    if (words === 1 || !isFirstNeeded) return 0;
    // `size` counts all pairs, and very long lists of them are cut.
    if (words === 3 && pairs !== undefined && pairs.size === pairs.firsts.length)
      return countBeforePairs(this.#problem, pairs);
    this.#wordsInto ??= countWordsInto(this.#problem);
    const wordsInto = this.#wordsInto;
    let total = 0;
    for (let spot = 0; spot < edges.from.length - 1; spot++) {
      const all = wordsInto(spot, 0);
      if (all === 0) continue;
      const need = edges.full & ~(1 << spot);
      stopper.step();
      if (words === 2) {
        total += endings.count(spot, need) * (all - wordsInto(spot, need));
        continue;
      }
      let level = new Level(edges.bits, edges.from.length - 1);
      level.add(spot, need, 1);
      for (let word = 3; word < words; word++) level = this.#extend(level);
      total += this.#countAfter(wordsInto, spot, level);
    }
    return total;
  }

  /**
   * The number of chains of a first word that ends on the joint, a chain of the level, and two last words that cover what it needs.
   * First words that cover all that the last word adds are not counted: with these, the last word is not needed.
   */
  #countAfter(wordsInto: WordsInto, joint: number, { spots, needs, counts }: Level): number {
    const { edges, endings, lastTwo, keys, stopper } = this.#problem;
    const { bits, from, ends, full } = edges;
    const all = wordsInto(joint, 0);
    let total = 0;
    for (let index = 0; index < counts.length; index++) {
      let ways = 0;
      const spot = spots[index]!;
      if (endings.dense === undefined) {
        const looked = lastTwo.each(spot, needs[index]!, (edge, rest) => {
          const lasts = endings.count(ends[edge]!, rest);
          if (lasts > 0) ways += lasts * (all - wordsInto(joint, rest));
        });
        stopper.step(looked);
      } else {
        const lasts = endings.dense.counts;
        // As in `#countWithTwoMore`.
        const need = (-1 << bits) | needs[index]!;
        for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
          const at = need & keys[edge]!;
          if (lasts[at] !== 0) ways += lasts[at]! * (all - wordsInto(joint, at & full));
        }
        stopper.step(from[spot + 1]! - from[spot]!);
      }
      total += counts[index]! * ways;
    }
    return total;
  }

  #reach(total: number): void {
    this.soFar = Math.max(0, total - this.#withNeedlessFirst);
  }

  /** The number of chains of the level with two more words, on large boards, where few pairs of words cover the need. */
  #countWithLastTwo(level: Level): number {
    const { lastTwo } = this.#problem;
    const { ends } = this.#problem.edges;
    let total = 0;
    for (let index = 0; index < level.counts.length; index++) {
      let ways = 0;
      const looked = lastTwo.each(level.spots[index]!, level.needs[index]!, (edge, rest) => {
        ways += this.#problem.endings.count(ends[edge]!, rest);
      });
      total += level.counts[index]! * ways;
      this.#reach(total);
      this.#problem.stopper.step(looked);
    }
    return total;
  }

  /** The same on small boards, by a table. */
  #countWithTwoMore({ spots, needs, counts }: Level, endings: Uint16Array | Uint32Array): number {
    const { edges, keys } = this.#problem;
    const { bits, from } = edges;
    let total = 0;
    for (let index = 0; index < counts.length; index++) {
      const spot = spots[index]!;
      // With all bits above the need set, `need & key` is the state after the edge (`Problem.keys`).
      const need = (-1 << bits) | needs[index]!;
      const end = from[spot + 1]!;
      let ways = 0;
      for (let edge = from[spot]!; edge < end; edge++) ways += endings[need & keys[edge]!]!;
      total += counts[index]! * ways;
      this.#reach(total);
      this.#problem.stopper.step(end - from[spot]!);
    }
    return total;
  }

  #level(words: number): Level {
    this.#levels[words] ??= this.#makeLevel(words);
    return this.#levels[words];
  }

  #makeLevel(words: number): Level {
    if (words > 0) return this.#extend(this.#level(words - 1));
    const { bits, from } = this.#problem.edges;
    const level = new Level(bits, from.length - 1);
    for (const { spot, need } of this.#problem.starts) level.add(spot, need, 1);
    return level;
  }

  /** The chains of a level with one word more. */
  #extend(before: Level): Level {
    const { bits, from, ends, masks } = this.#problem.edges;
    const level = new Level(bits, from.length - 1);
    if ((before.counts.length * masks.length) / (from.length - 1) > MAX_LEVEL_STEPS)
      throw new Stopped('size');
    for (let index = 0; index < before.counts.length; index++) {
      const spot = before.spots[index]!;
      const need = before.needs[index]!;
      const count = before.counts[index]!;
      this.#problem.stopper.step(from[spot + 1]! - from[spot]!);
      for (let edge = from[spot]!; edge < from[spot + 1]!; edge++)
        level.add(ends[edge]!, need & ~masks[edge]!, count);
    }
    return level;
  }

  /**
   * Counts chains where letters repeat, or whose number is too large for a double. Chains with the same set of states are counted
   * together. Their tails, the states that they would have without the first word, tell whether that word is needed.
   */
  #countAsBigints(words: number): number | bigint {
    const { starts, edges, isPadded, tails: allTails } = this.#problem;
    const isCovered = (states: readonly State[]) => !isPadded && states.some(({ need }) => need === 0);
    interface Alike {
      readonly states: readonly State[];
      /** Undefined before the first word; see `Problem.tails`. */
      readonly tails: readonly State[] | undefined;
      count: bigint;
    }
    const keyOf = (states: readonly State[]) =>
      states.map(({ spot, need }) => spot * 2 ** edges.bits + need).join();
    let level = new Map<string, Alike>([['', { states: starts, tails: undefined, count: 1n }]]);
    for (let left = words - 1; left > 0; left--) {
      const next: typeof level = new Map();
      for (const { states: before, tails: tailsBefore, count } of level.values()) {
        for (const { word, states } of this.#problem.steps(before, left)) {
          const tails = tailsBefore === undefined ? allTails : this.#problem.after(tailsBefore, word, left);
          const key = `${keyOf(states)}/${keyOf(tails)}`;
          const same = next.get(key);
          if (same !== undefined) same.count += count;
          else if (next.size === MAX_SETS) throw new Stopped('size');
          else next.set(key, { states, tails, count });
        }
      }
      level = next;
    }
    let total = 0n;
    for (const { states, tails = [], count } of level.values()) {
      if (isCovered(states)) continue;
      const withoutFirst = this.#lastWords(tails);
      let lasts = 0;
      for (const word of this.#lastWords(states)) if (!withoutFirst.has(word)) lasts++;
      total += count * BigInt(lasts);
      this.soFar = total;
    }
    return total <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(total) : total;
  }

  /** The words that complete a chain in at least one of these states. */
  #lastWords(states: readonly State[]): Set<number> {
    const { wordOf } = this.#problem.edges;
    const lasts = new Set<number>();
    for (const state of states) for (const edge of this.#problem.lastEdges(state)) lasts.add(wordOf[edge]!);
    this.#problem.stopper.step(states.length);
    return lasts;
  }
}

/** How many of the possible first words end on a spot and cover a need. */
type WordsInto = (spot: number, need: number) => number;

function countWordsInto({ edges, isSmall, starts, stopper }: Problem): WordsInto {
  const { bits, full, from, ends, masks } = edges;
  const spots = from.length - 1;
  // Edges that begin no chain are in a group after those of the spots, which is left out.
  const groupOf = new Uint8Array(masks.length).fill(spots);
  for (const { spot } of starts)
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) groupOf[edge] = ends[edge]!;
  const into = groupBy(groupOf, spots + 1);
  const before = {
    bits,
    full,
    ends,
    from: into.from.subarray(0, spots + 1),
    masks: Int32Array.from(into.items, (edge) => masks[edge]!),
  };
  if (!isSmall) {
    const words = new SparseEndings(before);
    return (spot, need) => words.count(spot, need);
  }
  const table = coverCounts(before, stopper);
  return (spot, need) => table[(spot << bits) | need]!;
}

/** With more possible states than this, a level looks them up in a `Map` instead of a table. */
const MAX_TABLE_PLACES = 2 ** 18;
/** More states of a level, or more sets of states, would not fit the memory that one search may take. */
const MAX_STATES = 4_000_000;
const MAX_SETS = 500_000;
/** A level that takes more steps than this is not begun: it would get too many states, or take many seconds. */
const MAX_LEVEL_STEPS = 100_000_000;

/** The states of chains of one number of words, in three lists: `counts[i]` chains are in the state `spots[i]`, `needs[i]`. */
class Level {
  readonly spots: number[] = [];
  readonly needs: number[] = [];
  readonly counts: number[] = [];
  readonly #needs: number;
  /** By state, its place in the level plus one. */
  readonly #places: Uint32Array | Map<number, number>;

  constructor(bits: number, spots: number) {
    this.#needs = 2 ** bits;
    const places = spots * this.#needs;
    this.#places = places <= MAX_TABLE_PLACES ? new Uint32Array(places) : new Map();
  }

  add(spot: number, need: number, count: number): void {
    const key = spot * this.#needs + need;
    const places = this.#places;
    const place = places instanceof Map ? (places.get(key) ?? 0) : places[key]!;
    if (place > 0) {
      this.counts[place - 1]! += count;
      return;
    }
    if (this.counts.length >= MAX_STATES) throw new Stopped('size');
    this.spots.push(spot);
    this.needs.push(need);
    const added = this.counts.push(count);
    if (places instanceof Map) places.set(key, added);
    else places[key] = added;
  }
}

function countEqual(numbers: Int32Array, wanted: number): number {
  let count = 0;
  for (let at = 0; at < numbers.length; at++) if (numbers[at] === wanted) count++;
  return count;
}
